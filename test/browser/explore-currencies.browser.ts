/**
 * Amounts in /explore: currencies with other decimals than two, prices that there are not, and texts that are written
 * from right to left.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const open: Explore['open'] = (query) => explore.open(query)

/** A text that turns around what follows it, until it ends. */
const turned = 'Sale \u202E'
const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
let ownCatalog = ''

beforeAll(async () => {
  explore = await startExplore(undefined, { DEFAULT_CURRENCY: 'JPY' })
  const { act } = explore
  const product = async (sku: string): Promise<string> => {
    const input = { name: `Kettle ${sku}`, sku, slug: sku, status: 'LIVE', commodityType: 'PHYSICAL' }
    return (await act('createProduct', 'CreateProductInput', input, 'product { id }')).product.id
  }
  const priced = async (
    sku: string,
    amounts: Record<string, number>,
    sales: readonly unknown[] = [],
  ): Promise<void> => {
    const prices = Object.entries(amounts).map(([currency, amount]) => ({ currency, price: { amount } }))
    await act('addProductPrice', 'AddProductPriceInput', {
      priceBookId: 'c0ffee00-0001-4000-8000-000000000001',
      sku,
      prices,
      sales,
    })
  }
  const productIds = [await product('cheap'), await product('dear')]
  const schedule = { validFrom: '2020-01-01T00:00:00Z', validTo: '2060-01-01T00:00:00Z' }
  await priced('cheap', { EUR: 2_345, JPY: 15, IQD: 1_500, HUF: 1_500 }, [
    { name: turned, schedule, prices: [{ currency: 'EUR', price: { amount: 1234 } }] },
  ])
  await priced('dear', { JPY: 1_500, IQD: 1_500_000, HUF: 150_000 })
  const parentId = 'c0ffee00-0007-4000-8000-000000000001'
  await act('createNode', 'CreateNodeInput', { parentId, name: 'Kettles', slug: 'kettles', productIds })
  await act('publishRelease', 'PublishReleaseInput', { catalogId })
  const { hierarchy } = await act(
    'createHierarchy',
    'CreateHierarchyInput',
    { name: 'Small', slug: 'small' },
    'hierarchy { id }',
  )
  await act('createNode', 'CreateNodeInput', {
    parentId: hierarchy.id,
    name: 'One',
    slug: 'one',
    productIds: productIds.slice(1),
  })
  const catalog = { name: 'Small', hierarchyIds: [hierarchy.id], priceBooks: [] }
  ownCatalog = (await act('createCatalog', 'CreateCatalogInput', catalog, 'catalog { id }')).catalog.id
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

describe('prices are narrowed in the decimals of their currency', () => {
  test.each([
    ['that the server has by default, without any', '', '10', '20', '¥15'],
    ['with three, of which a browser knows none', 'currency=IQD&', '1', '2', 'IQD 1.500'],
    ['with two, of which a browser knows none', 'currency=HUF&', '10', '20', 'HUF 15.00'],
  ])('prices are narrowed in the decimals of their currency: %s', async (_, currency, min, max, price) => {
    const page = await open(`?${currency}path=coffee/kettles`)
    expect(await page.locator('.card').count()).toBe(2)
    await page.getByLabel('Lowest price').fill(min)
    await page.getByLabel('Lowest price').press('Enter')
    await page.getByLabel('Highest price').fill(max)
    await page.getByLabel('Highest price').press('Enter')
    await expect.poll(() => texts(page, '.card .name')).toEqual(['Kettle cheap'])
    const shown = async (on = page): Promise<string> => (await texts(on, '.card b')).join().replaceAll('\u00A0', ' ')
    expect(await shown()).toBe(price)
    const again = await open(new URL(page.url()).search)
    expect(await shown(again)).toBe(price)
  })
})

test('the axis of a chart has the decimals of the currency', async () => {
  const page = await open('?currency=HUF&product=dear')
  await page.locator('.chart canvas').waitFor()
  const box = await page.locator('.chart .u-over').boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 60)
  await expect.poll(async () => (await texts(page, '.chart .u-value'))[1]?.replace('\u00A0', ' ')).toBe('HUF 1,500.00')
})

test('a product without a price in the currency says so', async () => {
  const page = await open('?currency=GBP&product=dear')
  expect(await texts(page, 'main > .soft, main div > .soft')).toEqual(['It has no price in this currency.'])
})

test('the dry run of a release of one product counts it as one', async () => {
  await explore.act('publishRelease', 'PublishReleaseInput', { catalogId: ownCatalog })
  const page = await open(`?view=releases&catalog=${ownCatalog}&from=latest&to=draft`)
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await page.getByText('It would show 1 product in 2 categories, with 0 warnings.').waitFor()
})

test('a text that is written from right to left turns no amount around', async () => {
  /** Whether the characters of an amount stand from left to right. */
  const inOrder = `(text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const lefts = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = node.data.indexOf(text); at >= 0; at = node.data.indexOf(text, at + 1)) {
        const range = document.createRange()
        const left = (index) => { range.setStart(node, index); range.setEnd(node, index + 1); return range.getBoundingClientRect().left }
        lefts.push(left(at) < left(at + text.length - 1))
      }
    return lefts
  }`
  const page = await open('?currency=EUR&product=cheap')
  const product = await page.evaluate(`(${inOrder})('€12.34')`)
  expect((product as boolean[]).length).toBeGreaterThan(2)
  expect(product).not.toContain(false)
})

test('no page logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
