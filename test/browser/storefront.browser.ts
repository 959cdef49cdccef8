/** A storefront of one page on the demo store: what it shows equals what the graph answers a shopper. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type Storefront, startStorefront } from '../support/storefront.ts'

let shop: Storefront
let browser: Browser

beforeAll(async () => {
  shop = await startStorefront()
  browser = await openBrowser()
})

afterEach(async ({ task }) => browser?.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Answer = any

const latest: Storefront['latest'] = (...asked) => shop.latest(...asked)
const paid = 'price { amount { formatted } sale { name } }'
const listed = `totalCount nodes { name ${paid} priceRange { min { amount formatted } max { amount } } }`

/** A list's lines as cards show them. */
const linesOf = ({ nodes }: Answer): Answer[] =>
  nodes.map(({ name, price, priceRange }: Answer) =>
    priceRange.min.amount === priceRange.max.amount
      ? [name, price.amount.formatted, price.sale?.name ?? null]
      : [name, priceRange.min.formatted, null],
  )

async function listOf(path: readonly string[], variables: Record<string, unknown>): Promise<Answer> {
  const declared = '($path: [String!]!, $first: Int, $filter: CatalogProductFilter, $orderBy: CatalogProductOrderInput)'
  const products = `products(first: $first, filter: $filter, orderBy: $orderBy, groupVariants: true)`
  const facets = 'facets(keys: [{ tags: true }, { onSale: true }]) { values { value label count } }'
  const { node } = await latest(`node(by: { path: $path }) { ${products} { ${listed} ${facets} } }`, { path, ...variables }, declared)
  return node.products
}

const cards = (page: Page): Promise<unknown> =>
  page
    .locator('.product')
    .evaluateAll((links) => links.map((link) => ['.name', '.amount', '.sale'].map((part) => link.querySelector(part)?.textContent ?? null)))
const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents()
const text = async (page: Page, selector: string): Promise<string | undefined> => (await texts(page, selector))[0]

async function open(path: string): Promise<Page> {
  const page = await browser.open()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${shop.url}/#${path}`)
  await page.locator('main[data-shown]').waitFor()
  return page
}

