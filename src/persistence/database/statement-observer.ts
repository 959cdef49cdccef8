import pg from 'pg'

export interface Statement {
  readonly text: string
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined
}

export type StatementListener = (statement: Statement) => void

/**
 * A client for a pool that tells of every statement it sends, Prisma's and raw ones alike, and the set of those who listen. Nothing is
 * paid but one test of the set's size when nobody does.
 */
export function observedClient(): { Client: typeof pg.Client; listeners: Set<StatementListener> } {
  const listeners = new Set<StatementListener>()
  // pg's query has a dozen overloads; here it is one function that passes on what it was given.
  const send = pg.Client.prototype.query as unknown as (this: pg.Client, ...given: unknown[]) => unknown
  class Client extends pg.Client {}
  Object.defineProperty(Client.prototype, 'query', {
    value(this: pg.Client, ...given: unknown[]): unknown {
      if (listeners.size > 0) {
        const statement = describe(given[0])
        for (const listener of listeners) listener(statement)
      }
      return send.apply(this, given)
    },
  })
  return { Client, listeners }
}

function describe(query: unknown): Statement {
  if (typeof query === 'string') return { text: query, name: undefined }
  const { text, name } = query as { text?: string; name?: string }
  return { text: text ?? '', name }
}
