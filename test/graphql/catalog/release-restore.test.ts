/** Releases that are restored and withdrawn: which one is the latest, what stays, and what prices were in force. */
import { beforeEach, describe, expect, it } from 'vitest'
import { globalId, rawId } from '../../../src/graphql/schema/ids.ts'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { listen } from '../../support/live.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf } from '../../support/price-books.ts'
import { publish } from '../../support/published.ts'
import { START, startTestServer, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 } })

const DAY_MS = 86_400_000
const day = (number: number) => START + number * DAY_MS
const iso = (instant: number) => new Date(instant).toISOString()

const rename = (name: string) => database.pool.query('UPDATE product SET name = $1 WHERE id = $2', [name, ids.machine])
const ctx = () => contextOf(server.services, server.now)

/** Publishes with a name of the machine; the global id of the release. */
async function publishAs(name: string, at: number | null = null): Promise<string> {
  await rename(name)
  return globalId('Release', (await publishRelease(ctx(), { catalogId: ids.catalog, ...(at !== null && { at }) })).id)
}

const change = async (name: string, input: object) => {
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, Math.floor(server.now / 1000) * 1000)
  return mutate(server, name, input, 'release { id sequence status scheduledFor }', { token })
}
const restore = (releaseId: string, more: object = {}) => change('restoreRelease', { releaseId, ...more })
const withdraw = (releaseId: string) => change('withdrawRelease', { releaseId })

async function shopper(query: string, on = server) {
  const { token } = await on.issue({ subject: 'shopper', role: 'shopper' }, on.now)
  return (await on.gql(query, {}, { token })).data
}

/** The machine's name in the latest release. */
const machine = `product(by: { id: "${ids.machine}" }) { name }`
async function shown(): Promise<string | null> {
  return (
    (await shopper(`{ catalog(id: "${ids.catalog}") { latestRelease { ${machine} } } }`)).catalog?.latestRelease.product
      .name ?? null
  )
}

const statuses = async (): Promise<string> =>
  (await database.pool.query('SELECT sequence, status FROM release ORDER BY sequence')).rows
    .map(({ sequence, status }) => `${sequence} ${status}`)
    .join(', ')

beforeEach(async () => {
  await reset(database)
  server.now = START
  await insertStore(database, fullStore())
})

