/** The releases of a catalog: their filter and order, for administrators and shoppers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { newId } from '../../../src/persistence/database/id.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })

/** The instant at which the third release is scheduled to be the latest. */
const TURN = START + 60_000
const iso = (instant: number) => new Date(instant).toISOString()

beforeAll(async () => {
  await publishStore(server, fullStore())
  server.now = START + 1_000
  await publish(server, ids.catalog)
  server.now = START + 2_000
  await mutate(server, 'publishRelease', { catalogId: ids.catalog, at: iso(TURN) }, 'release { id }')
  for (const [sequence, status] of [
    [4, 'failed'],
    [5, 'retired'],
    [6, 'publishing'],
  ]) {
    const insert =
      'INSERT INTO release (id, catalog_id, sequence, status, started_at) VALUES (gen_random_uuid(), $1, $2, $3, $4)'
    await database.pool.query(insert, [ids.catalog, sequence, status, iso(START + 3_000)])
  }
})

type Given = Record<string, unknown>

const QUERY = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: ReleaseFilter, $orderBy: ReleaseOrderInput) {
  catalog(id: $id) { releases(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount nodes { sequence status } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }
}`

async function send(given: Given, now: number, role: 'admin' | 'shopper') {
  server.now = now
  const { token } = await server.issue({ subject: role, role }, Math.floor(now / 1_000) * 1_000)
  return server.gql(QUERY, { id: ids.catalog, ...given }, { token })
}

async function ask(given: Given = {}, now = START + 3_000, role: 'admin' | 'shopper' = 'admin') {
  const { data, errors } = await send(given, now, role)
  expect(errors).toBeUndefined()
  return data.catalog.releases
}

/** The sequences of a list, whose total must be their number. */
async function sequences(given: Given, now?: number, role?: 'admin' | 'shopper'): Promise<number[]> {
  const { nodes, totalCount } = await ask(given, now, role)
  expect(totalCount).toBe(nodes.length)
  return nodes.map(({ sequence }: { sequence: number }) => sequence)
}

describe('Catalog.releases', () => {
  it.each([
    [undefined, [6, 4, 3, 2, 1], [2, 1]],
    [{ field: 'SEQUENCE', direction: 'DESC' }, [6, 4, 3, 2, 1], [2, 1]],
    [{ field: 'SEQUENCE' }, [1, 2, 3, 4, 6], [1, 2]],
  ])('Catalog.releases is walked forward and backward in one order: %j', async (orderBy, expected, public_) => {
    expect(await sequences({ orderBy })).toEqual(expected)
    expect(await sequences({ orderBy }, START + 3_000, 'shopper')).toEqual(public_)
    for (const backward of [false, true]) {
      const found: number[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await ask({ orderBy, ...(backward ? { last: 2, before: cursor } : { first: 2, after: cursor }) })
        const shown = page.nodes.map(({ sequence }: { sequence: number }) => sequence)
        expect(page.totalCount).toBe(expected.length)
        if (backward) found.unshift(...shown)
        else found.push(...shown)
        if (!(backward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break
        cursor = backward ? page.pageInfo.startCursor : page.pageInfo.endCursor
      }
      expect(found).toEqual(expected)
    }
  })

  it.each([
    [TURN - 1, { PUBLISHED: [2, 1], SCHEDULED: [3], FAILED: [4], PUBLISHING: [6], DRAFT: [] }],
    [TURN, { PUBLISHED: [3, 2, 1], SCHEDULED: [], FAILED: [4], PUBLISHING: [6], DRAFT: [] }],
  ])(
    'release.scheduled-at-its-millisecond: Catalog.releases is filtered by the status that the releases show at %i',
    async (now, expected) => {
      for (const [status, found] of Object.entries(expected)) {
        const page = await ask({ filter: { status } }, now)
        expect([page.totalCount, page.nodes]).toEqual([found.length, found.map((sequence) => ({ sequence, status }))])
        expect(await sequences({ filter: { status } }, now, 'shopper')).toEqual(status === 'PUBLISHED' ? found : [])
      }
    },
  )

  it.each([
    ['publishedAt from an instant', { publishedAt: { from: iso(START + 1_000) } }, [3, 2], [2]],
    ['publishedAt before it', { publishedAt: { before: iso(START + 1_000) } }, [1], [1]],
    ['startedAt', { startedAt: { from: iso(START + 1_000), before: iso(START + 3_000) } }, [3, 2], [2]],
    ['startedAt of publishes that failed or run', { startedAt: { from: iso(START + 3_000) } }, [6, 4], []],
    [
      'all that is given',
      { status: 'PUBLISHED', startedAt: { from: iso(START + 1) }, publishedAt: { from: iso(START) } },
      [2],
      [2],
    ],
    ['null, which asks for nothing', { status: null, publishedAt: { from: null } }, [6, 4, 3, 2, 1], [2, 1]],
  ])('Catalog.releases is filtered by %s', async (_, filter, all, public_) => {
    expect(await sequences({ filter })).toEqual(all)
    expect(await sequences({ filter }, START + 3_000, 'shopper')).toEqual(public_)
    expect(await sequences({ filter, orderBy: { field: 'SEQUENCE' } })).toEqual([...all].reverse())
  })

  it('Catalog.releases refuses values that are none of the filter or order, and cursors of other lists', async () => {
    for (const [given, named] of [
      [{ filter: { status: 'RETIRED' } }, 'RETIRED'],
      [{ filter: { publishedAt: { from: 'x' } } }, '$filter'],
      [{ orderBy: { field: 'NAME' } }, 'NAME'],
    ] as const) {
      const { data, errors } = await send(given, START + 3_000, 'admin')
      expect([data, errors[0].message]).toEqual([undefined, expect.stringContaining(named)])
    }
    const { errors } = await send({ after: 'x', filter: { status: 'FAILED' } }, START + 3_000, 'admin')
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['after'] }] })
  })

  it('Catalog.releases takes one statement for any number of catalogs, and one more for their totals', async () => {
    const stamps = { createdAt: new Date(START), updatedAt: new Date(START) }
    const { id } = await database.prisma.catalog.create({ data: { id: newId(START), name: 'Another', ...stamps } })
    const both = [ids.catalog, id].map((one) => globalId('Catalog', one))
    const run = async (count: number, selection: string) => {
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Catalog { releases(filter: { status: PUBLISHED }) { ${selection} } } } }`
      const { result, count: sent } = await countStatements(database, () =>
        server.gql(query, { ids: both.slice(0, count) }),
      )
      expect(result.errors).toBeUndefined()
      return sent
    }
    server.now = START + 3_000
    // The catalogs that are published are read once.
    await run(2, '__typename')
    for (const count of [1, 2]) {
      const alone = await run(count, '__typename')
      expect(await run(count, 'nodes { sequence }')).toBe(alone + 1)
      expect(await run(count, 'totalCount')).toBe(alone + 1)
      expect(await run(count, 'totalCount nodes { sequence }')).toBe(alone + 2)
    }
  })
})
