/** Statement observer: reports every statement that a pool sends to listeners. */
import pg from 'pg'

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined
}

/** Called for each statement before it is sent. */
export type StatementListener = (statement: Statement) => void

/**
 * A client class for a pool, which calls `listeners` for every statement, Prisma's and raw ones. Without listeners it costs one test of
 * the set's size.
 */
export function observedClient(): { Client: typeof pg.Client; listeners: Set<StatementListener> } {
  const listeners = new Set<StatementListener>()
  // pg's `query` has a dozen overloads; this function passes its arguments on unchanged.
  const send = pg.Client.prototype.query as unknown as (this: pg.Client, ...args: unknown[]) => unknown
  class Client extends pg.Client {}
  Object.defineProperty(Client.prototype, 'query', {
    value(this: pg.Client, ...args: unknown[]): unknown {
      if (listeners.size > 0) {
        const statement = describe(args[0])
        for (const listener of listeners) listener(statement)
      }
      return send.apply(this, args)
    },
  })
  return { Client, listeners }
}

function describe(query: unknown): Statement {
  if (typeof query === 'string') return { text: query, name: undefined }
  const { text, name } = query as { text?: string; name?: string }
  return { text: text ?? '', name }
}
