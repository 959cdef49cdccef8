/**
 * Loaders: one DataLoader per request and access path.
 *
 * A key is read once per request, in one statement with the keys that this and other requests want at the same time
 * (request-batcher.ts). Requests share the loaded values, so they must not change them.
 */
import DataLoader from 'dataloader'
import type { BatchedRead, Database } from '../database/database.ts'
import { findRecords, type WholeSource } from '../database/table.ts'

/** One request's loader of an access path; keys with the same `cacheKeyFn` text are equal. */
export type Loader<Key, Value> = DataLoader<Key, Value, string>

/** An access path. `read` returns the values that it finds, by the text of their key. */
export interface LoaderOptions<Key, Value> extends BatchedRead<Key, ReadonlyMap<string, Value>> {
  /** The value of a key for which nothing is found. */
  readonly none: Value
  /** The most keys of a batch; absent for any number. */
  readonly maxBatchSize?: number
  /**
   * The key that is likely to be loaded next, such as a parent's. Its value is primed if the batch found it, and so on
   * from there.
   */
  readonly nextKey?: (value: Value) => Key | null
}

/** A factory of request loaders for an access path. A failed read is not cached. */
export function loaderOf<Key, Value>(options: LoaderOptions<Key, Value>): (database: Database) => Loader<Key, Value> {
  const { name, cacheKeyFn = String, none, maxBatchSize = Number.POSITIVE_INFINITY, nextKey } = options
  return (database) => {
    const loader: Loader<Key, Value> = new DataLoader(
      async (keys) => {
        const found = await database.batchRead(options, keys)
        const values = keys.map((key) => found.get(cacheKeyFn(key)) ?? none)
        if (nextKey) primeNext(loader, values, nextKey, (key) => found.get(cacheKeyFn(key)))
        return values
      },
      { name, cacheKeyFn, maxBatchSize },
    )
    return loader
  }
}

function primeNext<Key, Value>(
  loader: Loader<Key, Value>,
  values: readonly Value[],
  nextKey: (value: Value) => Key | null,
  find: (key: Key) => Value | undefined,
): void {
  const primed = new Set<Key>()
  for (const value of values) {
    for (let key = nextKey(value); key !== null && !primed.has(key); ) {
      const next = find(key)
      if (next === undefined) break
      loader.prime(key, next)
      primed.add(key)
      key = nextKey(next)
    }
  }
}

/**
 * A factory of request loaders for a path that takes arguments besides its key (a window, a release). The request's
 * function returns the loader for its arguments. Arguments with the same id share a loader and its statements.
 */
export function loadersBy<Args, Key, Value>(
  idOf: (args: Args) => string,
  optionsOf: (args: Args) => LoaderOptions<Key, Value>,
): (database: Database) => (args: Args) => Loader<Key, Value> {
  return (database) => {
    const loaders = new Map<string, Loader<Key, Value>>()
    return (args) => {
      const id = idOf(args)
      let loader = loaders.get(id)
      if (!loader) {
        const options = optionsOf(args)
        loader = loaderOf({ label: options.name, ...options, name: `${options.name} ${id}` })(database)
        loaders.set(id, loader)
      }
      return loader
    }
  }
}

/** UUIDs are equal in either case. */
const lowerCase = (id: string): string => id.toLowerCase()

/**
 * A factory of loaders of records by raw id; the value is null where there is none. `read` returns the records that
 * exist, in any order.
 */
export function byId<T extends { readonly id: string }>(
  name: string,
  read: (database: Database, ids: string[]) => Promise<readonly T[]>,
  nextId?: (record: T) => string | null,
): (database: Database) => Loader<string, T | null> {
  return loaderOf<string, T | null>({
    name,
    cacheKeyFn: lowerCase,
    none: null,
    read: async (database, ids) =>
      new Map((await read(database, ids.map(lowerCase))).map((record) => [record.id, record])),
    ...(nextId && { nextKey: (record) => record && nextId(record) }),
  })
}

/** As `byId`, for the records of a table with their lists. */
export function recordsById<Row, T extends { readonly id: string }>(name: string, source: WholeSource<Row, T>) {
  return byId(name, ({ prisma }, ids) => findRecords(prisma, source, ids))
}
