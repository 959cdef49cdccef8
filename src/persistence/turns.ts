/**
 * Work of this process that must not overlap, by key, in the order of asking. Whoever waits for a turn holds no connection, as who waits for a
 * row's lock would.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  /** Keys whose work has not ended. */
  get waiting(): number {
    return this.last.size
  }

  /** Runs `work` once all that was asked for before it under the same key has ended, however it ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key)
    const turn = before ? before.then(work, work) : work()
    this.last.set(key, turn)
    const leave = (): void => {
      if (this.last.get(key) === turn) this.last.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
