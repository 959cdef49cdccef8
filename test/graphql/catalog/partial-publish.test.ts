/** Publishes of some products and nodes alone, as administrators and shoppers see them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const TURN = START + 86_400_000
const iso = (instant: number) => new Date(instant).toISOString()

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

beforeEach(async () => {
  await reset(database)
  server.now = START
  server.services.releases.invalidate()
  await publishStore(server, fullStore())
})

const set = (table: string, id: string, column: string, value: unknown) =>
  database.pool.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, id])
const fields =
  'release { id sequence status productCount nodeCount carries { productCount conflictCount release { id } } }'
const tokenOf = async (role: 'admin' | 'shopper') =>
  (await server.issue({ subject: role, role }, Math.floor(server.now / 1000) * 1000)).token
const change = async (name: string, input: object, selected: string): Promise<Any> =>
  mutate(server, name, input, selected, { token: await tokenOf('admin') })
const publish = (more: object, selected = fields): Promise<Any> =>
  change('publishRelease', { catalogId: ids.catalog, ...more }, selected)
const latest = async (selected: string): Promise<Any> => {
  const text = `{ catalog(id: "${ids.catalog}") { latestRelease { ${selected} } } }`
  const { data, errors } = await server.gql(text, {}, { token: await tokenOf('shopper') })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease
}
const names = `machine: product(by: { id: "${ids.machine}" }) { name } beans: product(by: { id: "${ids.beans}" }) { name }
  node(by: { id: "${ids.espresso}" }) { name }`
const search = async (text: string) =>
  (await latest(`products(filter: { search: "${text}" }) { nodes { name } }`)).products.nodes

async function editThree(): Promise<void> {
  await set('product', ids.machine, 'name', 'Corrected machine')
  await set('product', ids.beans, 'name', 'Unfinished beans')
  await set('catalog_node', ids.espresso, 'name', 'Unfinished node')
}

describe('release.published-in-part: publishRelease(only)', () => {
  it('a corrected product goes alone, by its global id, with its words; other edits wait for the next whole publish', async () => {
    const before = await latest(names)
    await editThree()
    const { release, userErrors } = await publish({ only: { products: [globalId('Product', ids.machine)] } })
    expect([userErrors, release.sequence, release.status]).toEqual([[], 2, 'PUBLISHED'])
    expect(await latest(names)).toEqual({ ...before, machine: { name: 'Corrected machine' } })
    expect(await search('corrected')).toEqual([{ name: 'Corrected machine' }])
    expect(await search('unfinished')).toEqual([])
    await publish({})
    expect(await latest(names)).toEqual({
      machine: { name: 'Corrected machine' },
      beans: { name: 'Unfinished beans' },
      node: { name: 'Unfinished node' },
    })
  })

  it('a node goes alone with its texts, and a product whose SKU has another price with that', async () => {
    const before = await latest(names)
    await editThree()
    await publish({ only: { nodes: [ids.espresso] } })
    expect(await latest(names)).toEqual({ ...before, node: { name: 'Unfinished node' } })
    await database.pool.query(`UPDATE product_price SET currencies = '{"EUR": {"amount": 123, "includes_tax": true}}'`)
    await publish({ only: { products: [ids.beans] } })
    const price = 'price(currency: "EUR") { amount { amount } }'
    const { beans, machine } = await latest(
      `beans: product(by: { id: "${ids.beans}" }) { ${price} } machine: product(by: { id: "${ids.machine}" }) { ${price} }`,
    )
    expect(beans.price.amount.amount).toBe(123)
    expect(machine.price.amount.amount).not.toBe(123)
  })

  it('a product that is no longer live goes from the release, and nothing else changes', async () => {
    await set('product', ids.machine, 'name', 'Unfinished machine')
    await set('product', ids.beans, 'status', 'draft')
    const { release } = await publish({ only: { products: [ids.beans] } })
    const found = await latest(names)
    expect([found.beans, found.machine]).toEqual([null, { name: 'Espresso machine' }])
    expect(release.productCount).toBe((await latest('products { totalCount }')).products.totalCount)
  })

  it('a dry run tells counts and carries, and writes nothing', async () => {
    await publish({ at: iso(TURN) })
    await editThree()
    const entries = async () =>
      (await database.pool.query('SELECT (SELECT count(*) FROM change) AS a, (SELECT count(*) FROM release) AS b')).rows
    // The draft that it reads is built first.
    await publish({ dryRun: true })
    const [before, known] = [await entries(), await latest('id')]
    const only = { products: [ids.machine] }
    const { release, userErrors } = await publish({ only, dryRun: true })
    expect(userErrors).toEqual([])
    expect([release.status, release.carries.map((one: Any) => one.productCount)]).toEqual(['DRAFT', [1]])
    expect([await entries(), await latest('id')]).toEqual([before, known])
    const { release: published } = await publish({ only })
    expect(published.carries.map((one: Any) => one.productCount)).toEqual([1])
    server.now = TURN
    expect((await latest(names)).machine).toEqual({ name: 'Corrected machine' })
  })

  it('a dry run names the release whose change it would show before its instant, and is silent of what stays', async () => {
    await set('product', ids.machine, 'name', 'Machine for Christmas')
    const { release: christmas } = await publish({ at: iso(TURN) })
    const warned = 'release { warnings { code count productId scheduledFor scheduledRelease { id } } }'
    const dry = async (id: string) =>
      (await publish({ only: { products: [id] }, dryRun: true }, warned)).release.warnings
    expect(await dry(ids.machine)).toContainEqual({
      code: 'SCHEDULED_SHOWN_EARLY',
      count: 1,
      productId: globalId('Product', ids.machine),
      scheduledFor: iso(TURN),
      scheduledRelease: { id: christmas.id },
    })
    expect((await dry(ids.beans)).map(({ code }: Any) => code)).not.toContain('SCHEDULED_SHOWN_EARLY')
  })

  it('for later it is scheduled, and shoppers see it from that instant on', async () => {
    const before = await latest(names)
    await editThree()
    const { release, userErrors } = await publish({ only: { products: [ids.machine] }, at: iso(TURN) })
    expect([userErrors, release.status]).toEqual([[], 'SCHEDULED'])
    server.now = TURN - 1
    expect((await latest(names)).machine).toEqual({ name: 'Espresso machine' })
    server.now = TURN
    expect((await latest(names)).machine).toEqual({ name: 'Corrected machine' })
    expect((await latest(names)).beans).toEqual(before.beans)
  })

  it('a repeat with its idempotency key publishes once', async () => {
    await editThree()
    const input = { only: { products: [ids.machine] }, idempotencyKey: 'once' }
    const [first, second] = [await publish(input), await publish(input)]
    expect(second.release.id).toBe(first.release.id)
  })

  it.each([
    ['nothing named', {}, 'REQUIRED', ['only']],
    ['an empty list', { products: [] }, 'REQUIRED', ['only']],
    ['an unknown product', { products: [ids.machine, ids.unknown] }, 'NOT_FOUND', ['only', 'products', '1']],
    ['an unknown node', { nodes: [ids.unknown] }, 'NOT_FOUND', ['only', 'nodes', '0']],
    ['what is no id', { products: ['x'] }, 'INVALID_FORMAT', ['only', 'products', '0']],
    [
      '1,001 products',
      { products: Array.from({ length: 1_001 }, () => ids.machine) },
      'TOO_MANY',
      ['only', 'products'],
    ],
  ])('%s is refused and publishes nothing', async (_, only, code, path) => {
    const before = await latest('id')
    const { userErrors } = await publish({ only }, 'release { id }')
    expect(userErrors).toMatchObject([{ code, path }])
    expect(await latest('id')).toEqual(before)
  })

  it('with a draft, before the first publish, or for a node without its new parent it is refused', async () => {
    const { release: draft } = await publish({ dryRun: true })
    const only = { products: [ids.machine] }
    expect((await publish({ only, fromDraft: draft.id }, 'release { id }')).userErrors).toMatchObject([
      { code: 'INVALID_VALUE', path: ['fromDraft'] },
    ])
    const { node: parent } = await change('createNode', { name: 'New', parentId: ids.hierarchy }, 'node { id }')
    const { node } = await change('createNode', { name: 'Below', parentId: parent.id }, 'node { id }')
    await change('attachProducts', { nodeId: node.id, productIds: [ids.machine] }, 'node { id }')
    expect((await publish({ only: { nodes: [node.id] } }, 'release { id }')).userErrors).toMatchObject([
      { code: 'ACTION_REFUSED', path: ['only', 'nodes', '0'] },
    ])
    expect((await publish({ only: { nodes: [parent.id, node.id] } }, 'release { id }')).userErrors).toEqual([])
    await database.pool.query('DELETE FROM release')
    server.services.releases.invalidate()
    expect((await publish({ only }, 'release { id }')).userErrors).toMatchObject([
      { code: 'ACTION_REFUSED', path: ['only'] },
    ])
  })

  it('a product whose nodes are not in the release is refused, and goes with one of them', async () => {
    const { node } = await change('createNode', { name: 'New', parentId: ids.hierarchy }, 'node { id }')
    const { product } = await change('createProduct', { name: 'Kettle', status: 'LIVE' }, 'product { id }')
    await change('attachProducts', { nodeId: node.id, productIds: [product.id] }, 'node { id }')
    expect((await publish({ only: { products: [product.id] } }, 'release { id }')).userErrors).toMatchObject([
      { code: 'ACTION_REFUSED', path: ['only', 'products', '0'] },
    ])
    await publish({ only: { products: [product.id], nodes: [node.id] } }, 'release { id }')
    expect(await search('kettle')).toEqual([{ name: 'Kettle' }])
  })
})
