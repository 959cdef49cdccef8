/** A campaign in /explore: what it previews, writes, takes back and publishes is what the graph says. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const book = 'c0ffee00-0001-4000-8000-000000000001'
/** The days of a campaign in this year: sales of one price never run at once. */
const daysOf = (year: number) => ({ from: `${year}-11-28`, to: `${year}-12-01` })

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

/** Fills the form in, and previews 20 % off in the category Single Origin. */
async function preview(name: string, { from, to }: { from: string; to: string }): Promise<Page> {
  const page = await explore.open('?view=campaign')
  await page.locator('[name=node]').selectOption({ label: 'Single Origin' })
  await page.getByLabel('Name of the sale').fill(name)
  await page.locator('[name=percent]').fill('20')
  await page.getByLabel('First day').fill(from)
  await page.getByLabel('Last day').fill(to)
  await page.getByRole('button', { name: 'Preview' }).click()
  return page
}

/** The SKUs of the book that have a sale of the name. */
async function skusOf(name: string): Promise<string[]> {
  const query = 'query Sales($id: ID!) { priceBook(id: $id) { prices(first: 100) { nodes { sku sales { name } } } } }'
  const { nodes } = (await explore.ask(query, { id: book })).priceBook.prices
  return nodes
    .filter(({ sales }: Answer) => sales.some((one: Answer) => one.name === name))
    .map(({ sku }: Answer) => sku)
}

test('a campaign shows each price before it is written, leaves out what is not wanted, and is published from its page', async () => {
  const page = await preview('Long weekend', daysOf(2031))
  const row = page.getByRole('row', { name: /SUM-MANDH/ })
  await row.waitFor()
  expect(await row.locator('.price').allTextContents()).toEqual(['€10.32 €12.90', '£8.96 £11.20', '$10.80 $13.50'])
  expect(await page.locator('.preview tbody tr').count()).toBe(10)
  expect(await texts(page, '.failed li')).toEqual([
    'sale "Always a little less" needs a schedule, since it is not the only sale: BRA-CERRADO',
  ])
  expect(await skusOf('Long weekend')).toEqual([])
  await explore.inspect(page, 'campaign')
  await page.getByLabel('With PER-CAJA').uncheck()
  await page.getByRole('button', { name: 'Put the sale on 9 prices' }).click()
  await page.getByText('The sale Long weekend is on 9 prices.').waitFor()
  const written = await skusOf('Long weekend')
  expect(written).toHaveLength(9)
  expect(written).toContain('SUM-MANDH')
  expect(written).not.toContain('PER-CAJA')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText(/^Release \d+ is published\.$/).waitFor()
  await page.getByRole('link', { name: /Look at the sale/ }).click()
  await expect.poll(() => texts(page, '.card .sale')).toContain('Long weekend')
  const { product } = await explore.latest(
    'product(by: { sku: "SUM-MANDH" }) { price { amount { formatted } sale { name } } }',
    'at: "2031-11-28T12:00:00Z"',
  )
  expect(product.price).toEqual({ amount: { formatted: '€10.32' }, sale: { name: 'Long weekend' } })
})

test('a campaign that was just written is taken back from the prices that got it', async () => {
  const page = await preview('Regretted', daysOf(2032))
  await page.getByRole('button', { name: /^Put the sale on/ }).click()
  await page.getByText('The sale Regretted is on').waitFor()
  expect(await skusOf('Regretted')).toHaveLength(10)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The sale Regretted is taken away again from 10 prices.').waitFor()
  expect(await skusOf('Regretted')).toEqual([])
})

test('a campaign whose last day is before its first says so beside the days, and writes nothing', async () => {
  const page = await preview('Backwards', { from: '2033-11-28', to: '2033-11-27' })
  const step = page.getByRole('group', { name: '3. When' })
  await step.getByRole('alert').waitFor()
  expect(await step.getByRole('alert').textContent()).toBe('to: must not be before from')
  expect(await page.locator('.preview').count()).toBe(0)
  expect(await skusOf('Backwards')).toEqual([])
})

test('a price that changed after the preview is refused with its SKU, and nothing is written', async () => {
  const page = await preview('Late', daysOf(2034))
  await page.locator('.preview').waitFor()
  const query = 'query One($id: ID!) { priceBook(id: $id) { price(sku: "SUM-MANDH") { id } } }'
  const { id } = (await explore.ask(query, { id: book })).priceBook.price
  await explore.act('updateProductPrice', 'UpdateProductPriceInput', { id, externalRef: 'changed-meanwhile' })
  await page.getByRole('button', { name: /^Put the sale on/ }).click()
  await expect.poll(() => texts(page, 'main .failed')).toContainEqual(expect.stringContaining('SUM-MANDH'))
  expect(await skusOf('Late')).toEqual([])
})

test('no page of campaigns logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
