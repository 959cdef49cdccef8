/** Request database: the database of one request, which sends no statement after the request's deadline or into a long queue. */
import { Unavailable } from '../../domain/input/errors.ts'
import { assertActive, type RequestDeadline } from '../../lib/deadline.ts'
import { countShed } from '../../lib/metrics.ts'
import type { RequestTrace } from '../../lib/request-trace.ts'
import type { BatchedRead, Database } from './database.ts'
import type { StatementListener } from './statement-observer.ts'
import { StatementTally } from './statement-tally.ts'

/** Statements and transactions that may wait for a connection; further ones fail at once with Unavailable. */
export const CONNECTION_QUEUE_MAX = 1_000

/** A database whose members throw when the request has ended or the queue is full. */
export class RequestDatabase implements Database {
  readonly kind: Database['kind']
  private client: Database['prisma'] | undefined
  private wasRefused = false

  constructor(
    private readonly database: Database,
    private readonly deadline: RequestDeadline,
    private readonly tally = new StatementTally(),
    private readonly trace?: RequestTrace,
  ) {
    this.kind = database.kind
  }

  get prisma(): Database['prisma'] {
    const { database, deadline, tally } = this
    this.client ??= guarded(measured(database.prisma, tally), this.assertUsable, tally, {
      $transaction: (work: Work, options: object) =>
        tally.measure(() => (database.prisma.$transaction as Transact)(guardedWork(work, deadline, tally), options)),
    })
    return this.client
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
    return this.tally.measure(() => this.database.query<Row>(name, text, values))
  }

  /** The deadline is checked when the statement is sent, which other requests may share. */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[]): Promise<Found> {
    this.tally.add(path.label ?? path.name)
    const read = (): Promise<Found> => this.tally.measure(() => this.database.batchRead(path, keys, this.assertUsable))
    return this.trace ? this.trace.batch(path.label ?? path.name, keys.length, read) : read()
  }

  onStatement(listener: StatementListener): () => void {
    return this.database.onStatement(listener)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  private readonly assertUsable = (): void => {
    assertActive(this.deadline)
    if (this.database.pool.waitingCount < CONNECTION_QUEUE_MAX) return
    // A request may try several statements at once, and is refused once.
    if (!this.wasRefused) countShed('connection_queue')
    this.wasRefused = true
    throw new Unavailable('too many requests wait for the database')
  }
}

type Work = (tx: object) => Promise<unknown>
type Transact = (work: Work, options: object) => Promise<unknown>

/** A transaction's work that throws, and so rolls back, when its request ends first. */
function guardedWork(work: Work, deadline: RequestDeadline, tally: StatementTally): Work {
  return async (tx) => {
    const result = await work(guarded(tx, () => assertActive(deadline), tally))
    assertActive(deadline)
    return result
  }
}

/** A client whose statements are measured: its own methods, and those of its models. */
function measured<Client extends object>(client: Client, tally: StatementTally): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === 'function') return (...args: unknown[]) => tally.measure(() => member.apply(target, args))
      return typeof member === 'object' && member !== null ? measured(member, tally) : member
    },
  })
}

/** A client that calls `assertUsable` before each use, and counts it. `replaced` members take the place of the client's. */
function guarded<Client extends object>(
  client: Client,
  assertUsable: () => void,
  tally: StatementTally,
  replaced: Readonly<Record<string, unknown>> = {},
): Client {
  return new Proxy(client, {
    get(target, name) {
      // `await` looks for a `then`, which is no use of the client.
      if (name === 'then') return undefined
      assertUsable()
      const member = typeof name === 'string' && name in replaced ? replaced[name] : Reflect.get(target, name)
      return counted(member, target, String(name), tally)
    },
  })
}

/** A member of a client, or a method of its models, whose calls are counted; raw statements by their text. */
function counted(member: unknown, owner: object, name: string, tally: StatementTally): unknown {
  if (typeof member === 'function') {
    return (...args: unknown[]) => {
      if (RAW.test(name)) tally.add(undefined, String(args[0]))
      else tally.add(name.replace('$', ''))
      return member.apply(owner, args)
    }
  }
  if (typeof member !== 'object' || member === null) return member
  return new Proxy(member, {
    get: (model, method) => counted(Reflect.get(model, method), model, `${name}.${String(method)}`, tally),
  })
}

/** Methods of Prisma's client that take a statement's text. */
const RAW = /^\$(query|execute)Raw/
