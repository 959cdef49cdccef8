/** Statement tally: what one request asked of the database, for the log of slow operations. */
export class StatementTally {
  /** Statements that it sent, or shared with other requests. */
  count = 0
  /** Milliseconds that it waited for them, each wait for itself, though several may overlap. */
  ms = 0

  /** Runs `work`, whose wait is added. */
  async measure<T>(work: () => PromiseLike<T>): Promise<T> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.ms += performance.now() - start
    }
  }
}