describe('release.restored-as-it-is: restoreRelease', () => {
  it('restoreRelease makes an older release the latest again under its own id, and deletes nothing', async () => {
    const first = await publishAs('One')
    const second = await publishAs('Two')
    const release = { id: first, sequence: 1, status: 'PUBLISHED', scheduledFor: null }
    expect(await restore(first)).toEqual({ release, userErrors: [] })
    expect([await shown(), await statuses()]).toEqual(['One', '1 published, 2 published'])
    expect(await restore(rawId('Release', second))).toMatchObject({ release: { id: second }, userErrors: [] })
    expect(await shown()).toBe('Two')
  })

  it('restoreRelease changes nothing when the release is the latest already, and says so', async () => {
    const first = await publishAs('One')
    const message = 'the release is the latest already'
    expect(await restore(first)).toMatchObject({
      release: { id: first },
      userErrors: [{ code: 'ACTION_REFUSED', path: ['releaseId'], message }],
    })
    expect((await database.pool.query('SELECT count(*)::int AS count FROM release_activation')).rows).toEqual([
      { count: 1 },
    ])
  })

  it('restoreRelease with an instant makes a release the latest then, even the one that is so now, and a further instant moves it', async () => {
    const first = await publishAs('One')
    const second = await publishAs('Two', day(1))
    expect(await restore(first, { at: iso(day(9)) })).toMatchObject({
      release: { status: 'PUBLISHED', scheduledFor: iso(day(9)) },
    })
    expect(await restore(first, { at: iso(day(2)) })).toMatchObject({ release: { scheduledFor: iso(day(2)) } })
    const seen = []
    for (const instant of [day(1) - 1, day(1), day(2) - 1, day(2), day(9)]) {
      server.now = instant
      seen.push(await shown())
    }
    expect(seen).toEqual(['One', 'Two', 'Two', 'One', 'One'])
    expect(await restore(second)).toMatchObject({ release: { id: second, scheduledFor: null }, userErrors: [] })
    expect(await shown()).toBe('Two')
  })

  it('history.nothing-without-a-write: restoreRelease with the instant at which a release becomes the latest already changes nothing, but after another release of that instant it does', async () => {
    await publishAs('One')
    const second = await publishAs('Two', day(1))
    const entries = async () => (await database.pool.query(`SELECT FROM change WHERE topic = 'release'`)).rowCount
    expect(await restore(second, { at: iso(day(1)) })).toMatchObject({
      release: { id: second, scheduledFor: iso(day(1)) },
      userErrors: [],
    })
    expect(await entries()).toBe(2)
    await publishAs('Three', day(1))
    await restore(second, { at: iso(day(1)) })
    expect(await entries()).toBe(4)
    server.now = day(1)
    expect(await shown()).toBe('Two')
  })

  it('restoreRelease without an instant makes a scheduled release the latest at once, and not again at its instant', async () => {
    await publishAs('One')
    const second = await publishAs('Two', day(1))
    expect(await restore(second)).toMatchObject({ release: { status: 'PUBLISHED', scheduledFor: null } })
    expect(await shown()).toBe('Two')
    await publishAs('Three')
    server.now = day(2)
    expect(await shown()).toBe('Three')
  })

  it('restoreRelease refuses what was never published or is gone, instants that are not to come, and shoppers', async () => {
    const first = await publishAs('One')
    const second = await publishAs('Two')
    const failed = '0199c0de-0000-7000-8000-000000000001'
    await database.prisma.release.create({
      data: {
        id: failed,
        catalogId: ids.catalog,
        sequence: 9,
        status: 'failed',
        startedAt: new Date(START),
        hierarchyIds: [],
      },
    })
    await deleteRelease(ctx(), { releaseId: rawId('Release', second) })
    const code = async (releaseId: string, more: object = {}) =>
      (await restore(releaseId, more)).userErrors.map(
        ({ code, path }: { code: string; path: string[] }) => `${code} ${path}`,
      )
    expect(await code(failed)).toEqual(['ACTION_REFUSED releaseId'])
    expect(await code(second)).toEqual(['NOT_FOUND releaseId'])
    expect(await code(ids.machine)).toEqual(['NOT_FOUND releaseId'])
    expect(await code('x')).toEqual(['INVALID_FORMAT releaseId'])
    expect(await code(first, { at: iso(START) })).toEqual(['INVALID_VALUE at'])
    expect(await code(first, { at: iso(day(367)) })).toEqual(['OUT_OF_RANGE at'])
    for (const name of ['restoreRelease', 'withdrawRelease']) {
      const refused = await mutate(server, name, { releaseId: first }, 'release { id }', { token: server.shopper })
      expect(refused.errors[0].extensions.code).toBe('FORBIDDEN')
    }
    expect(await shown()).toBe('One')
  })

  it('a release that is restored and published again shows what one publish shows', async () => {
    const content = `{ catalog(id: "${ids.catalog}") { latestRelease { productCount nodeCount
      products(first: 50) { nodes { key name sku price(currency: "USD") { amount { amount } } } } hierarchies { name } } } }`
    const first = await publishAs('One')
    await publishAs('Two')
    const published = await shopper(content)
    await restore(first)
    const restored = await shopper(content)
    expect(restored).not.toEqual(published)
    await publish(server, ids.catalog)
    expect(await shopper(content)).toEqual(published)
    await rename('One')
    await publish(server, ids.catalog)
    expect(await shopper(content)).toEqual(restored)
  })
})

