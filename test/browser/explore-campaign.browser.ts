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

/** Fills the form in, and previews a percentage off in the category Single Origin. */
async function preview(name: string, { from, to }: { from: string; to: string }, percent = '20'): Promise<Page> {
  const page = await explore.open('?view=campaign')
  await page.locator('[name=node]').selectOption({ label: 'Single Origin' })
  await page.getByLabel('Name of the sale').fill(name)
  await page.locator('[name=percent]').fill(percent)
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
    'sale "Always a little less" needs a schedule, since it is not the only sale: BRA-CERRADO' +
      'That sale has no days, so it holds always, and no other can stand beside it. ' +
      'Open the product and give the sale a day there, or take it away. Then preview again.',
  ])
  const refused = await page.getByRole('link', { name: 'BRA-CERRADO' }).getAttribute('href')
  expect(refused).toBe('/explore?product=brazil-cerrado')
  const endless = await preview('Endless', { from: '', to: '' })
  await expect
    .poll(() => texts(endless, '.failed li:has-text("Endless")'))
    .toEqual([
      expect.stringMatching(
        /only sale: .*There is another sale already\. Type a first or a last day above, and preview again\.$/,
      ),
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
  // The first day is looked at in the draft, and then in the storefront.
  const later = await page.getByRole('link', { name: /Look at the sale/ }).getAttribute('href')
  await page
    .getByRole('link', { name: 'All that a publish changes, with the prices at noon of Fri, Nov 28, 2031' })
    .click()
  await expect
    .poll(() => texts(page, '.changes tr:has-text("SUM-MANDH") td:nth-child(4) div'))
    .toContain('€12.90 → €10.32 -€2.58, -20%')
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/^Release \d+ is published\.$/).waitFor()
  await page.goto(`${explore.base}${later}`)
  await expect.poll(() => texts(page, '.card .sale')).toContain('Long weekend')
  const { product } = await explore.latest(
    'product(by: { sku: "SUM-MANDH" }) { price { amount { formatted } sale { name } } }',
    'at: "2031-11-28T12:00:00Z"',
  )
  expect(product.price).toEqual({ amount: { formatted: '€10.32' }, sale: { name: 'Long weekend' } })
})

test('what would become dearer than shoppers pay now is marked and counted, and gets the sale only when it is ticked', async () => {
  const page = await preview('Too little', daysOf(2038), '2')
  await page.locator('.preview .dearer').first().waitFor()
  const query = `query Now($skus: [String!]!) @inContext(currency: "EUR") { storefront { latestRelease { products(first: 100, filter: {
    sku: { in: $skus } }) { nodes { sku price { amount { amount } listAmount: originalAmount { amount } } } } } } }`
  const skus = await texts(page, '.preview .sku')
  const { products } = (await explore.ask(query, { skus })).storefront.latestRelease
  const dearer = products.nodes
    .filter(({ price }: Answer) => price.listAmount && Math.round(price.listAmount.amount * 0.98) > price.amount.amount)
    .map(({ sku }: Answer) => sku)
    .sort()
  expect(dearer).toContain('ETH-GUJI')
  expect(await texts(page, '.preview tr:has-text("ETH-GUJI") td:nth-child(3)')).toEqual([
    '€14.60 €14.90now €13.41 (Until sold out)dearer than now',
  ])
  expect((await texts(page, '.preview tr:has(.dearer) .sku')).sort()).toEqual(dearer)
  expect((await texts(page, '.preview tr:not(:has(:checked)) .sku')).sort()).toEqual(dearer)
  await page
    .getByText(`${dearer.length} products would become dearer than shoppers pay now. Nothing is changed there unless`)
    .waitFor()
  await explore.inspect(page, 'campaign dearer')
  await page.getByLabel('With ETH-GUJI').check()
  await page.getByRole('button', { name: `Put the sale on ${skus.length - dearer.length + 1} prices` }).click()
  await page.getByText('The sale Too little is on').waitFor()
  expect((await skusOf('Too little')).filter((sku) => dearer.includes(sku))).toEqual(['ETH-GUJI'])
})

