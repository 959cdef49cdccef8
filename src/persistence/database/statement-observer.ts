/** Statement observer: reports every statement that a pool sends to listeners. */
import pg from 'pg'

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined
}

/** Called for each statement before it is sent; `onEnd` takes a function that is called once there is a result. */
export type StatementListener = (statement: Statement, onEnd: (end: StatementEnd) => void) => void

/** Called with whether the statement failed. */
export type StatementEnd = (failed: boolean) => void

/**
 * A client class for a pool, which calls `listeners` for every statement, Prisma's and raw ones. Without listeners it
 * costs one test of the set's size.
 */
export function observedClient(): { Client: typeof pg.Client; listeners: Set<StatementListener> } {
  const listeners = new Set<StatementListener>()
  // pg's `query` has a dozen overloads; this function passes its arguments on unchanged.
  const send = pg.Client.prototype.query as unknown as (this: pg.Client, ...args: unknown[]) => unknown
  class Client extends pg.Client {}
  Object.defineProperty(Client.prototype, 'query', {
    value(this: pg.Client, ...args: unknown[]): unknown {
      if (listeners.size === 0) return send.apply(this, args)
      const statement = describe(args[0])
      const ends: StatementEnd[] = []
      for (const listener of listeners) listener(statement, (end) => ends.push(end))
      return ends.length === 0 ? send.apply(this, args) : sendObserved(send.bind(this), args, ends)
    },
  })
  return { Client, listeners }
}

/** pg passes the result to the callback that is its last argument, or else returns a promise. */
function sendObserved(send: (...args: unknown[]) => unknown, args: unknown[], ends: readonly StatementEnd[]): unknown {
  const end = (failed: boolean): void => {
    for (const one of ends) one(failed)
  }
  const callback = args.at(-1)
  if (typeof callback === 'function') {
    const observed = (error: unknown, ...result: unknown[]): unknown => {
      end(Boolean(error))
      return callback(error, ...result)
    }
    return send(...args.slice(0, -1), observed)
  }
  const result = send(...args)
  if (result instanceof Promise) {
    result.then(
      () => end(false),
      () => end(true),
    )
  }
  return result
}

function describe(query: unknown): Statement {
  if (typeof query === 'string') return { text: query, name: undefined }
  const { text, name } = query as { text?: string; name?: string }
  return { text: text ?? '', name }
}
