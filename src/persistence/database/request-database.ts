/** The database as one request has it: once the request has ended, or when too many wait for a connection, no statement starts. */
import { Unavailable } from '../../domain/input/errors.ts'
import { assertActive, type RequestDeadline } from '../../lib/deadline.ts'
import type { BatchedRead, Database } from './database.ts'
import type { StatementListener } from './statement-observer.ts'

/** Statements and transactions that may wait for a connection. Whoever comes then is told at once that it would take too long. */
export const QUEUE_MAX = 1_000

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
    this.client ??= guarded(database.prisma, this.assertFree, {
      $transaction: (work: Work, options: object) => (database.prisma.$transaction as Transact)(guardedWork(work, deadline), options),
    })
    return this.client
  }

  get pool(): Database['pool'] {
    this.assertFree()
    return this.database.pool
  }

  async query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]> {
    this.assertFree()
    return this.database.query<Row>(name, text, values)
  }

  /** Its life is asked for when the statement is sent, which others may share. */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[]): Promise<Found> {
    return this.database.batchRead(path, keys, this.assertFree)
  }

  onStatement(listener: StatementListener): () => void {
    return this.database.onStatement(listener)
  }

  close(): Promise<void> {
    return this.database.close()
  }

  private readonly assertFree = (): void => {
    assertActive(this.deadline)
    if (this.database.pool.waitingCount >= QUEUE_MAX) throw new Unavailable('too many requests wait for the database')
  }
}

type Work = (tx: object) => Promise<unknown>
type Transact = (work: Work, options: object) => Promise<unknown>

/** Work that is rolled back when its request ends before it does. */
function guardedWork(work: Work, deadline: RequestDeadline): Work {
  return async (tx) => {
    const result = await work(guarded(tx, () => assertActive(deadline)))
    assertActive(deadline)
    return result
  }
}

/** A client whose every use asks `assertFree` first; a use is one statement. `instead` replaces members. */
function guarded<Client extends object>(client: Client, assertFree: () => void, instead: Readonly<Record<string, unknown>> = {}): Client {
  return new Proxy(client, {
    get(target, name) {
      // A client is no promise, whoever awaits it.
      if (name === 'then') return undefined
      assertFree()
      return typeof name === 'string' && name in instead ? instead[name] : Reflect.get(target, name)
    },
  })
}