describe('release.withdrawn-before-its-instant: withdrawRelease', () => {
  it('withdrawRelease takes a scheduled release back and retires it, until the millisecond before its instant', async () => {
    await publishAs('One')
    const second = await publishAs('Two', day(1))
    const third = await publishAs('Three', day(2))
    server.now = day(1) - 1
    expect(await withdraw(second)).toMatchObject({ release: { id: second, scheduledFor: null }, userErrors: [] })
    expect(await withdraw(second)).toMatchObject({ release: null, userErrors: [{ code: 'NOT_FOUND' }] })
    server.now = day(1)
    expect(await shown()).toBe('One')
    server.now = day(2)
    const message = 'the release is not scheduled, or has become the latest by now'
    expect(await withdraw(third)).toMatchObject({
      release: { id: third },
      userErrors: [{ code: 'ACTION_REFUSED', path: ['releaseId'], message }],
    })
    expect(await withdraw(second)).toMatchObject({ release: null, userErrors: [{ code: 'NOT_FOUND' }] })
    expect([await shown(), await statuses()]).toEqual(['Three', '1 published, 2 retired, 3 published'])
  })

  it('withdrawRelease keeps a release that was restored for later, and that a shopper can read', async () => {
    const first = await publishAs('One')
    await publishAs('Two')
    await restore(first, { at: iso(day(1)) })
    expect(await withdraw(first)).toMatchObject({
      release: { id: first, status: 'PUBLISHED', scheduledFor: null },
      userErrors: [],
    })
    server.now = day(2)
    expect([await shown(), await statuses()]).toEqual(['Two', '1 published, 2 published'])
    expect((await shopper(`{ release(id: "${first}") { sequence } }`)).release).toEqual({ sequence: 1 })
  })
})

describe('deleteRelease', () => {
  it('deleteRelease of the latest brings back the one that was so before, restored or scheduled, and of a scheduled one ends the schedule', async () => {
    const first = await publishAs('One')
    await publishAs('Two')
    await restore(first)
    const third = await publishAs('Three', day(1))
    const fourth = await publishAs('Four', day(2))
    const remove = (id: string) => deleteRelease(ctx(), { releaseId: rawId('Release', id) })
    await remove(fourth)
    server.now = day(3)
    expect(await shown()).toBe('Three')
    await remove(third)
    expect(await shown()).toBe('One')
    await remove(first)
    expect(await shown()).toBe('Two')
  })
})

