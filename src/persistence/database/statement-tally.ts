/** Statement tally: the statements of one request and the time that it waited for them, for the log of slow operations. */
import { summaryOf } from './statement-name.ts'
import type { Statement } from './statement-observer.ts'

/** Statements that it sent, or shared with other requests, and the time that it waited for them. */
export class StatementTally {
  /** Milliseconds that it waited, each wait for itself, though several may overlap. */
  ms = 0
  private readonly statements: Statement[] = []

  get count(): number {
    return this.statements.length
  }

  /** Counts a statement. One that only Prisma knows has no text, and its method as name. */
  add(name: string | undefined, text = ''): void {
    this.statements.push({ name, text })
  }

  /** The `count` statements that were sent most, by the names that traces have; then those that were sent first. */
  most(count: number): Record<string, number> {
    const counts = new Map<string, number>()
    for (const statement of this.statements) {
      const name = summaryOf(statement)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, count))
  }

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