/** Screenshots on a screen and on a phone, where nothing is wider than the screen. */
async function shoot(page: Page, name: string): Promise<void> {
  await browser.shoot(page, `storefront-${name}`)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await browser.shoot(page, `storefront-${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('its documents and the code that uses their results compile against schema.graphql', async () => {
  expect(await shop.compile()).toEqual([])
})

describe('a category', () => {
  test('shows the menu, and products with prices and sales, six at a time', async () => {
    const page = await open('/category/Coffee/Single-Origin')
    const { menu } = await latest('menu(depth: 2) { node { name } }')
    expect(await texts(page, 'nav a')).toEqual(menu.map(({ node }: Answer) => node.name))
    expect(await text(page, 'nav [aria-current]')).toBe('Single Origin')
    const expected = linesOf(await listOf(['Coffee', 'Single-Origin'], {}))
    expect(expected).toHaveLength(11)
    expect(await cards(page)).toEqual(expected.slice(0, 6))
    expect(expected).toContainEqual(['Ethiopia Yirgacheffe', '€12.51', 'Harvest festival'])
    await shoot(page, 'category')
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect.poll(() => cards(page)).toEqual(expected)
    expect(await page.getByRole('button', { name: 'Load more' }).isVisible()).toBe(false)
  })

  test('is narrowed by facets and a range of prices, and ordered', async () => {
    const page = await open('/category/Coffee')
    const facets = async (): Promise<string[]> => (await texts(page, '.filters label')).map((label) => label.replaceAll(/\s+/g, ' ').trim())
    const counted = ({ facets: [tags, onSale] }: Answer): string[] =>
      [
        ...tags.values,
        ...onSale.values.filter(({ value }: Answer) => value === 'true').map((value: Answer) => ({ ...value, label: 'on sale' })),
      ]
        .filter(({ count }: Answer) => count > 0)
        .map(({ label, count }: Answer) => `${label} ${count}`)
    expect(await facets()).toEqual(counted(await listOf(['Coffee'], {})))
    await page.locator('input[value="washed"]').check()
    const washed = { tags: { in: ['washed'] } }
    const byTag = await listOf(['Coffee'], { filter: washed })
    await expect.poll(() => text(page, '.count')).toBe(`${byTag.totalCount} products`)
    expect(await facets()).toEqual(counted(byTag))
    await page.getByLabel('Highest price').fill('13')
    await page.getByLabel('Highest price').blur()
    const filter = { ...washed, price: { max: 1300 } }
    const inRange = await listOf(['Coffee'], { filter })
    expect(inRange.totalCount).toBeGreaterThan(1)
    expect(inRange.totalCount).toBeLessThan(byTag.totalCount)
    await expect.poll(() => text(page, '.count')).toBe(`${inRange.totalCount} products`)
    await page.getByLabel('Order').selectOption('Price, highest first')
    const ordered = await listOf(['Coffee'], { filter, orderBy: { field: 'PRICE', direction: 'DESC' } })
    await expect.poll(() => cards(page)).toEqual(linesOf(ordered).slice(0, 6))
    await shoot(page, 'filtered')
  })

  test('an address of no category shows that there is none', async () => {
    expect(await text(await open('/category/Tea'), '.error')).toBe('There is no such category.')
  })
})

test('a search finds a misspelt word in the whole shop', async () => {
  const page = await open('')
  await page.getByRole('searchbox').fill('expreso')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('heading', { name: '“expreso”' }).waitFor()
  const { products } = await latest(`products(filter: { search: "expreso" }, groupVariants: true) { ${listed} }`)
  expect(await text(page, '.count')).toBe(`${products.totalCount} products`)
  expect(await cards(page)).toEqual(linesOf(products).slice(0, 6))
  await shoot(page, 'search')
})

test('a product shows its price, its sale and what more of it cost', async () => {
  const page = await open('/product/Ethiopia-Yirgacheffe')
  const { product } = await latest(`product(by: { sku: "ETH-YIRG" }) { name
    price { amount { formatted } originalAmount { formatted } sale { name } tiers { minimumQuantity price { formatted } } } }`)
  const { amount, originalAmount, sale, tiers } = product.price
  expect(await texts(page, 'h1, .amount, s, .sale')).toEqual([product.name, amount.formatted, originalAmount.formatted, sale.name])
  expect(tiers).toHaveLength(2)
  expect(await text(page, '.tiers')).toBe(
    tiers.map(({ minimumQuantity, price }: Answer) => `${price.formatted} each from ${minimumQuantity} on`).join(', '),
  )
  expect(await texts(page, '.crumbs a')).toEqual(['Coffee', 'Single Origin', 'Africa', 'Ethiopia'])
  await shoot(page, 'product')
})

test('a product with variants shows the variant of the chosen options, and the plans that it can be subscribed to under', async () => {
  const page = await open('/product/House-Espresso')
  const { product } = await latest(`product(by: { sku: "ESP-HOUSE" }) { priceRange { min { formatted } max { formatted } } }`)
  expect(await text(page, '.variant .amount')).toBe(`${product.priceRange.min.formatted} – ${product.priceRange.max.formatted}`)
  await page.getByLabel('100 g sample').check()
  await page.getByLabel('Whole bean').check()
  await expect.poll(() => text(page, '.variant .sku')).toBe('ESP-HOUSE-100-B')
  expect(await texts(page, '.plans td .amount')).toEqual([])
  await page.getByLabel('1 kg').check()
  await expect.poll(() => text(page, '.variant .sku')).toBe('ESP-HOUSE-1000-B')
  const { product: kilo } = await latest(`product(by: { sku: "ESP-HOUSE-1000-B" }) { ${paid}
    subscriptionProducts { id name } }`)
  expect(await text(page, '.variant .amount')).toBe(kilo.price.amount.formatted)
  await expect.poll(() => text(page, '.plans h2')).toBe(`Subscribe: ${kilo.subscriptionProducts[0].name}`)
  expect((await texts(page, '.plans td:last-child')).map((cell) => cell.trim())).toEqual(['€41.90 per month', '€452.52 per year'])
  await shoot(page, 'variants')
})

test('a bundle is configured: its price follows each choice, and an unfinished one shows its issues', async () => {
  const page = await open('/product/Pour-Over-Starter-Set')
  const fields = '{ valid issues { message } price { amount { formatted } } selectedOptions { component options { product { id } } } }'
  const configured = async (selection?: Answer): Promise<Answer> => {
    const configuration = `product(by: { sku: "SET-POUR" }) { bundleConfiguration(selection: $selection) ${fields} }`
    return (await latest(configuration, { selection }, '($selection: [ComponentSelectionInput!])')).product.bundleConfiguration
  }
  const start = (await latest(`product(by: { sku: "SET-POUR" }) { bundleConfiguration ${fields} }`)).product.bundleConfiguration
  expect(await text(page, '.outcome .amount')).toBe(start.price.amount.formatted)
  const selection: Answer[] = start.selectedOptions.map(({ component, options }: Answer) => ({
    component,
    options: options.map(({ product }: Answer) => ({ productId: product.id })),
  }))
  await shoot(page, 'bundle')
  await page.getByLabel('Glass Carafe 600').uncheck()
  const without = selection.filter(({ component }) => component !== 'carafe')
  const cheaper = await configured(without)
  expect(cheaper.price.amount.formatted).not.toBe(start.price.amount.formatted)
  await expect.poll(() => text(page, '.outcome .amount')).toBe(cheaper.price.amount.formatted)
  await page.getByLabel('Ceramic Dripper').uncheck()
  const unfinished = await configured(without.filter(({ component }) => component !== 'dripper'))
  expect([unfinished.valid, unfinished.issues.length]).toEqual([false, 1])
  await expect.poll(() => texts(page, '.issues li')).toEqual(unfinished.issues.map(({ message }: Answer) => message))
  expect(await text(page, '.outcome .amount')).toBeUndefined()
  await shoot(page, 'bundle-unfinished')

  await page.getByLabel('Ceramic Dripper').check()
  await expect.poll(() => text(page, '.outcome .amount')).toBe(cheaper.price.amount.formatted)
})

test('no page logged an error, and each request went to the shop or the graph', () => {
  expect(browser.complaints).toEqual([])
  const paths = new Set(browser.requests.map((url) => url.replace(shop.url, 'shop').replace(shop.graph, 'graph').replace(/#.*/, '')))
  expect([...paths].sort()).toEqual(['graph/graphql', 'graph/oauth/access_token', 'shop/', 'shop/main.js', 'shop/style.css'])
})
