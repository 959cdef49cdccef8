/** The history in /explore: who wrote what, in words that people read. */
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Answer, type Explore, settle, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const EDITED = 'c0ffee00-0002-4000-8000-000000000002'
const RETAIL = 'c0ffee00-0001-4000-8000-000000000001'
const BUNDLE = 'c0ffee00-0002-4000-8000-000000000057'

/** The rows of an entry, such as `name: before → after`, with the lines of each cell parted by `; `. */
async function linesOf(entry: Locator): Promise<string[]> {
  const rows = await entry.locator('tbody tr').all()
  const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()))
  return cells.map(([member, ...sides]) =>
    `${member}: ${sides.join(' → ')}`.replaceAll('\n', '; ').replaceAll('\u00a0', ' '),
  )
}

/** The rows of the latest entry of a kind, which is opened, with those that were written within a second of it. */
async function latest(topic: string): Promise<() => Promise<string[]>> {
  const page = await explore.open(`?view=history&topic=${topic}`)
  const group = page.locator('main .written').first()
  if (await group.evaluate((one) => one.matches('.together'))) await group.locator('> summary').click()
  const entry = page.locator('.written:not(.together)').first()
  await entry.locator('summary').click()
  return () => linesOf(entry)
}

test('the history tells who changed which members, from what to what, and leads to all writes of the record', async () => {
  const { product } = await explore.act(
    'updateProduct',
    'UpdateProductInput',
    { id: EDITED, name: 'Ethiopia Guji' },
    'product { id }',
  )
  const page = await explore.open('?view=history&topic=PRODUCT')
  const entry = page.locator('.written').first()
  await expect.poll(() => entry.locator('summary').textContent()).toMatch(/changed product Ethiopia Guji name/)
  await entry.locator('summary').click()
  await expect.poll(() => linesOf(entry)).toEqual(['name: Ethiopia Guji Natural → Ethiopia Guji'])
  await explore.inspect(page, 'history')
  await entry.getByRole('link', { name: 'All writes of it' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('record')).toBe(product.id)
  await settle(page)
  const kinds = await texts(page, '.written summary')
  expect(kinds).toHaveLength(2)
  expect(kinds[1]).toMatch(/import created product/)
})

test('a history without an entry says so, and the choice of a kind is in the address', async () => {
  const page = await explore.open('?view=history&subject=nobody')
  await page.getByText('Nothing was written that fits.').waitFor()
  await page.getByLabel('What').selectOption({ label: 'Webhooks' })
  await expect.poll(() => new URL(page.url()).searchParams.get('topic')).toBe('WEBHOOK')
})

test('what one operation wrote to many records stands together in the history, by its day and in words', async () => {
  const { addSales } = await explore.ask(
    'mutation Many($input: AddSalesInput!) { addSales(input: $input) { campaign { changedCount } userErrors { message } } }',
    {
      input: {
        priceBookId: 'c0ffee00-0001-4000-8000-000000000001',
        name: 'Together',
        skus: ['SUM-MANDH', 'COL-HUILA'],
        change: { percentOff: 10 },
        schedule: { validOn: { from: '2033-01-01', to: '2033-01-02' } },
      },
    },
  )
  expect(addSales).toEqual({ campaign: { changedCount: 2 }, userErrors: [] })
  const page = await explore.open('?view=history&topic=PRODUCT_PRICE')
  const today = new Date().toLocaleDateString('en-US', { dateStyle: 'full' })
  expect((await texts(page, '.day h2'))[0]).toBe(today)
  const [together = ''] = await texts(page, '.together > summary')
  expect(together).toMatch(/changed 2 product prices: (SUM-MANDH, COL-HUILA|COL-HUILA, SUM-MANDH) sales$/)
})

test('a list of writes that ends within an operation says that this wrote more, until all of it is listed', async () => {
  const query = '{ history(filter: { topic: PRODUCT_PRICE }, first: 100) { totalCount nodes { operation } } }'
  const { history } = await explore.ask(query)
  const imported = history.nodes.slice(0, 25).filter(({ operation }: Answer) => operation === 'import').length
  const page = await explore.open('?view=history&topic=PRODUCT_PRICE')
  const last = async () => (await texts(page, '.together > summary')).at(-1)
  expect(await last()).toMatch(new RegExp(`created at least ${imported} product prices: .* and more$`))
  expect(await texts(page, '.more')).toEqual([`The last 25 of ${history.totalCount} writes More`])
  await page.getByRole('button', { name: 'More' }).click()
  await expect.poll(last).toMatch(new RegExp(`created ${history.totalCount - 2} product prices: .* and \\d+ more$`))
  expect(await page.locator('.more').count()).toBe(0)
})

test('the history names the catalogs of releases', async () => {
  const page = await explore.open('?view=history&topic=RELEASE')
  await expect.poll(() => texts(page, '.written summary bdi')).toContain('no. 1 of Members')
})

test('the history names who has a subscription that was changed', async () => {
  await explore.act('pauseSubscription', 'PauseSubscriptionInput', { id: demoIds.subscription })
  const page = await explore.open('?view=history&topic=SUBSCRIPTION')
  await expect
    .poll(async () => (await texts(page, '.written summary'))[0])
    .toMatch(/ changed subscription of Grace Hopper what is agreed/)
  await explore.act('resumeSubscription', 'ResumeSubscriptionInput', { id: demoIds.subscription })
})

test('what is agreed with a subscriber stands in the history as products, amounts, dates and names of plans', async () => {
  const { node } = await explore.ask(
    `query Agreed($id: ID!) { node(id: $id) { ... on AccountSubscription {
      id items { productId name sku unitAmount { formatted } } offering { current { plans(first: 9) { nodes { id name } } } }
    } } }`,
    { id: (await explore.ask('{ subscriptions(first: 1) { nodes { id } } }')).subscriptions.nodes[0].id },
  )
  const [item] = node.items
  const change = { id: node.id, items: [{ productId: item.productId, quantity: 3 }], proration: 'NONE' }
  await explore.act('changeSubscription', 'ChangeSubscriptionInput', { ...change, at: { moment: 'PERIOD_END' } })
  const first = await latest('SUBSCRIPTION')
  const day = '[A-Z][a-z]{2}, [A-Z][a-z]{2} \\d+, \\d{4}, \\d+:\\d\\d [AP]M \\S+'
  // As before are the pause and the resume of the last test.
  const product = `3 × ${item.name} (${item.sku}) at ${item.unitAmount.formatted} without tax`
  await expect
    .poll(async () => (await first())[0])
    .toMatch(
      new RegExp(
        `^what is agreed, changes; 2 more as before: none → change; asked for: ${day}; from: ${day}; products:; ` +
          `${product.replaceAll(/[$().]/g, '\\$&')}; what is left of the paid period: stays paid$`,
      ),
    )
  const gift = node.offering.current.plans.nodes.find(({ name }: Answer) => name === 'A year as a gift')
  const input = { id: node.id, planId: gift.id, at: { moment: 'NOW' }, replace: true }
  await explore.act('changeSubscription', 'ChangeSubscriptionInput', input)
  const second = await latest('SUBSCRIPTION')
  await expect.poll(async () => (await second()).join()).toMatch(/; plan: A year as a gift/)
})

test('prices stand in the history by currency with their tiers, and sales with the names of their bundles', async () => {
  const tiers = [{ name: 'Sack', minimumQuantity: 10, amount: 400 }]
  const euros = { currency: 'EUR', price: { amount: 500, includesTax: true, tiers } }
  const prices = [euros, { currency: 'IQD', price: { amount: 1500 } }, { currency: 'JPY', price: { amount: 1200 } }]
  const { productPrice } = await explore.act(
    'addProductPrice',
    'AddProductPriceInput',
    { priceBookId: RETAIL, sku: 'READ-1', prices },
    'productPrice { id }',
  )
  const created = await latest('PRODUCT_PRICE')
  await expect
    .poll(created)
    .toEqual([
      expect.stringMatching(/^created at: /),
      'prices: EUR: €5.00 with tax; from 10: €4.00 Sack; IQD: IQD 1.500 without tax; JPY: ¥1,200 without tax',
      'price book: Retail',
      'sku: READ-1',
    ])
  const changed = { id: productPrice.id, prices: [{ ...euros, price: { ...euros.price, amount: 480 } }] }
  await explore.act('updateProductPrice', 'UpdateProductPriceInput', changed)
  const updated = await latest('PRODUCT_PRICE')
  await expect
    .poll(updated)
    .toContain('prices, EUR: €5.00 with tax; from 10: €4.00 Sack → €4.80 with tax; from 10: €4.00 Sack')
  await explore.act('addSale', 'AddSaleInput', {
    ...{ productPriceId: productPrice.id, name: 'In the set', bundleIds: [BUNDLE] },
    prices: [{ currency: 'EUR', price: { amount: 450, includesTax: true } }],
  })
  const reduced = await latest('PRODUCT_PRICE')
  await expect
    .poll(reduced)
    .toEqual(['sales: none → In the set; in bundles: Pour-Over Starter Set; prices:; EUR: €4.50 with tax'])
})

test('no entry of any kind shows JSON, or the id of what has a name', async () => {
  const names = [{ name: 'Size', options: [{ name: 'Small' }, { name: 'Large' }] }]
  const { product } = await explore.act(
    'createProduct',
    'CreateProductInput',
    { name: 'Mug', variations: names },
    'product { id variations { options { key } } }',
  )
  const [small] = product.variations[0].options
  const excluded = { id: product.id, buildRules: { default: 'INCLUDE', exclude: [[small.key]] } }
  await explore.act('updateProduct', 'UpdateProductInput', excluded)
  await explore.act('createProduct', 'CreateProductInput', {
    ...{ name: 'Small mug', parentId: product.id, optionKeys: [small.key] },
    locales: [{ language: 'de', name: 'Kleine Tasse' }],
  })
  const child = await latest('PRODUCT')
  await expect
    .poll(child)
    .toEqual(expect.arrayContaining(['options: Small', 'parent: Mug', 'texts: German (de):; name: Kleine Tasse']))
  await explore.act('createWebhook', 'CreateWebhookInput', { url: 'https://example.com/hook', topics: ['PRODUCT'] })
  for (const topic of [
    '',
    'PRODUCT',
    'PRICE_MODIFIER',
    'CATALOG',
    'CATALOG_NODE',
    'CATALOG_RULE',
    'RELEASE',
    'PLAN',
    'OFFERING',
    'WEBHOOK',
  ]) {
    const page = await explore.open(`?view=history${topic && `&topic=${topic}`}`)
    for (const summary of await page.locator('.together > summary').all()) await summary.click()
    const entries = page.locator('.written:not(.together)')
    const shown = (await entries.locator('summary').all()).slice(0, 4)
    for (const summary of shown) await summary.click()
    await expect.poll(() => page.locator('.written[open]:not(.together) table').count()).toBe(shown.length)
    // Pictures have no names.
    const cells = page.locator('.written tbody tr:not(:has(th:text-matches("^(files|main image)$"))) td')
    await expect
      .poll(
        async () => (await cells.allInnerTexts()).filter((text) => /[{}"[\]]|[0-9a-f]{8}-[0-9a-f]{4}-/.test(text)),
        {
          message: topic,
        },
      )
      .toEqual([])
  }
})

test('no page logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
