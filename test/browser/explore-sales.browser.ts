/** Sales of a product in /explore: edited with the prices of their record. The store is in Berlin. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const address = '?product=sumatra-mandheling&currency=EUR'

beforeAll(async () => {
  explore = await startExplore(undefined, { STORE_TIME_ZONE: 'Europe/Berlin' })
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

/** The price record of the product as it is authored. */
async function record(): Promise<Answer> {
  const amounts = 'currency includesTax amount { amount } tiers { name minimumQuantity amount { amount } }'
  const fields = `id updatedAt prices { ${amounts} } sales { name schedule { validFrom validTo } bundleIds prices { ${amounts} } }`
  return (await explore.latest(`product(by: { sku: "SUM-MANDH" }) { product { prices { ${fields} } } }`)).product
    .product.prices[0]
}

/** What it costs, and its sales. */
async function stored(): Promise<Answer> {
  const { prices, sales } = await record()
  return { prices, sales }
}

async function edit(): Promise<Page> {
  const page = await explore.open(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Add a sale' }).waitFor()
  return page
}

/** Saves, and waits until the form shows what is stored then. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByText('Saved.').waitFor()
}

/** The names of the sales that the form has. */
const names = (page: Page): Promise<string[]> =>
  page
    .getByLabel(/^Name of sale \d+$/)
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

const euro = (amount: number | null, tiers: Answer[] = []) => ({
  ...{ currency: 'EUR', includesTax: true, amount: amount === null ? null : { amount } },
  tiers: tiers.map(([name, minimumQuantity, each]) => ({ name, minimumQuantity, amount: { amount: each } })),
})

const fold = (page: Page, name: string) => page.locator('.sales summary', { hasText: name })

test('a sale is added beside the ones that there are, in the time zone of the store, and taken back', async () => {
  const before = await stored()
  const page = await edit()
  expect(await names(page)).toEqual(['Summer 2023'])
  await page.getByRole('button', { name: 'Add a sale' }).click()
  await page.getByLabel('Name of sale 2', { exact: true }).fill('Advent')
  const sale = page.locator('.sales details').nth(1)
  await sale.getByLabel('From (Europe/Berlin)').fill('2030-11-29T08:00')
  await sale.getByLabel('Until (Europe/Berlin)').fill('2030-12-03T00:00')
  await sale.getByLabel('Sale price in EUR, with tax').fill('10.5')
  await sale.getByRole('button', { name: 'Add a EUR tier to sale 2' }).click()
  await page.getByLabel('Name of sale 2, EUR tier 1').fill('Case')
  await page.getByLabel('Quantity of sale 2, EUR tier 1').fill('6')
  await page.getByLabel('Amount of sale 2, EUR tier 1').fill('9.95')
  await explore.inspect(page, 'edit of sales')
  await save(page)
  const added = {
    name: 'Advent',
    schedule: { validFrom: '2030-11-29T07:00:00.000Z', validTo: '2030-12-02T23:00:00.000Z' },
    bundleIds: [],
    prices: [euro(1050, [['Case', 6, 995]])],
  }
  expect(await stored()).toEqual({ ...before, sales: [added, ...before.sales] })
  await expect.poll(() => names(page)).toEqual(['Advent', 'Summer 2023'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => names(page)).toEqual(['Summer 2023'])
  expect(await stored()).toEqual(before)
})

test('a sale changes without what nobody typed, is made permanent, and is taken away; each is taken back', async () => {
  const before = await stored()
  const page = await edit()
  const [former] = before.sales
  await fold(page, 'Summer 2023').click()
  const until = page.getByLabel('Until (Europe/Berlin)')
  expect(await page.getByLabel('From (Europe/Berlin)').inputValue()).toBe('2023-06-01T02:00')
  expect(await page.getByLabel('Sale price in EUR, with tax').inputValue()).toBe('11.87')
  await until.fill('2023-10-29T02:30')
  await page.getByLabel('Sale price in EUR, with tax').fill('')
  await save(page)
  // Clocks show half past two twice that night; the first one counts.
  const schedule = { ...former.schedule, validTo: '2023-10-29T00:30:00.000Z' }
  const others = former.prices.filter(({ currency }: Answer) => currency !== 'EUR')
  expect(await stored()).toEqual({ ...before, sales: [{ ...former, schedule, prices: others }] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.getByText('Saved.').count()).toBe(0)
  await expect.poll(stored).toEqual(before)
  await expect.poll(() => until.inputValue()).toBe('2023-09-01T02:00')

  await fold(page, 'Summer 2023').click()
  await page.getByLabel('From (Europe/Berlin)').fill('')
  await until.fill('')
  await page.getByLabel('Name of sale 1', { exact: true }).fill('For good')
  await save(page)
  expect(await stored()).toEqual({ ...before, sales: [{ ...former, name: 'For good', schedule: null }] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => names(page)).toEqual(['Summer 2023'])

  await fold(page, 'Summer 2023').click()
  await page.getByRole('button', { name: 'Take sale 1 away' }).click()
  await save(page)
  expect(await stored()).toEqual({ ...before, sales: [] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => names(page)).toEqual(['Summer 2023'])
  expect(await stored()).toEqual(before)
})

test('what a rule of sales forbids is said beside its field, also of a sale that is folded, and nothing is stored', async () => {
  const before = await stored()
  const page = await edit()
  await page.getByRole('button', { name: 'Add a sale' }).click()
  const sale = page.locator('.sales details').nth(1)
  await page.getByLabel('Name of sale 2', { exact: true }).fill('Backwards')
  await sale.getByLabel('From (Europe/Berlin)').fill('2030-12-02T00:00')
  await sale.getByLabel('Until (Europe/Berlin)').fill('2030-12-01T00:00')
  await sale.getByRole('button', { name: 'Add a EUR tier to sale 2' }).click()
  await page.getByRole('button', { name: 'Save the prices' }).click()
  const said = () =>
    sale
      .getByLabel('Sale price in EUR, with tax')
      .evaluate((input: HTMLInputElement) => [input === document.activeElement, input.validationMessage])
  await expect.poll(said).toEqual([true, 'An amount in EUR is a number such as 2.50.'])
  await page.getByRole('button', { name: 'Take sale 2, EUR tier 1 away' }).click()
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect
    .poll(() => texts(page, '.sales .failed'))
    .toEqual([expect.stringMatching(/^valid to: .*after.*validFrom/)])
  expect(await sale.locator('.failed').count()).toBe(1)

  await sale.getByLabel('Until (Europe/Berlin)').fill('2030-12-03T00:00')
  await page.getByLabel('Name of sale 2', { exact: true }).fill('')
  await fold(page, 'New sale').click()
  await page.getByRole('button', { name: 'Save the prices' }).click()
  const message = () =>
    page
      .getByLabel('Name of sale 2', { exact: true })
      .evaluate((input: HTMLInputElement) => [input.checkVisibility(), input.validationMessage])
  await expect.poll(message).toEqual([true, 'A sale has a name, which shoppers see.'])

  await page.getByLabel('Name of sale 2', { exact: true }).fill('Endless')
  await sale.getByLabel('From (Europe/Berlin)').fill('')
  await sale.getByLabel('Until (Europe/Berlin)').fill('')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect
    .poll(() => texts(page, '.sales .failed'))
    .toEqual(['schedule: sale "Endless" needs a schedule, since it is not the only sale'])
  expect(await stored()).toEqual(before)
})

test('a sale that somebody else changed meanwhile is shown, and nothing is saved over it', async () => {
  const page = await edit()
  const { id, sales } = await record()
  const price = ({ currency, includesTax, amount, tiers }: Answer) => ({
    currency,
    price: { ...amount, includesTax, tiers },
  })
  const [{ prices, ...sale }] = sales
  const theirs = { ...sale, name: 'Their summer', prices: prices.map(price) }
  await explore.act('updateProductPrice', 'UpdateProductPriceInput', { id, sales: [theirs] })
  await fold(page, 'Summer 2023').click()
  await page.getByLabel('Name of sale 1', { exact: true }).fill('My summer')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByText('Somebody else has changed this price meanwhile.').waitFor()
  await expect.poll(() => names(page)).toEqual(['Their summer'])
  expect((await stored()).sales.map(({ name }: Answer) => name)).toEqual(['Their summer'])
})

test('sales that run or come are bands to scale on the page of their product, with now and scheduled releases marked', async () => {
  const DAY = 86_400_000
  const today = Math.floor(Date.now() / DAY) * DAY
  const day = (count: number): string => new Date(today + count * DAY).toISOString()
  const fields = 'product { prices { id sales { name schedule { validFrom validTo } } } }'
  const sold = async (): Promise<Answer> =>
    (await explore.latest(`product(by: { sku: "KEN-NYERI" }) { ${fields} }`)).product.product.prices
  const [price] = await sold()
  await explore.act('addSale', 'AddSaleInput', {
    ...{ productPriceId: price.id, name: 'A sale whose name is longer than the band below it' },
    ...{ schedule: { validFrom: day(30), validTo: day(40) } },
    prices: [{ currency: 'EUR', price: { amount: 1390, includesTax: true } }],
  })
  const { storefront } = await explore.ask('query Shop { storefront { id } }')
  await explore.act('publishRelease', 'PublishReleaseInput', { catalogId: storefront.id, at: day(20) })
  const page = await explore.open('?product=kenya-nyeri-aa&currency=EUR')
  const names = await texts(page, '.schedule .time-row b')
  const running = (await sold()).flatMap(({ sales }: Answer) => sales.map(({ name }: Answer) => name))
  expect([...names].sort()).toEqual([...running].sort())
  expect(names.at(-1)).toBe('A sale whose name is longer than the band below it')
  // By days where it begins and ends at midnight of the reader's zone; the last day is that before.
  const [from, to] = [new Date(day(30)), new Date(Date.parse(day(40)) - 1)].map((at) =>
    at.toLocaleDateString('en-US', { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' }),
  )
  const isMidnight = new Date(day(40)).getHours() === 0
  expect((await texts(page, '.schedule .time-row'))[names.length - 1]).toMatch(
    isMidnight ? `comes from ${from} through ${to}, in Retail` : /comes from .* to .*, in Retail$/,
  )
  expect(await texts(page, '.schedule .legend li')).toEqual([
    expect.stringMatching(/^now, /),
    expect.stringMatching(/^release \d+ becomes the latest, /),
  ])
  const soon = page.locator('.time-row', { hasText: 'Kenya weeks' })
  const later = page.locator('.time-row', { hasText: 'A sale whose name' })
  expect(await soon.locator('.bands span').getAttribute('class')).toBe('on since')
  expect(await later.locator('.bands span').getAttribute('class')).toBe('on ahead')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 850 })
    const box = async (row: typeof soon, part: string) => (await row.locator(part).boundingBox()) ?? { x: 0, width: 0 }
    const now = (await box(later, 'i.now')).x
    const [end, { x: start, width: length }] = [await box(soon, 'span'), await box(later, 'span')]
    const share = (Date.parse(day(9)) - Date.now()) / (Date.parse(day(30)) - Date.now())
    expect((end.x + end.width - now) / (start - now)).toBeCloseTo(share, 1)
    expect(length / (start - now)).toBeCloseTo((10 * DAY) / (Date.parse(day(30)) - Date.now()), 1)
    expect(((await box(later, 'i.ahead')).x - now) / (start - now)).toBeCloseTo(20 / 30, 1)
  }
  await explore.inspect(page, 'sales over time')

  const ended = await explore.open(address)
  await ended.locator('.steps li').first().waitFor()
  expect(await texts(ended, '.schedule')).toEqual([''])
  const shopper = await explore.open('?product=kenya-nyeri-aa&currency=EUR&role=shopper')
  await shopper.locator('.steps li').first().waitFor()
  expect(await shopper.locator('.schedule').count()).toBe(0)
})

test('no page of sales logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
