/** Request database: the database of one request, which sends no statement after the request's deadline or into a long queue. */
import { Unavailable } from '../../domain/input/errors.ts'
import { assertActive, type RequestDeadline } from '../../lib/deadline.ts'
import type { BatchedRead, Database } from './database.ts'
import type { StatementListener } from './statement-observer.ts'

/** Statements and transactions that may wait for a connection; further ones fail at once with Unavailable. */
export const CONNECTION_QUEUE_MAX = 1_000

/** A database whose members throw when the request has ended or the queue is full. */
export class RequestDatabase implements Database {
  readonly kind: Database['kind']
  private client: Database['prisma'] | undefined

  constructor(
    private readonly database: Database,
    private readonly deadline: RequestDeadline,
  ) {
    this.kind = database.kind
  }

  get prisma(): Database['prisma'] {
    const { database, deadline } = this
    this.client ??= guarded(database.prisma, this.assertUsable, {
      $transaction: (work: Work, options: object) => (database.prisma.$transaction as Transact)(guardedWork(work, deadline), options),
    })
    return this.client
  }

  get pool(): Database['pool'] {
    this.assertUsable()
    return this.database.pool
  }

  async query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]> {
    this.assertUsable()
    return this.database.query<Row>(name, text, values)
  }

  /** The deadline is checked when the statement is sent, which other requests may share. */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[]): Promise<Found> {
    return this.database.batchRead(path, keys, this.assertUsable)
  }

  onStatement(listener: StatementListener): () => void {
    return this.database.onStatement(listener)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  private readonly assertUsable = (): void => {
    assertActive(this.deadline)
    if (this.database.pool.waitingCount >= CONNECTION_QUEUE_MAX) throw new Unavailable('too many requests wait for the database')
  }
}

type Work = (tx: object) => Promise<unknown>
type Transact = (work: Work, options: object) => Promise<unknown>

/** A transaction's work that throws, and so rolls back, when its request ends first. */
function guardedWork(work: Work, deadline: RequestDeadline): Work {
  return async (tx) => {
    const result = await work(guarded(tx, () => assertActive(deadline)))
    assertActive(deadline)
    return result
  }
}

/** A client that calls `assertUsable` before each use, which is one statement. `replaced` members take the place of the client's. */
function guarded<Client extends object>(
  client: Client,
  assertUsable: () => void,
  replaced: Readonly<Record<string, unknown>> = {},
): Client {
  return new Proxy(client, {
    get(target, name) {
      // `await` looks for a `then`, which is no use of the client.
      if (name === 'then') return undefined
      assertUsable()
      return typeof name === 'string' && name in replaced ? replaced[name] : Reflect.get(target, name)
    },
  })
}
