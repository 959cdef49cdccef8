/**
 * Loaders: one DataLoader per request and access path. A key is read once per request, in one statement with the keys that are wanted at
 * the same time, by this request and others (request-batcher.ts). Other requests may get the same values, so nobody changes them.
 */
import DataLoader from 'dataloader'
import type { BatchedRead, Database } from '../database/database.ts'
import { findRecords, type RecordSource } from '../database/table.ts'

/** One request's loader of a path; keys of the same text, as `cacheKeyFn` writes them, are one. */
export type Loader<Key, Value> = DataLoader<Key, Value, string>

/** An access path. `read` returns what it found by the text of the key. */
export interface LoaderOptions<Key, Value> extends BatchedRead<Key, ReadonlyMap<string, Value>> {
  /** The value of a key under which nothing was found. */
  readonly none: Value
  /** How many keys a batch has at most; absent: any number. */
  readonly maxBatchSize?: number
  /** The key that is mostly wanted next: what the batch found under it is primed, and under the next one of that, and so on. */
  readonly nextKey?: (value: Value) => Key | null
}

/** Makes a request's loader of the path. A failed read is not cached. */
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
 * Makes a request's loaders of a path that takes arguments besides its key (a window, a release): a function that returns the loader for
 * the arguments, the same one for the same id. Statements are shared by id.
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
        loader = loaderOf({ ...options, name: `${options.name} ${id}` })(database)
        loaders.set(id, loader)
      }
      return loader
    }
  }
}

/** UUIDs mean the same in either case. */
const lowerCase = (id: string): string => id.toLowerCase()

/** Makes a request's loader of records by raw id; null where there is none. `read` returns those that exist, in any order. */
export function byId<T extends { readonly id: string }>(
  name: string,
  read: (database: Database, ids: string[]) => Promise<readonly T[]>,
  nextId?: (record: T) => string | null,
): (database: Database) => Loader<string, T | null> {
  return loaderOf<string, T | null>({
    name,
    cacheKeyFn: lowerCase,
    none: null,
    read: async (database, ids) => new Map((await read(database, ids.map(lowerCase))).map((record) => [record.id, record])),
    ...(nextId && { nextKey: (record) => record && nextId(record) }),
  })
}

/** As `byId`, of a table's records. */
export function recordsById<Row, T extends { readonly id: string }>(name: string, source: RecordSource<Row, T>) {
  return byId(name, ({ prisma }, ids) => findRecords(prisma, source, ids))
}
