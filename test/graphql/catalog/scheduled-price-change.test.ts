/** `changesAt` of prices of the latest release while other releases are scheduled to follow it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
const iso = (instant: number) => new Date(instant).toISOString()
const ctx = () => contextOf(server.services, server.now)
/** The instants of scheduled releases, before the next change of the machine's own price. */
const [first, second, third] = [START + 600_000, START + 610_000, START + 620_000] as const

let released = ''
beforeEach(async () => {
  await reset(database)
  server.now = START
  server.services.releases.invalidate()
  const releases = await publishStore(server, fullStore())
  released = releases.get(ids.catalog)?.id ?? ''
})

const run = (text: string, ...values: unknown[]) => database.pool.query(text, values)
const setPrice = (sku: string, currencies: object) =>
  run(
    'UPDATE product_price SET currencies = currencies || $2::jsonb WHERE sku = $1 AND price_book_id = $3',
    sku,
    currencies,
    ids.book,
  )
const schedule = async (at: number) => (await publishRelease(ctx(), { catalogId: ids.catalog, at })).id

async function shopper(query: string, variables = {}) {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, Math.floor(server.now / 1000) * 1000)
  const reply = await server.gql(query, variables, { token })
  expect(reply.errors).toBeUndefined()
  return reply.data
}
const latest = (fields: string) => `{ catalog(id: "${ids.catalog}") { latestRelease { ${fields} } } }`
const read = async (fields: string) => (await shopper(latest(fields))).catalog.latestRelease

async function changesAt(id: string, currency = 'USD', field = 'latestRelease'): Promise<string | null> {
  const query = `{ catalog(id: "${ids.catalog}") { ${field} { product(by: { id: "${id}" }) { price(currency: "${currency}") { changesAt } } } } }`
  return (
    Object.values<{ product: { price: { changesAt: string | null } } }>((await shopper(query)).catalog)[0]?.product
      .price.changesAt ?? null
  )
}

describe('price.scheduled-release-counts-where-it-differs: a scheduled release', () => {
  it('a scheduled release is no change of a price that it leaves as it is, whatever else of the product differs', async () => {
    await run(`UPDATE product SET name = name || ' new', description = 'New'`)
    await schedule(first)
    expect([await changesAt(ids.machine), await changesAt(ids.beans)]).toEqual([iso(winter.to), null])
  })

  it('a scheduled release is a change of the prices in the currencies that differ in it, and only the first such release is', async () => {
    await run(`UPDATE product SET name = name || ' new'`)
    await schedule(first)
    await setPrice('BEANS', { EUR: { amount: 1 } })
    await schedule(second)
    await setPrice('BEANS', { EUR: { amount: 2 }, USD: { amount: 2 } })
    await schedule(third)
    expect([await changesAt(ids.beans, 'EUR'), await changesAt(ids.beans, 'USD')]).toEqual([iso(second), iso(third)])
    const ofRelease = `release(id: "${released}")`
    expect(await changesAt(ids.beans, 'EUR', ofRelease)).toBeNull()
    server.now = second
    expect([await changesAt(ids.beans, 'EUR'), await changesAt(ids.beans, 'USD')]).toEqual([iso(third), iso(third)])
    server.now = third
    expect(await changesAt(ids.beans, 'EUR')).toBeNull()
  })

  it('a scheduled release counts by the sales that run in it from then on, and not those of the release before', async () => {
    await run('UPDATE sale SET valid_to = $1 WHERE valid_to = $2', new Date(winter.to - 1_000), new Date(winter.to))
    await run('UPDATE product_price SET updated_at = now()')
    await schedule(first)
    // The end of a sale is a part of the price.
    expect(await changesAt(ids.machine)).toBe(iso(first))
    server.now = first
    expect(await changesAt(ids.machine)).toBe(iso(winter.to - 1_000))
  })

  it('a scheduled release is a change where the product is not in it', async () => {
    await run(`UPDATE product SET status = 'draft' WHERE id = $1`, ids.beans)
    await schedule(first)
    expect(await changesAt(ids.beans)).toBe(iso(first))
  })

  it('a scheduled release counts for inherited prices, bundles, their options and choices where the parts of these differ', async () => {
    const fields = `shirt: product(by: { id: "${ids.redLarge}" }) { price(currency: "USD") { changesAt } }
      set: product(by: { id: "${ids.starter}" }) { price(currency: "USD") { changesAt } bundleConfiguration { price(currency: "USD") { changesAt }
        componentProducts { productKey price(currency: "USD") { changesAt } } } }`
    const told = async () => {
      const { shirt, set } = await read(fields)
      const { price, componentProducts } = set.bundleConfiguration
      const option = componentProducts.find(({ productKey }: { productKey: string }) => productKey === ids.machine)
      return [shirt.price?.changesAt, set.price.changesAt, price.changesAt, option.price.changesAt]
    }
    const before = await told()
    await run(`UPDATE product SET name = name || ' new'`)
    await schedule(first)
    expect(await told()).toEqual(before)
    await run(
      `UPDATE product_price SET currencies = jsonb_set(currencies, '{USD,amount}', '7') WHERE currencies ? 'USD'`,
    )
    await run(`UPDATE sale SET currencies = jsonb_set(currencies, '{USD,amount}', '7') WHERE currencies ? 'USD'`)
    await schedule(second)
    expect(await told()).toEqual(before.map(() => iso(second)))
  })

  it('a scheduled release that is the present one again is no change of a price, and one that is restored counts as any other', async () => {
    await restoreRelease(ctx(), { releaseId: released, at: first })
    expect(await changesAt(ids.beans)).toBeNull()
    await setPrice('BEANS', { USD: { amount: 3 } })
    await publishRelease(ctx(), { catalogId: ids.catalog, carry: false })
    expect(await changesAt(ids.beans)).toBe(iso(first))
  })

  it('cached responses know what is scheduled behind the next release, and what is withdrawn, at once', async () => {
    await run(`UPDATE product SET name = name || ' new'`)
    await schedule(first)
    for (let time = 0; time < 3; time++) expect(await changesAt(ids.beans)).toBeNull()
    await setPrice('BEANS', { USD: { amount: 3 } })
    const id = await schedule(second)
    for (let time = 0; time < 3; time++) expect(await changesAt(ids.beans)).toBe(iso(second))
    await withdrawRelease(ctx(), { releaseId: id })
    expect(await changesAt(ids.beans)).toBeNull()
  })

  it('a scheduled release costs a page a constant number of statements: three once, then one, for any number of releases and products', async () => {
    const page = (fields: string) =>
      latest(`products(first: 100) { nodes { price(currency: "USD") { ${fields} } prices { ${fields} } } }`)
    // Each under a name of its own, so that no response is cached.
    const counted = async (name: string) =>
      (await countStatements(database, () => shopper(page(`${name}: changesAt`)))).count
    for (const at of [first, second, third]) {
      await run(`UPDATE product SET description = $1`, String(at))
      await setPrice('BEANS', { USD: { amount: at % 1000 } })
      await schedule(at)
      await shopper(page('tier'))
      expect([await counted(`once${at}`), await counted(`again${at}`)]).toEqual([3, 1])
    }
  })
})
