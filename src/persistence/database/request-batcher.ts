/**
 * Request batching: one statement for all requests that read the same access path in the same turn of the event loop.
 *
 * It works beneath the DataLoaders, each of which serves one request. A query of the authoring graph takes half the
 * processor time with it, and a quarter or less of PostgreSQL's. Batches that stay open for several turns gain nothing
 * more.
 */
import type { BatchedRead, Database } from './database.ts'

/**
 * The keys of a batch after which the next request opens another, so that a statement does not grow with the number of
 * requests.
 */
export const BATCH_KEYS_MAX = 1_000

interface Member<Key, Found> {
  readonly keys: readonly Key[]
  /** Throws when the request has ended or was aborted. */
  readonly assertActive: () => void
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

class Batch<Key, Found> {
  readonly members: Member<Key, Found>[] = []
  size = 0
}

/** The open batches of one database, by the name of their access path. */
export class RequestBatcher {
  private readonly open = new Map<string, Batch<unknown, unknown>>()

  constructor(private readonly database: Database) {}

  /**
   * Resolves to the result of the path's `read` for the keys of all callers of this turn. When a caller's
   * `assertActive` throws before the statement is sent, the caller gets that error and its keys are not read. A failed
   * statement rejects for every caller.
   */
  read<Key, Found>(
    path: BatchedRead<Key, Found>,
    keys: readonly Key[],
    assertActive: () => void = () => undefined,
  ): Promise<Found> {
    return new Promise((resolve, reject) => {
      const batch = this.batchOf(path)
      batch.size += keys.length
      batch.members.push({ keys, assertActive, resolve, reject })
    })
  }

  private batchOf<Key, Found>(path: BatchedRead<Key, Found>): Batch<Key, Found> {
    const open = this.open.get(path.name) as Batch<Key, Found> | undefined
    if (open && open.size < BATCH_KEYS_MAX) return open
    const batch = new Batch<Key, Found>()
    this.open.set(path.name, batch as Batch<unknown, unknown>)
    setImmediate(() => {
      if (this.open.get(path.name) === batch) this.open.delete(path.name)
      void this.send(path, batch.members)
    })
    return batch
  }

  private async send<Key, Found>(
    { read, cacheKeyFn }: BatchedRead<Key, Found>,
    members: readonly Member<Key, Found>[],
  ): Promise<void> {
    const active = members.filter(isActive)
    if (active.length === 0) return
    const keys = active.flatMap((member) => member.keys)
    const distinct = cacheKeyFn ? new Map(keys.map((key) => [cacheKeyFn(key), key])).values() : new Set(keys)
    try {
      const found = await read(this.database, [...distinct])
      for (const { resolve } of active) resolve(found)
    } catch (error) {
      for (const { reject } of active) reject(error)
    }
  }
}

function isActive({ assertActive, reject }: Pick<Member<never, never>, 'assertActive' | 'reject'>): boolean {
  try {
    assertActive()
    return true
  } catch (error) {
    reject(error)
    return false
  }
}
