/** Statement queue: several tasks that use one connection at once, which runs one statement after another. */
import type { Queryable } from './query.ts'

/** Sends each statement when the one before is answered, in the order in which they are asked; after a failure none. */
export class StatementQueue implements Queryable {
  private last: Promise<unknown> = Promise.resolve()
  /** The end of what was sent before the first failure. */
  private ended: Promise<unknown> | undefined

  constructor(private readonly on: Queryable) {}

  /** An answer need not be awaited at once: `run` reports its failure in any case. */
  readonly query = ((...statement: Parameters<Queryable['query']>) => {
    const answer = handled(this.last.then(() => this.on.query(...statement)))
    this.last = answer
    return answer
  }) as Queryable['query']

  /** Runs tasks at once. Throws the first failure, when the connection is no longer in use. */
  async run(tasks: readonly ((queue: StatementQueue) => Promise<void>)[]): Promise<void> {
    await Promise.all(tasks.map((task) => task(this).catch((error) => this.refuse(error))))
    await this.ended
    await this.last
  }

  private refuse(error: unknown): void {
    this.ended ??= this.last.catch(() => undefined)
    this.last = handled(this.last.then(() => Promise.reject(error)))
  }
}

/** The same answer, whose failure is reported where it is awaited, be it late or never. */
export function handled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined)
  return answer
}
