/**
 * Request database: the database of one request. It sends no statement after the request's deadline, none into a long
 * queue, and only a few at once. Reads and transactions stay within their shares of the connections, where the
 * requests' owners take turns (bulkhead.ts).
 */
import { Unavailable } from '../../domain/input/errors.ts'
import { assertActive, type RequestDeadline } from '../../lib/deadline.ts'
import { countShed } from '../../lib/metrics.ts'
import type { RequestTrace } from '../../lib/request-trace.ts'
import { Bulkhead } from './bulkhead.ts'
import type { BatchedRead, Database } from './database.ts'
import type { StatementListener } from './statement-observer.ts'
import { StatementTally } from './statement-tally.ts'

/** The most statements and transactions that wait for a connection. Further ones fail at once with Unavailable. */
export const CONNECTION_QUEUE_MAX = 1_000

/**
 * The most statements of one request that run or wait for a connection at once. Its further statements wait for these.
 */
export const STATEMENTS_AT_ONCE = 5
/** Milliseconds that a further statement waits. The statements before it have limits of their own. */
const OWN_WAIT_MS = 60_000

/** A database whose members throw when the request has ended or the queue is full. */
export class RequestDatabase implements Database {
  readonly kind: Database['kind']
  private client: Database['prisma'] | undefined
  private wasRefused = false
  private readonly own = new Bulkhead(STATEMENTS_AT_ONCE, OWN_WAIT_MS)

  constructor(
    private readonly database: Database,
    private readonly deadline: RequestDeadline,
    private readonly tally = new StatementTally(),
    private readonly trace?: RequestTrace,
    /** The owner whose turn it takes: the subject of the request's token. */
    private readonly owner = '',
  ) {
    this.kind = database.kind
  }

  get prisma(): Database['prisma'] {
    const { database, deadline, tally } = this
    this.client ??= guarded(database.prisma, this.assertUsable, (name, args, send) => {
      count(tally, name, args)
      if (name !== '$transaction') return this.read(() => send(args))
      const [work, ...options] = args
      return this.inTurn('writes', () => send([guardedWork(work as Work, deadline, tally), ...options]))
    })
    return this.client
  }

  schema(): Promise<string> {
    return this.database.schema()
  }

  get bulkheads(): Database['bulkheads'] {
    return this.database.bulkheads
  }

  get probe(): Database['probe'] {
    return this.database.probe
  }

  get replicas(): Database['replicas'] {
    return this.database.replicas
  }

  get pool(): Database['pool'] {
    this.assertUsable()
    return this.database.pool
  }

  async query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]> {
    this.assertUsable()
    this.tally.add(name, text)
    return this.read(() => this.database.query<Row>(name, text, values))
  }

  /**
   * The deadline is checked when the statement is sent. Other requests may share the statement, so it takes no turn.
   */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[]): Promise<Found> {
    this.tally.add(path.label ?? path.name)
    const send = (): Promise<Found> => this.database.batchRead(path, keys, this.assertUsable)
    const read = (): Promise<Found> => this.tally.measure(() => this.own.run('', send))
    return this.trace ? this.trace.batch(path.label ?? path.name, keys.length, read) : read()
  }

  onStatement(listener: StatementListener): () => void {
    return this.database.onStatement(listener)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  private read<T>(send: () => PromiseLike<T>): Promise<T> {
    return this.own.run('', () => this.inTurn('reads', send))
  }

  private inTurn<T>(kind: 'reads' | 'writes', send: () => PromiseLike<T>): Promise<T> {
    const whenActive = (): PromiseLike<T> => {
      assertActive(this.deadline)
      return send()
    }
    return this.tally.measure(() => this.database.bulkheads[kind].run(this.owner, whenActive))
  }

  private readonly assertUsable = (): void => {
    assertActive(this.deadline)
    const { pool, bulkheads } = this.database
    if (pool.waitingCount + bulkheads.reads.waiting + bulkheads.writes.waiting < CONNECTION_QUEUE_MAX) return
    // A request may try several statements at once, and is refused once.
    if (!this.wasRefused) countShed('connection_queue')
    this.wasRefused = true
    throw new Unavailable('too many requests wait for the database')
  }
}

type Work = (tx: object) => Promise<unknown>

/** A transaction's work that throws, and so rolls back, when its request ends first. */
function guardedWork(work: Work, deadline: RequestDeadline, tally: StatementTally): Work {
  return async (tx) => {
    const client = guarded(
      tx,
      () => assertActive(deadline),
      (name, args, send) => {
        count(tally, name, args)
        return send(args)
      },
    )
    const result = await work(client)
    assertActive(deadline)
    return result
  }
}

/** Gets the name of a method, the arguments of a call, and the function that sends arguments. */
type Call = (
  name: string,
  args: readonly unknown[],
  send: (args: readonly unknown[]) => Promise<unknown>,
) => Promise<unknown>

/**
 * A client that calls `assertUsable` before each use, and `call` for each call of a method, its own or that of a model.
 */
function guarded<Client extends object>(client: Client, assertUsable: () => void, call: Call): Client {
  return new Proxy(client, {
    get(target, name) {
      // `await` looks for a `then`, which does not use the client.
      if (name === 'then') return undefined
      assertUsable()
      return called(Reflect.get(target, name), target, String(name), call)
    },
  })
}

/** A method whose calls go to `call`, a model whose methods do so, or another member as it is. */
function called(member: unknown, owner: object, name: string, call: Call): unknown {
  if (typeof member === 'function') return (...args: unknown[]) => call(name, args, (sent) => member.apply(owner, sent))
  if (typeof member !== 'object' || member === null) return member
  return new Proxy(member, {
    get: (model, method) => called(Reflect.get(model, method), model, `${name}.${String(method)}`, call),
  })
}

/** Counts a call of a method of the client; of a raw statement by its text. */
function count(tally: StatementTally, method: string, args: readonly unknown[]): void {
  if (/^\$(query|execute)Raw/.test(method)) tally.add(undefined, String(args[0]))
  else tally.add(method.replace('$', ''))
}
