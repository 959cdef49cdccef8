import { beforeEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import type { RequestDeadline } from '../../../src/lib/deadline.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { BATCH_KEYS_MAX, RequestBatcher } from '../../../src/persistence/database/request-batcher.ts'
import { RequestDatabase } from '../../../src/persistence/database/request-database.ts'
import { type Context, createContext } from '../../../src/request/context.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode } from '../../support/hierarchies.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let a = ''
let b = ''

beforeEach(async () => {
  await reset(database)
  const ctx = contextOf(server.services, START)
  a = (await makeBook(ctx, 'a')).id
  b = (await makeBook(ctx, 'b')).id
})

/** A request of its own. */
function request(): Context {
  const { viewer, now, requestId } = contextOf(server.services, START)
  return createContext(server.services, { viewer, now, requestId, deadline: { abortReason: null, exempt: false } })
}

/** A path that finds the keys themselves. */
const keysOf = <Key = string>(name: string) => ({ name, read: async (_: Database, keys: Key[]) => keys })

const nameOf = async (ctx: Context, id: string) => (await ctx.loaders.priceBookById.load(id))?.name ?? null
const rename = (id: string, name: string) =>
  database.query('test_rename', 'UPDATE price_book SET name = $2 WHERE id = $1', [id, name])

describe('requests that read in the same turn of the event loop', () => {
  it('requests of one turn of the event loop share a statement, and each receives the values of its keys', async () => {
    const absent = '0190a000-0000-7000-8000-00000000000a'
    const asked = [a, b.toUpperCase(), absent, a]
    const { result, count } = await countStatements(database, () =>
      Promise.all(asked.map((id) => nameOf(request(), id))),
    )
    expect(count).toBe(1)
    expect(result).toEqual(['a', 'b', null, 'a'])
  })

  it('requests of one turn of the event loop share a statement for pages of the same window, and not for another window', async () => {
    const ctx = contextOf(server.services, START)
    const roots = await Promise.all(['r', 's'].map((name) => makeHierarchy(ctx, name)))
    for (const [at, root] of roots.entries())
      for (const name of ['x', 'y', 'z']) await makeNode(ctx, root, `${name}${at}`)
    const { loaders: one } = request()
    const { loaders: other } = request()
    const window = (limit: number) => ({
      after: null,
      before: null,
      limit,
      reverse: false,
      offset: 0,
      id: `first ${limit}`,
    })
    const page = (loaders: Context['loaders'], at: number, limit: number) =>
      loaders.nodeListByParentId.pages(window(limit)).load(roots[at]?.id ?? '')
    const same = await countStatements(database, () =>
      Promise.all([page(one, 0, 2), page(other, 1, 2), page(other, 0, 2)]),
    )
    expect(same.count).toBe(1)
    expect(same.result.map((nodes) => nodes.map(({ name }) => name))).toEqual([
      ['x0', 'y0'],
      ['x1', 'y1'],
      ['x0', 'y0'],
    ])
    const differing = await countStatements(database, () =>
      Promise.all([page(request().loaders, 0, 1), page(request().loaders, 0, 3)]),
    )
    expect(differing.count).toBe(2)
    expect(differing.result.map((nodes) => nodes.length)).toEqual([1, 3])
  })

  it('requests of one turn of the event loop leave out the keys of a request that has ended meanwhile', async () => {
    const deadline: RequestDeadline = { abortReason: null, exempt: false }
    const gone = new Unavailable('gone')
    const asking = [new RequestDatabase(database, deadline), database].map((on, at) =>
      on.batchRead(keysOf('path'), [`key ${at}`]),
    )
    deadline.abortReason = gone
    expect(await Promise.allSettled(asking)).toEqual([
      { status: 'rejected', reason: gone },
      { status: 'fulfilled', value: ['key 1'] },
    ])
  })

  it('requests of one turn of the event loop send no statement when all requests have ended meanwhile', async () => {
    let reads = 0
    const path = { name: 'path', read: async () => ++reads }
    const asking = new RequestBatcher(database).read(path, [1], () => {
      throw new Unavailable('gone')
    })
    await expect(asking).rejects.toBeInstanceOf(Unavailable)
    expect(reads).toBe(0)
  })

  it('requests of one turn of the event loop all receive the failure of their statement; the next request succeeds', async () => {
    const failing = await Promise.allSettled([nameOf(request(), a), nameOf(request(), 'no uuid'), nameOf(request(), b)])
    expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await nameOf(request(), a)).toBe('a')
  })

  it('requests of one turn of the event loop never receive a result that was read before they requested it', async () => {
    const first = nameOf(request(), a)
    await first
    await rename(a, 'renamed')
    expect(await nameOf(request(), a)).toBe('renamed')

    // The name changes, and the next request reads it, while a statement runs.
    const batcher = new RequestBatcher(database)
    let stored = 'old'
    let sent = (): void => undefined
    const underWay = new Promise<void>((resolve) => {
      sent = resolve
    })
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const path = {
      name: 'path',
      read: async (): Promise<string> => {
        const read = stored
        sent()
        if (read === 'old') await answered
        return read
      },
    }
    const before = batcher.read(path, [a])
    await underWay
    stored = 'new'
    expect(await batcher.read(path, [a])).toBe('new')
    answer()
    expect(await before).toBe('old')
  })

  it('requests of one turn of the event loop see their own writes after they clear their loaders', async () => {
    const ctx = request()
    expect(await nameOf(ctx, a)).toBe('a')
    await rename(a, 'renamed')
    expect(await nameOf(ctx, a)).toBe('a')
    ctx.loaders.clearAll()
    expect(await nameOf(ctx, a)).toBe('renamed')
  })

  it('requests of one turn of the event loop start another statement when a batch has the maximum number of keys', async () => {
    const batcher = new RequestBatcher(database)
    const half = BATCH_KEYS_MAX / 2
    const asked = [0, 1, 2, 2].map((part) => Array.from({ length: half }, (_, at) => part * half + at))
    const found = await Promise.all(asked.map((keys) => batcher.read(keysOf<number>('path'), keys)))
    expect(found.map(({ length }) => length)).toEqual([BATCH_KEYS_MAX, BATCH_KEYS_MAX, half, half])
  })

  it('requests of one turn of the event loop have each key read once, by the equality that the path defines', async () => {
    const batcher = new RequestBatcher(database)
    const path = { ...keysOf<string>('path'), cacheKeyFn: (key: string) => key.toLowerCase() }
    const found = await Promise.all([batcher.read(path, ['a', 'b']), batcher.read(path, ['B', 'c'])])
    expect(found).toEqual([
      ['a', 'B', 'c'],
      ['a', 'B', 'c'],
    ])
  })
})