describe('release.old-ones-retire: retention', () => {
  const publishKeeping = async (releasesKept: number, at: number | null = null) => {
    const config = { ...server.services.config, releasesKept }
    return publishRelease(contextOf({ ...server.services, config }, server.now), {
      catalogId: ids.catalog,
      ...(at !== null && { at }),
    })
  }
  const publishKeepingTwo = (at: number | null = null) => publishKeeping(2, at)

  it('retention counts a restored release as new as its restore, so that it is the one before the next, and keeps it after that', async () => {
    const first = await publishKeepingTwo()
    await publishKeepingTwo()
    await restore(first.id)
    const third = await publishKeepingTwo()
    expect(await statuses()).toBe('1 published, 2 retired, 3 published')
    await deleteRelease(ctx(), { releaseId: third.id })
    const latest = await shopper(`{ catalog(id: "${ids.catalog}") { latestRelease { sequence } } }`)
    expect(latest.catalog.latestRelease.sequence).toBe(1)
    for (let time = 0; time < 3; time++) await publishKeepingTwo()
    expect(await statuses()).toBe('1 published, 2 retired, 3 retired, 4 retired, 5 published, 6 published')
  })

  it('retention keeps a release that was restored, now or from an instant that has come, beside the latest ones until it is deleted', async () => {
    const [first, second] = [await publishKeepingTwo(), await publishKeepingTwo()]
    await restore(first.id)
    await restore(second.id, { at: iso(day(1)) })
    server.now = day(2)
    for (let time = 0; time < 3; time++) await publishKeepingTwo()
    expect(await statuses()).toBe('1 published, 2 published, 3 retired, 4 published, 5 published')
    const restored = `{ release(id: "${first.id}") { ${machine} } }`
    expect((await shopper(restored)).release.product.name).toBe('Espresso machine')
    await deleteRelease(ctx(), { releaseId: first.id })
    await publishKeepingTwo()
    expect(await statuses()).toBe('1 retired, 2 published, 3 retired, 4 retired, 5 published, 6 published')
    expect((await shopper(restored)).release).toBeNull()
  })

  it('retention removes a release whose restore was withdrawn before its instant, and one whose schedule was only moved or ended', async () => {
    const first = await publishKeepingTwo()
    await publishKeepingTwo()
    await restore(first.id, { at: iso(day(1)) })
    await withdraw(first.id)
    const [moved, ended] = [await publishKeepingTwo(day(3)), await publishKeepingTwo(day(3))]
    await restore(moved.id, { at: iso(day(1)) })
    await restore(ended.id)
    server.now = day(2)
    for (let time = 0; time < 2; time++) await publishKeepingTwo()
    expect(await statuses()).toBe('1 retired, 2 retired, 3 retired, 4 retired, 5 published, 6 published')
  })

  it('retention keeps those that are scheduled beside those that became the latest last, however many they are', async () => {
    const first = await publishKeepingTwo()
    await publishKeepingTwo()
    await restore(first.id)
    for (const at of [day(9), day(10), day(10)]) await publishKeepingTwo(at)
    expect(await statuses()).toBe('1 published, 2 published, 3 published, 4 published, 5 published')
    await publishKeepingTwo()
    expect(await statuses()).toBe('1 published, 2 retired, 3 published, 4 published, 5 published, 6 published')
    server.now = day(10)
    for (let time = 0; time < 2; time++) await publishKeepingTwo()
    expect(await statuses()).toContain('4 retired, 5 retired, 6 retired, 7 published, 8 published')
  })

  it('retention keeps an older one that is restored for later, however many are published before', async () => {
    const first = await publishKeepingTwo()
    await publishKeepingTwo()
    await restore(first.id, { at: new Date(day(9)).toISOString() })
    for (let time = 0; time < 3; time++) await publishKeepingTwo()
    expect(await statuses()).toBe('1 published, 2 retired, 3 retired, 4 published, 5 published')
    const latest = async () =>
      (await shopper(`{ catalog(id: "${ids.catalog}") { latestRelease { sequence } } }`)).catalog.latestRelease.sequence
    server.now = day(9) - 1
    expect(await latest()).toBe(5)
    server.now = day(9)
    expect(await latest()).toBe(1)
  })

  it('retention keeps what was the latest a minute ago, since the clock of another server may be behind', async () => {
    await publishKeeping(1)
    await publishKeeping(1, day(1))
    server.now = day(1) + 59_999
    for (let time = 0; time < 2; time++) await publishKeeping(1, day(9))
    expect(await statuses()).toBe('1 published, 2 published, 3 published, 4 published')
    server.now = day(1) + 60_000
    await publishKeeping(1, day(9))
    expect(await statuses()).toBe('1 retired, 2 published, 3 published, 4 published, 5 published')
  })
})

