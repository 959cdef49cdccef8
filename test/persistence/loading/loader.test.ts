import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/persistence/database/database.ts'
import { BATCH_KEYS_MAX, RequestBatcher } from '../../../src/persistence/database/request-batcher.ts'
import { byId, loaderOf, loadersBy } from '../../../src/persistence/loading/loader.ts'

/**
 * A database that only reads batches, and the keys of each; of a key is found what it is and how many reads there were.
 */
function counting() {
  const reads: string[][] = []
  const batcher = new RequestBatcher({} as Database)
  const database = { batchRead: batcher.read.bind(batcher) } as unknown as Database
  const read = async (_: Database, keys: string[]) => {
    reads.push(keys)
    if (keys.includes('wrong')) throw new Error('wrong')
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key} of read ${reads.length}`]))
  }
  return { reads, database, path: { name: 'path', none: null as string | null, read } }
}

describe('a loader', () => {
  it('a loader reads simultaneous keys once and together, also those of other requests, and caches them for its request', async () => {
    const { reads, database, path } = counting()
    const make = loaderOf<string, string | null>(path)
    const loader = make(database)
    const other = make(database)
    expect(
      await Promise.all(['a', 'none', 'a'].map((key) => loader.load(key)).concat(other.load('a'), other.load('b'))),
    ).toEqual(['a of read 1', null, 'a of read 1', 'a of read 1', 'b of read 1'])
    expect(reads).toEqual([['a', 'none', 'b']])
    expect(await loader.loadMany(['a', 'none', 'b'])).toEqual(['a of read 1', null, 'b of read 2'])
    expect([loader.name, reads.length]).toEqual(['path', 2])
  })

  it('a loader reads keys that are requested during a statement in another one', async () => {
    const { reads, database, path } = counting()
    const loader = loaderOf(path)(database)
    const first = loader.load('a')
    while (reads.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(reads).toEqual([['a']])
    expect(await Promise.all([first, loader.load('b')])).toEqual(['a of read 1', 'b of read 2'])
  })

  it('a loader reads all keys of its request in one statement, however many, unless its path bounds a batch', async () => {
    const { reads, database, path } = counting()
    const keys = Array.from({ length: BATCH_KEYS_MAX + 1 }, (_, at) => `key ${at}`)
    await loaderOf(path)(database).loadMany(keys)
    await loaderOf({ ...path, maxBatchSize: BATCH_KEYS_MAX })(database).loadMany(keys)
    expect(reads.map(({ length }) => length)).toEqual([BATCH_KEYS_MAX + 1, BATCH_KEYS_MAX, 1])
  })

  it('a loader reads a key again after its statement failed', async () => {
    const { database, path } = counting()
    const loader = loaderOf(path)(database)
    const [wrong, beside] = [loader.load('wrong'), loader.load('a')]
    await expect(wrong).rejects.toThrow('wrong')
    await expect(beside).rejects.toThrow('wrong')
    expect(await loader.load('a')).toBe('a of read 2')
  })

  it('a loader primes the values of next keys that the batch has found, and no others', async () => {
    const { reads, database, path } = counting()
    const next: Record<string, string> = { a: 'b', b: 'c', c: 'a', x: 'y' }
    const read = async (on: Database, keys: string[]) => {
      await path.read(on, keys)
      return new Map(['a', 'b', 'c', 'x'].map((key) => [key, key]))
    }
    const loader = loaderOf({ ...path, read, nextKey: (value) => next[value ?? ''] ?? null })(database)
    await loader.loadMany(['a', 'x'])
    expect(await loader.loadMany(['b', 'c', 'y'])).toEqual(['b', 'c', null])
    expect(reads).toEqual([['a', 'x'], ['y']])
  })
})

it('loaders by arguments are the same for the same id, and share no statement with other arguments', async () => {
  const { reads, database, path } = counting()
  const make = loadersBy<{ of: string }, string, string | null>(
    ({ of }) => of,
    () => path,
  )
  const [one, other] = [make(database), make(database)]
  expect(one({ of: 'x' })).toBe(one({ of: 'x' }))
  await Promise.all([one({ of: 'x' }).load('a'), one({ of: 'y' }).load('a'), other({ of: 'x' }).load('b')])
  expect(reads).toEqual([['a', 'b'], ['a']])
})

it('a loader by id reads a UUID once in either case, and returns null where there is no record', async () => {
  const { reads, database } = counting()
  const read = async (_: Database, ids: string[]) => {
    reads.push(ids)
    return ids.filter((id) => id === 'a').map((id) => ({ id }))
  }
  const loader = byId('records', read)(database)
  expect(await loader.loadMany(['A', 'a', 'b'])).toEqual([{ id: 'a' }, { id: 'a' }, null])
  expect(reads).toEqual([['a', 'b']])
})
