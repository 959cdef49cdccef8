import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { attach } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const sql = (text: string, ...values: unknown[]) => database.pool.query(text, values)

beforeAll(async () => {
  await publishStore(server, fullStore())
})

interface Item {
  readonly id: string
  readonly attributes: { readonly price: unknown }
  readonly meta: { readonly pricebook_id: string | null; readonly sale_id?: string; readonly bread_crumbs: unknown }
}

async function listed(hierarchy = ids.hierarchy, headers: Record<string, string> = {}): Promise<Map<string, Item>> {
  const { body } = await server.rest('GET', listingPath(ids.catalog, hierarchy, 'page[limit]=100'), { headers })
  return new Map(body.data.map((item: Item) => [item.id, item]))
}

/** Base 3000, always on sale for 2500, with +300 for large and -100 for dyed. */
const redLarge = {
  price: { USD: { amount: 2700, includes_tax: false }, EUR: { amount: 3050, includes_tax: true } },
  book: ids.book,
  sale: 'always',
}
const pricingOf = (item: Item | undefined) => ({
  price: item?.attributes.price,
  book: item?.meta.pricebook_id,
  sale: item?.meta.sale_id,
})

describe('the price that a child inherits from its parent', () => {
  it('release.child-listed-through-parent, release.freezes-every-needed-price: a draft parent gives its children price and attachment, and is not listed itself', async () => {
    expect(pricingOf((await listed()).get(ids.redLarge))).toEqual(redLarge)
    await sql(`UPDATE product SET status = 'draft' WHERE id = $1`, ids.shirt)
    await publish(server, ids.catalog)
    const items = await listed()
    expect(items.has(ids.shirt)).toBe(false)
    expect(pricingOf(items.get(ids.redLarge))).toEqual(redLarge)
    expect(items.get(ids.redLarge)?.meta.bread_crumbs).toEqual({ [ids.clothes]: [ids.hierarchy] })
  })

  it('release.freezes-every-needed-price: a parent without a node prices attached children, and lists no others', async () => {
    await sql('DELETE FROM node_product WHERE product_id = $1', ids.shirt)
    await attach(database, [{ node_id: ids.machines, product_id: ids.redLarge }])
    await publish(server, ids.catalog)
    const items = await listed()
    expect(items.has(ids.blueSmall)).toBe(false)
    expect(pricingOf(items.get(ids.redLarge))).toEqual(redLarge)
  })
})

describe('what does not change a price', () => {
  it('price.parent-by-its-own-sku: a parent has the price of its own SKU, though a child costs less', async () => {
    await sql(`UPDATE product SET status = 'live' WHERE id = $1`, ids.shirt)
    await attach(database, [{ node_id: ids.clothes, product_id: ids.shirt }])
    await publish(server, ids.catalog)
    const items = await listed()
    expect(items.get(ids.shirt)?.attributes.price).toMatchObject({ USD: { amount: 2500 } })
    expect(items.get(ids.blueSmall)?.attributes.price).toMatchObject({ USD: { amount: 2000 } })
  })

  it('price.same-in-every-context: hierarchy, language, channel and tag do not change a price', async () => {
    const price = (await listed()).get(ids.machine)?.attributes.price
    expect(price).toMatchObject({ USD: { amount: 40000 }, EUR: { amount: 46000 } })
    expect((await listed(ids.otherHierarchy)).get(ids.machine)?.attributes.price).toEqual(price)
    const headers = { 'accept-language': 'de-CH', 'EP-Channel': 'web', 'EP-Context-Tag': 'vip' }
    expect((await listed(ids.hierarchy, headers)).get(ids.machine)?.attributes.price).toEqual(price)
  })

  it('release.next-is-no-price-change: a publish that changes a price is not reported as changesAt', async () => {
    const asked = () =>
      server.gql(
        `query ($id: ID!) { catalog(id: $id) { release(id: "latest") { beans: product(by: { sku: "BEANS" }) { price(currency: "EUR") { amount { amount } changesAt } } } } }`,
        { id: globalId('Catalog', ids.catalog) },
      )
    const beans = async () => (await asked()).data.catalog.release.beans.price
    expect(await beans()).toEqual({ amount: { amount: 1100 }, changesAt: null })
    await sql(
      `UPDATE product_price SET currencies = '{"EUR": {"amount": 1, "includes_tax": false}}', updated_at = now() WHERE sku = 'BEANS'`,
    )
    expect(await beans()).toEqual({ amount: { amount: 1100 }, changesAt: null })
    await publish(server, ids.catalog)
    expect(await beans()).toEqual({ amount: { amount: 1 }, changesAt: null })
  })
})