describe('price.lowest-prior-in-force: the lowest price before a sale', () => {
  /** Publishes with a list price of the beans, and with the sale of day 20 to 30. */
  async function publishPriced(amount: number, at: number | null = null) {
    const { pool } = database
    const usd = (value: number) => JSON.stringify({ USD: { amount: value, includes_tax: false } })
    await pool.query(`DELETE FROM product_price WHERE sku = 'BEANS' AND price_book_id <> $1`, [ids.book])
    await pool.query(`DELETE FROM sale WHERE product_price_id IN (SELECT id FROM product_price WHERE sku = 'BEANS')`)
    await pool.query(`UPDATE product_price SET currencies = $1 WHERE sku = 'BEANS'`, [usd(amount)])
    await pool.query(
      `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, currencies, created_at, updated_at)
      SELECT gen_random_uuid(), id, price_book_id, 'half', $1, $2, $3, now(), now() FROM product_price WHERE sku = 'BEANS'`,
      [new Date(day(20)), new Date(day(30)), usd(100)],
    )
    return publishRelease(ctx(), { catalogId: ids.catalog, ...(at !== null && { at }) })
  }

  async function lowest(days: number): Promise<number | null> {
    const price = `price(currency: "USD") { lowestPrior(days: ${days}) { amount } }`
    const query = `{ catalog(id: "${ids.catalog}") { latestRelease { product(by: { id: "${ids.beans}" }) { ${price} } } } }`
    server.now = day(25)
    return (await shopper(query)).catalog.latestRelease.product.price.lowestPrior?.amount ?? null
  }
  /** The lowest price of the last 1, 6, 11 and 16 days before day 20. */
  const lowestOf = async () => [await lowest(1), await lowest(6), await lowest(11), await lowest(16)]

  it('the lowest price before a sale counts a scheduled release from its instant on, and the one before it until then', async () => {
    await publishPriced(500)
    server.now = day(1)
    await publishPriced(900, day(10))
    await publishPriced(700, day(15))
    expect(await lowestOf()).toEqual([700, 700, 500, 500])
    expect(await lowest(5)).toBe(700)
    expect(
      (await database.pool.query(`SELECT until FROM price_history WHERE product_id = $1 ORDER BY until`, [ids.beans]))
        .rows,
    ).toEqual([day(10), day(15)].map((until) => ({ until: new Date(until) })))
  })

  it('the lowest price before a sale counts nothing of a release that was withdrawn or deleted before its instant, nor of one that another went before', async () => {
    await publishPriced(500)
    server.now = day(1)
    const withdrawn = await publishPriced(300, day(10))
    const deleted = await publishPriced(200, day(12))
    await publishPriced(900, day(15))
    await withdrawRelease(ctx(), { releaseId: withdrawn.id })
    await deleteRelease(ctx(), { releaseId: deleted.id })
    expect(await lowestOf()).toEqual([900, 500, 500, 500])
    server.now = day(11)
    await publishPriced(800)
    expect(await lowestOf()).toEqual([900, 800, 500, 500])
  })

  it('the lowest price before a sale counts a restored release again, and what was in force before and between', async () => {
    const first = await publishPriced(500)
    server.now = day(6)
    await publishPriced(400)
    server.now = day(10)
    await restoreRelease(ctx(), { releaseId: first.id })
    expect(await lowestOf()).toEqual([500, 500, 400, 400])
    server.now = day(16)
    const third = await publishPriced(600)
    await restoreRelease(ctx(), { releaseId: first.id, at: day(18) })
    expect(await lowestOf()).toEqual([500, 500, 400, 400])
    server.now = day(17)
    await withdrawRelease(ctx(), { releaseId: first.id })
    expect(await lowestOf()).toEqual([600, 500, 400, 400])
    expect(third.status).toBe('published')
  })

  it('the lowest price before a sale is known after a schedule that follows a release of a version of the program that kept no prices', async () => {
    await publishPriced(500)
    await database.pool.query('UPDATE release SET has_price_spans = false; TRUNCATE release_document_price')
    server.now = day(1)
    await publishPriced(900, day(15))
    expect(await lowestOf()).toEqual([900, 500, 500, 500])
  })
})

