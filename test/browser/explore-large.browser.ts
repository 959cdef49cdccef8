/**
 * The page /explore on a large store: the categories of a real shop with 30,000 products. Each view shows what the
 * graph says when asked directly.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { type CategoryTree, categoryProducts, insertPlaces, readCategoryTree, wayTo } from '../support/category-tree.ts'
import { type Answer, cards, type Explore, linesOf, listed, settle, startExplore, texts } from '../support/explore.ts'
import { contextOf } from '../support/price-books.ts'
import { idOf } from '../support/products.ts'
import { servicesOf } from '../support/services.ts'
import { insertCatalog, insertProducts } from '../support/store.ts'

const samples = process.env.SAMPLE_DATA_DIR
const PRODUCTS = 30_000
const PAGE = 24
const catalogId = idOf(0xca)
const bookId = idOf(0xb0)

/** Further products on every category in turn, and a price for each of the store; one of ten is in a sale. */
const further = [
  `CREATE TEMP TABLE place AS
   SELECT row_number() OVER (ORDER BY id) - 1 AS at, id, name FROM catalog_node WHERE parent_id IS NOT NULL`,
  'ANALYZE place',
  `CREATE TEMP TABLE more AS
   SELECT i, gen_random_uuid() AS id, place.id AS node_id, place.name || ' ' || i AS name FROM generate_series(1, $1::int) i
   JOIN place ON at = i % (SELECT count(*) FROM place)`,
  `INSERT INTO product (id, name, description, sku, slug, status, tags, created_at, updated_at)
   SELECT id, name, 'Number ' || i || ' of its kind.', 'MORE-' || i, 'more-' || i, 'live', ARRAY['shelf-' || i % 50], now(), now() FROM more ORDER BY i`,
  'INSERT INTO node_product (node_id, product_id, created_at) SELECT node_id, id, now() FROM more',
  `INSERT INTO price_book (id, name, created_at, updated_at) VALUES ('${bookId}', 'Retail', now(), now())`,
  `INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at)
   SELECT gen_random_uuid(), '${bookId}', sku, jsonb_build_object('USD', jsonb_build_object('amount', 500 + hashtext(sku) & 16383, 'includes_tax', false)),
     now(), now() FROM product`,
  `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
   SELECT gen_random_uuid(), id, price_book_id, 'Season', now() - interval '10 days', now() + interval '50 days', '{}',
     jsonb_build_object('USD', jsonb_build_object('amount', 400, 'includes_tax', false)), now(), now()
   FROM product_price WHERE sku LIKE '%7'`,
  `INSERT INTO catalog_price_book (catalog_id, price_book_id, priority, position) VALUES ('${catalogId}', '${bookId}', 1, 1)`,
  'ANALYZE',
]

/**
 * Fills the embedded database of a folder: a release of the categories with one product each, and one of all products
 * with prices.
 */
async function fillStore(dataDir: string, tree: CategoryTree): Promise<void> {
  const database = await openDatabase(
    { databaseUrl: null, dataDir, poolMax: 4, statementTimeoutMs: 0 },
    { warn: () => undefined },
  )
  try {
    await migrate(database.pool)
    const products = categoryProducts(tree)
    await insertProducts(database, products)
    const services = servicesOf(database)
    const places = [...tree.nodes.values()]
    await insertPlaces(database, places)
    const roots = places.filter(({ parent }) => parent === null)
    await insertCatalog(database, {
      id: catalogId,
      name: 'Categories',
      hierarchy_ids: roots.map(({ id }) => id),
      books: [],
    })
    await publishRelease(contextOf(services, Date.now()), { catalogId })
    const client = await database.pool.connect()
    try {
      for (const statement of further)
        await client.query(statement, statement.includes('$1') ? [PRODUCTS - products.length] : [])
    } finally {
      client.release()
    }
    await publishRelease(contextOf(services, Date.now()), { catalogId })
  } finally {
    await database.close()
  }
}