test('the SKUs of a campaign are those of products that are found by keyboard, of a category and what was typed', async () => {
  const page = await explore.open('?view=campaign')
  await page.getByLabel('Choose by').selectOption('skus')
  const status = page.getByText('Find a product, add a category, or type SKUs.')
  await status.waitFor()
  await page.getByLabel('Name of the sale').fill('Of nothing')
  await page.locator('[name=percent]').fill('20')
  await page.getByRole('button', { name: 'Preview' }).click()
  const area = page.locator('[name=skus]')
  const refusal = () => area.evaluate((one: HTMLTextAreaElement) => one.validationMessage)
  expect(await refusal()).toBe('Type a SKU in each line, or find products.')
  expect(await page.getByRole('heading', { name: 'Preview' }).count()).toBe(0)
  const typed = async () => (await page.locator('[name=skus]').inputValue()).split('\n')
  const field = page.getByRole('combobox', { name: 'Find products' })
  const found = async (text: string): Promise<Answer[]> =>
    (await explore.latest(`suggest(text: "${text}") { products { name sku variationMatrix { product { sku } } } }`))
      .suggest.products
  const offered = await found('espre')
  const options = offered.map(({ name, sku }: Answer) => `${name} ${sku}`)
  const [one = 0, other = 0] = [...offered.keys()].filter((at) => offered[at].variationMatrix.length === 0)
  expect(one).toBeLessThan(other)
  await field.fill('espre')
  await expect.poll(() => texts(page, '[role=option]')).toEqual(options)
  await explore.inspect(page, 'product search')
  for (let at = 0; at <= one; at++) await field.press('ArrowDown')
  const active = await field.getAttribute('aria-activedescendant')
  expect(await page.locator(`[id="${active}"][aria-selected="true"]`).textContent()).toBe(options[one + 1])
  await field.press('ArrowUp')
  await field.press('Enter')
  const chosen = offered[one].sku
  await expect.poll(typed).toEqual([chosen])
  // The field is empty for the next product; Enter takes the first, with its variants, once it is found.
  expect(await field.inputValue()).toBe('')
  const [house] = await found('house espresso')
  const family = [house.sku, ...house.variationMatrix.map(({ product }: Answer) => product.sku)]
  expect(family.length).toBeGreaterThan(2)
  await field.fill('house espresso')
  await field.press('Enter')
  await expect.poll(typed).toEqual([chosen, ...family])
  await page.getByText(`${1 + family.length} SKUs.`, { exact: true }).waitFor()
  expect(await refusal()).toBe('')
  await field.fill('nothing like this')
  const unknown = page.getByText('No product has this name or SKU.')
  await unknown.waitFor()
  // Nothing is suggested of one letter, which says nothing of the products.
  await field.fill('n')
  await expect.poll(() => unknown.count()).toBe(0)
  await field.press('Escape')
  expect([await field.inputValue(), await field.getAttribute('aria-expanded')]).toEqual(['', 'false'])
  await field.fill('espre')
  await page.locator('[role=option]').nth(other).click()
  await expect.poll(typed).toEqual([chosen, ...family, offered[other].sku])
  await page.locator('[name=skus]').fill('TYPED')
  await page.getByLabel('Add all of').selectOption({ label: 'Single Origin' })
  const { node } = await explore.latest(
    'node(by: { path: ["coffee", "single-origin"] }) { products(first: 100) { nodes { sku } } }',
  )
  const skus = node.products.nodes.flatMap(({ sku }: Answer) => sku ?? [])
  await expect
    .poll(async () => (await page.locator('[name=skus]').inputValue()).split('\n'))
    .toEqual(['TYPED', ...skus])
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

/** What the form has, by the names of its fields. */
const typedIn = (page: Page): Promise<Record<string, string>> =>
  page.evaluate('Object.fromEntries(new FormData(document.querySelector("form.campaign")))')

test('what is typed of a campaign stays over a reload, Back and Forward, and is gone once the campaign is written', async () => {
  const page = await explore.open('?view=campaign')
  await page.getByLabel('Choose by').selectOption('skus')
  await page.locator('[name=skus]').fill('SUM-MANDH\nPER-CAJA')
  await page.getByLabel('Reduction').selectOption('amount')
  await page.getByLabel('Name of the sale').fill('Unfinished')
  await page.locator('[name=amount]').fill('1.50')
  await page.locator('[name=currency]').selectOption('GBP')
  await page.getByLabel('First day').fill('2035-11-28')
  const typed = await typedIn(page)
  expect([typed.chosenBy, typed.name, typed.amount, typed.currency]).toEqual(['skus', 'Unfinished', '1.50', 'GBP'])
  await page.reload()
  await expect.poll(() => typedIn(page)).toEqual(typed)
  await page.getByText('2 SKUs.', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
  await page.goBack()
  await expect.poll(() => typedIn(page)).toEqual(typed)
  await page.goBack().catch(() => null)
  await page.goForward()
  await page.locator('form.campaign').waitFor()
  await expect.poll(() => typedIn(page)).toEqual(typed)
  const other = await explore.open('?view=campaign')
  await other.getByLabel('Name of the sale').fill('Cleared')
  await other.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(() => other.getByLabel('Name of the sale').inputValue()).toBe('')
  await other.reload()
  await other.locator('form.campaign').waitFor()
  expect(await typedIn(other)).toMatchObject({ name: '' })
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Put the sale on 2 prices' }).click()
  await page.getByText('The sale Unfinished is on 2 prices.').waitFor()
  await page.reload()
  await page.locator('form.campaign').waitFor()
  expect(await typedIn(page)).toMatchObject({ chosenBy: 'category', reduction: 'percent', name: '', from: '' })
})

test('the overview has the sales that are ahead, run and are over as the graph has them, and takes one back after it said from how many prices', async () => {
  const input = { priceBookId: book, name: 'Overviewed', change: { percentOff: 10 }, mode: 'PER_ROW' }
  const days = (from: string, to: string) => ({ schedule: { validOn: { from, to } } })
  const skus = ['SUM-MANDH', 'PER-CAJA']
  await explore.act('addSales', 'AddSalesInput', { ...input, skus, ...days('2036-11-28', '2036-11-30') })
  const page = await explore.open('?view=campaign')
  const part = (name: string) => page.locator('.campaigns', { has: page.getByRole('heading', { name, exact: true }) })
  const now = new Date().toISOString()
  const query = `query Sales($filter: SaleListFilter!) { sales(filter: $filter, first: 100) { nodes {
    name schedule { validFrom validTo } productPrice { priceBook { name } } } } }`
  for (const [title, filter] of [
    ['Ahead', { startsIn: { from: now } }],
    ['Running now', { runningAt: now }],
    ['Over', { endsIn: { before: now } }],
  ] as const) {
    const { nodes } = (await explore.ask(query, { filter })).sales
    const names = nodes.map(({ name, schedule, productPrice }: Answer) =>
      [`${name}in ${productPrice.priceBook.name}`, schedule?.validFrom, schedule?.validTo].join(),
    )
    const shown = (await part(title).locator('tbody th').allTextContents()).sort()
    expect(shown).toEqual([...new Set(names)].map((text) => String(text).split(',')[0]).sort())
  }
  await explore.inspect(page, 'campaigns')
  const row = part('Ahead').getByRole('row', { name: /Overviewed/ })
  expect(await row.locator('td').first().textContent()).toBe('from Fri, Nov 28, 2036 through Sun, Nov 30, 2036')
  await row.locator('summary').click()
  expect((await row.locator('li .sku').allTextContents()).sort()).toEqual([...skus].sort())
  const look = new URL(
    (await row.getByRole('link', { name: 'Look at its first day' }).getAttribute('href')) ?? '',
    page.url(),
  )
  expect([look.searchParams.get('at'), look.searchParams.get('sale')]).toEqual(['2036-11-28T00:00:00.000Z', 'true'])
  await row.getByRole('button', { name: 'Take it back… (Overviewed)' }).click()
  await row.getByText('2 prices would lose the sale Overviewed.').waitFor()
  expect(await skusOf('Overviewed')).toHaveLength(2)
  await row.getByRole('button', { name: 'Yes, take it back' }).click()
  await expect.poll(() => row.count()).toBe(0)
  expect(await skusOf('Overviewed')).toEqual([])
})

test('a sale in a book of another catalog is looked at in that catalog, and a release that is ahead leads to its first day', async () => {
  const at = new Date(Date.now() + 86_400_000).toISOString()
  const { catalogs } = await explore.ask('{ catalogs(first: 9) { nodes { id name } } }')
  const members = catalogs.nodes.find(({ name }: Answer) => name === 'Members')
  const { release } = await explore.act(
    ...(['publishRelease', 'PublishReleaseInput', { catalogId: members.id, at }] as const),
    'release { id sequence }',
  )
  const page = await explore.open('?view=campaign')
  const ahead = page.locator('.releases-ahead li')
  await expect.poll(() => ahead.textContent()).toContain(`Release ${release.sequence} of Members goes live`)
  await ahead.getByRole('link', { name: 'look at its first day' }).click()
  await expect
    .poll(() => texts(page, '.pinned'))
    .toEqual([
      expect.stringContaining('You see '),
      'You see the catalog Members as its shoppers doBack to the usual one',
    ])
  expect(new URL(page.url()).searchParams.get('at')).toBe(at)
  await page.goto(`${explore.base}/explore?view=campaign`)
  await page
    .getByRole('row', { name: /Members’ days/ })
    .getByRole('link', { name: 'Look at it now' })
    .click()
  await page.locator('.large .sale').waitFor()
  expect(await texts(page, '.large .sale')).toEqual(['Members’ days'])
  await explore.act('withdrawRelease', 'WithdrawReleaseInput', { releaseId: release.id })
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