describe('releasePublished', () => {
  it('releasePublished reports a release that is published or restored at once, and nothing of what is scheduled or withdrawn; the change log has all', async () => {
    const first = await publishAs('One')
    const text = 'subscription ($id: ID!) { releasePublished(catalogId: $id) { releaseId } }'
    const listener = await listen(server, text, { token: server.shopper, variables: { id: ids.catalog } })
    const second = await publishAs('Two', day(1))
    const third = await publishAs('Three')
    await restore(first, { at: iso(day(2)) })
    await withdraw(first)
    await withdraw(second)
    await restore(first)
    const received = [await listener.next(), await listener.next()].map(({ data }) => data.releasePublished.releaseId)
    expect(received).toEqual([third, first])
    await listener.close()
    const { rows } = await database.pool.query(
      `SELECT operation, before IS NULL AS fresh, after IS NULL AS gone FROM change WHERE topic = 'release' ORDER BY id`,
    )
    expect(
      rows.map(({ operation, fresh, gone }) => `${operation}${fresh ? ' new' : ''}${gone ? ' gone' : ''}`),
    ).toEqual([
      ...['publishRelease new', 'publishRelease new', 'publishRelease new', 'restoreRelease'],
      ...['withdrawRelease', 'withdrawRelease gone', 'restoreRelease'],
    ])
  })
})

describe('simultaneous changes', () => {
  it('simultaneous publishes and restores leave one latest release on which all servers agree, and are refused only for what is so already', async () => {
    const published = [await publishAs('One'), await publishAs('Two')]
    const scheduled: string[] = []
    for (let at = 1; at <= 5; at++) scheduled.push(await publishAs(`Later ${at}`, day(at)))
    const other = await startTestServer(database)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const on = index % 2 ? server : other
        const releaseId = published[(index >> 1) % 2] as string
        if (index % 5 === 0) return mutate(on, 'publishRelease', { catalogId: ids.catalog }, 'release { id }')
        if (index % 5 === 1) return mutate(on, 'withdrawRelease', { releaseId: scheduled[index % 3] }, 'release { id }')
        if (index % 5 === 2)
          return mutate(on, 'restoreRelease', { releaseId: scheduled[3 + (index % 2)] }, 'release { id }')
        return mutate(on, 'restoreRelease', { releaseId }, 'release { id }')
      }),
    )
    const codes = new Set(results.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code)))
    for (const code of codes) expect(['ACTION_REFUSED', 'NOT_FOUND']).toContain(code)
    expect(results.filter(({ userErrors }) => userErrors.length === 0).length).toBeGreaterThan(10)
    const { pool } = database
    const logged = `SELECT record_id AS id FROM change WHERE topic = 'release' AND scope = $1 AND operation IN ('publishRelease', 'restoreRelease')`
    const [last] = (await pool.query(`${logged} ORDER BY change.id DESC LIMIT 1`, [ids.catalog])).rows
    expect((await pool.query('SELECT latest_release($1, $2) AS id', [ids.catalog, new Date(START)])).rows).toEqual([
      last,
    ])
    const pending = 'SELECT release_id FROM release_activation WHERE scheduled AND effective_at > $1'
    const twice = await pool.query(`${pending} GROUP BY release_id HAVING count(*) > 1`, [new Date(START)])
    expect(twice.rows).toEqual([])
    const sequences = (await pool.query('SELECT sequence FROM release ORDER BY sequence')).rows.map(
      ({ sequence }) => sequence,
    )
    // A restore of One carries it into what is scheduled under the name of the latest release, when it comes between.
    const carries = await pool.query(
      'SELECT count(*)::int AS number FROM published_release WHERE carried_into IS NOT NULL',
    )
    expect(sequences).toEqual(Array.from({ length: 17 + carries.rows[0].number }, (_, at) => at + 1))
    const latest = `{ catalog(id: "${ids.catalog}") { latestRelease { pinned { id } } } }`
    for (const instant of [START, day(10)]) {
      server.now = other.now = instant
      for (const on of [server, other]) on.services.releases.invalidate()
      const { rows } = await database.pool.query('SELECT latest_release($1, $2) AS id', [
        ids.catalog,
        new Date(instant),
      ])
      const seen = [await shopper(latest), await shopper(latest, other)].map(
        ({ catalog }) => catalog.latestRelease.pinned.id,
      )
      expect(seen).toEqual([globalId('Release', rows[0].id), globalId('Release', rows[0].id)])
    }
    await other.stop()
  })
})