describe.runIf(samples)('/explore on 4,584 categories with 30,000 products [needs sample data]', () => {
  let explore: Explore
  let tree: CategoryTree
  const latest = async (fields: string): Promise<Answer> =>
    (await explore.ask(`query Expected @inContext(currency: "USD") { storefront { latestRelease { ${fields} } } }`))
      .storefront.latestRelease
  const productsOf = (args: string): Promise<Answer> =>
    latest(`products(first: ${PAGE}, groupVariants: true, ${args}) { totalCount nodes { ${listed} } }`)
  const total = async (page: Page): Promise<string | undefined> => (await texts(page, '.pages [role=status]'))[0]
  const open = async (query: string): Promise<Page> => explore.open(`?currency=USD${query}`)

  beforeAll(async () => {
    tree = readCategoryTree(join(samples ?? '', 'categories.json.gz'))
    explore = await startExplore((dataDir) => fillStore(dataDir, tree))
  })

  afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

  afterAll(() => explore?.stop())

  test('the first view of 4,584 categories has the hierarchies and the first page of all products', async () => {
    const page = await open('')
    const { menu, products } = await latest(
      `menu(depth: 1) { node { name } } products(first: ${PAGE}, groupVariants: true) { totalCount nodes { ${listed} } }`,
    )
    expect(products.totalCount).toBe(PRODUCTS)
    expect(await total(page)).toBe('30,000 products')
    expect(await texts(page, '.menu a')).toEqual(menu.map(({ node }: Answer) => node.name))
    expect(await cards(page)).toEqual(linesOf(products.nodes))
    await explore.inspect(page, 'large')
  })

  test('the tree of 4,584 categories opens branch by branch down to the deepest one, whose products are shown', async () => {
    const deepest = [...tree.nodes.values()]
      .map(wayTo)
      .reduce((found, way) => (way.length > found.length ? way : found))
    expect(deepest.length).toBeGreaterThan(4)
    const page = await open('')
    const path: string[] = []
    let menu = page.locator('nav.side .menu').first()
    for (const [depth, { id }] of deepest.entries()) {
      const slug = `c-${id}`
      const above =
        path.length > 0
          ? `node(by: { path: ${JSON.stringify(path)} }) { menu(depth: 1) { node { name slug } } }`
          : 'menu(depth: 1) { node { name slug } }'
      const answer = await latest(above)
      const entries: { node: { name: string; slug: string } }[] = answer.menu ?? answer.node.menu
      await expect
        .poll(() => menu.locator('> li > .entry a').allTextContents())
        .toEqual(entries.map(({ node }) => node.name))
      path.push(slug)
      const entry = menu.locator('> li').nth(entries.findIndex(({ node }) => node.slug === slug))
      if (depth === deepest.length - 1) await entry.locator('a').click()
      else {
        await entry.locator('> .entry .toggle').click()
        menu = entry.locator('> div > .menu')
      }
    }
    await expect.poll(() => page.locator('main h1').textContent()).toBe(deepest.at(-1)?.name)
    await settle(page)
    const { node } = await latest(
      `node(by: { path: ${JSON.stringify(path)} }) { products(first: ${PAGE}, groupVariants: true) { totalCount nodes { ${listed} } } }`,
    )
    expect(node.products.totalCount).toBeGreaterThan(5)
    await expect.poll(() => cards(page)).toEqual(linesOf(node.products.nodes))
    await explore.inspect(page, 'large-deep')
    // A reload opens the tree as far as the category.
    await page.reload()
    await expect.poll(() => texts(page, '.menu [aria-current]')).toEqual([deepest.at(-1)?.name])
  })

  test('search, filters and pages show what the graph lists, as far as pages go', async () => {
    const page = await open('')
    await page.getByLabel('Search').fill('table')
    await page.getByLabel('Search').press('Enter')
    await expect.poll(() => page.url()).toContain('q=table')
    await settle(page)
    const { products: found } = await productsOf('filter: { search: "table" }')
    expect(found.totalCount).toBeGreaterThan(PAGE)
    await expect.poll(() => total(page)).toBe(`${found.totalCount.toLocaleString('en-US')} products`)
    await expect.poll(() => cards(page)).toEqual(linesOf(found.nodes))
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => page.url()).toContain('page=2')
    const second = linesOf((await productsOf(`offset: ${PAGE}, filter: { search: "table" }`)).products.nodes)
    await expect.poll(() => cards(page)).toEqual(second)
    await explore.inspect(page, 'large-search')
    const sale = await open('&sale=1&order=price&tags=shelf-7')
    const { products } = await productsOf(
      'filter: { onSale: true, tags: { in: ["shelf-7"] } }, orderBy: { field: PRICE }',
    )
    expect(products.nodes[0].price.sale.name).toBe('Season')
    expect(await cards(sale)).toEqual(linesOf(products.nodes))
    const last = await open('&page=417')
    expect(await last.getByRole('link', { name: 'Next' }).count()).toBe(0)
    expect(await cards(last)).toEqual(linesOf((await productsOf(`offset: ${416 * PAGE}`)).products.nodes))
  })

  test('the difference of two releases goes on for 30,000 products, page after page', async () => {
    const { catalog } = await explore.ask(
      `query Releases($id: ID!) { catalog(id: $id) { releases(first: 2) { nodes { id productCount } } } }`,
      { id: catalogId },
    )
    const [newest, before] = catalog.releases.nodes
    const page = await open(`&view=releases`)
    expect(await texts(page, '.releases .count')).toEqual(
      expect.arrayContaining([newest, before].map(({ productCount }: Answer) => String(productCount))),
    )
    await page.getByRole('link', { name: 'with the one before' }).first().click()
    await settle(page)
    const changes = async (args: string): Promise<Answer> =>
      (
        await explore.ask(
          `query Changes($id: ID!, $to: ID!, $from: ID!) { catalog(id: $id) { release(id: $to) { changesSince(releaseId: $from, first: 100,
        orderBy: { field: RELATIVE_PRICE_DIFFERENCE, direction: DESC, currency: "USD" } ${args}) {
        totalCount pageInfo { endCursor } nodes { after { name } } } } } }`,
          { id: catalogId, to: newest.id, from: before.id },
        )
      ).catalog.release.changesSince
    const first = await changes('')
    expect(first.totalCount).toBeGreaterThan(20_000)
    const shown = () => texts(page, '.changes td:nth-child(3)')
    const namesOf = ({ nodes }: Answer): string[] =>
      nodes.map(({ after }: Answer) => after.name.replaceAll(/\s+/g, ' ').trim())
    await expect.poll(shown).toEqual(namesOf(first))
    await page.getByRole('link', { name: 'Next' }).click()
    const next = namesOf(await changes(`, after: "${first.pageInfo.endCursor}"`))
    await expect.poll(shown).toEqual(next)
    // The page stands in the address, and says what it is sorted by.
    await page.reload()
    await expect.poll(shown).toEqual(next)
    expect((await texts(page, '.difference .pages [role=status]'))[0]).toBe(
      `101 to 200 of ${first.totalCount.toLocaleString('en')} changes`,
    )
    await explore.inspect(page, 'large-difference')
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect.poll(shown).toEqual(namesOf(first))
  })

  test('no page logged an error or sent a request to another origin', () => {
    expect(explore.browser.complaints).toEqual([])
    expect([...new Set(explore.browser.requests.map((url) => new URL(url).hostname))]).toEqual(['127.0.0.1'])
  })
})
