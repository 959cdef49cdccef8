/**
 * Releases in /explore: the size of changes, dry runs that hold for one draft, warnings, and what others do meanwhile.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const open: Explore['open'] = (query) => explore.open(query)

beforeAll(async () => {
  explore = await startExplore(undefined, { RELEASES_KEPT: '100' })
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const priceBookId = 'c0ffee00-0001-4000-8000-000000000001'

const act: Explore['act'] = (...call) => explore.act(...call)

const publish = (more: Answer = {}): Promise<Answer> =>
  act('publishRelease', 'PublishReleaseInput', { catalogId, ...more }, 'release { id sequence }')

async function priceId(sku: string): Promise<string> {
  const query = `query Price($id: ID!) { priceBook(id: $id) { prices(first: 1, filter: { sku: { eq: "${sku}" } }) { nodes { id } } } }`
  return (await explore.ask(query, { id: priceBookId })).priceBook.prices.nodes[0].id
}

const setPrice = async (sku: string, amount: number): Promise<void> =>
  act('updateProductPrice', 'UpdateProductPriceInput', {
    id: await priceId(sku),
    prices: [{ currency: 'EUR', price: { amount } }],
  })

test('the largest changes of price come first, each with its amount and its part, in a currency that can be chosen, or all by name', async () => {
  await setPrice('SUM-MANDH', 2580)
  await setPrice('COL-HUILA', 1250)
  const { catalog } = await explore.ask(
    `query Changes($id: ID!) { catalog(id: $id) { draft { changesSince(releaseId: "latest") { nodes { after { sku } priceChanges {
      currency before { amount formatted } after { formatted } difference { amount formatted } } } } } } }`,
    { id: catalogId },
  )
  const { nodes } = catalog.draft.changesSince
  const part = ({ before, difference }: Answer): number => difference.amount / before.amount
  const sizeIn = (currency: string, { priceChanges }: Answer): number =>
    Math.max(
      -1,
      ...priceChanges
        .filter((one: Answer) => one.currency === currency)
        .map((change: Answer) => Math.abs(part(change))),
    )
  const size = (change: Answer): number => sizeIn('EUR', change)
  const sorted = [...nodes].sort((a: Answer, b: Answer) => size(b) - size(a))
  const skus = sorted.map(({ after }: Answer) => after.sku)
  // By name, which is the order of the graph, it is not the first.
  expect(skus[0]).toBe('SUM-MANDH')
  expect(nodes[0].after.sku).not.toBe('SUM-MANDH')
  const page = await open('?view=releases&from=latest&to=draft')
  expect(await texts(page, '.changes tbody th')).toEqual(skus)
  const line = (change: Answer): string => {
    const sign = change.difference.amount > 0 ? '+' : ''
    const percent = part(change).toLocaleString('en', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'always',
    })
    return `${change.before.formatted} → ${change.after.formatted} ${sign}${change.difference.formatted}, ${percent}`
  }
  const cells = sorted.map(({ priceChanges }: Answer) => priceChanges.map(line).join(''))
  expect(cells[0]).toContain('€12.90 → €25.80 +€12.90, +100%')
  expect(await texts(page, '.changes td:nth-child(4)')).toEqual(cells)
  const order = page.getByLabel('Order')
  expect(await order.locator('option').allTextContents()).toEqual(['Largest change of price in EUR', 'Name'])
  await order.selectOption('Name')
  await expect.poll(() => texts(page, '.changes tbody th')).toEqual(nodes.map(({ after }: Answer) => after.sku))
  const named = await open(new URL(page.url()).search)
  expect(await texts(named, '.changes tbody th')).toEqual(nodes.map(({ after }: Answer) => after.sku))
  await order.selectOption('Largest change of price in EUR')
  await expect.poll(() => texts(page, '.changes tbody th')).toEqual(skus)
  await explore.inspect(page, 'sizes')
  await page.setViewportSize({ width: 390, height: 850 })
  const price = await page.locator('.changes td:nth-child(4)').first().boundingBox()
  expect([(price?.x ?? -1) >= 0, (price?.x ?? 0) + (price?.width ?? 0) <= 390]).toEqual([true, true])
})

test('a dry run lists the warnings, and holds for the draft that it was of', async () => {
  const schedule = { validFrom: '2040-01-01T00:00:00.000Z', validTo: '2040-02-01T00:00:00.000Z' }
  const sale = {
    productPriceId: await priceId('ETH-YIRG'),
    name: 'Below tiers',
    prices: [{ currency: 'EUR', price: { amount: 100 } }],
    schedule,
  }
  await act('addSale', 'AddSaleInput', sale)
  const page = await open('?view=releases&from=latest&to=draft')
  const { catalog } = await explore.ask(
    'query Warnings($id: ID!) { catalog(id: $id) { draft { warningCount warnings { code sku currency tier sale } } } }',
    { id: catalogId },
  )
  const { warnings, warningCount } = catalog.draft
  expect(warningCount).toBeGreaterThan(0)
  const button = page.getByRole('button', { name: 'Publish', exact: true })
  expect(await button.count()).toBe(0)
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await button.waitFor()
  const lines = warnings.map(({ code, sku, currency, tier, sale }: Answer) =>
    [
      `${sku}: ${code.toLowerCase().replaceAll('_', ' ')} in ${currency}`,
      tier && `tier ${tier}`,
      sale && `sale ${sale}`,
    ]
      .filter(Boolean)
      .join(', '),
  )
  expect(lines.join()).toContain('sale Below tiers')
  expect(await texts(page, '.warnings li')).toEqual(lines)
  // The draft changes, which the page finds out when it looks for writes.
  await setPrice('SUM-MANDH', 1400)
  await expect.poll(() => button.count()).toBe(0)
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await button.click()
  await page.getByText(/^Release \d+ is published\.$/).waitFor()
  await expect.poll(() => button.count()).toBe(0)
})

test('a release is made the latest at an instant, below what that changes; schedules of others appear without a reload', async () => {
  const page = await open('?view=releases')
  const scheduled = async (): Promise<Answer[]> =>
    (
      await explore.ask('query S($id: ID!) { catalog(id: $id) { scheduledReleases { id sequence scheduledFor } } }', {
        id: catalogId,
      })
    ).catalog.scheduledReleases
  expect(await page.getByRole('button', { name: 'Make it the latest' }).count()).toBe(0)
  await page.getByRole('row').last().getByRole('link', { name: 'with the latest' }).click()
  await page.locator('.changes').waitFor()
  const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  await page.getByLabel(`At (${Intl.DateTimeFormat().resolvedOptions().timeZone})`, { exact: true }).fill(local)
  await page.getByRole('button', { name: 'Make it the latest…' }).click()
  await page.getByRole('button', { name: 'Yes, make it the latest' }).click()
  await page.getByText(/^Release 1 is scheduled\.$/).waitFor()
  expect((await scheduled()).map(({ sequence, scheduledFor }) => [sequence, scheduledFor])).toEqual([
    [1, at.toISOString()],
  ])
  await act('withdrawRelease', 'WithdrawReleaseInput', { releaseId: (await scheduled())[0]?.id })
  const list = await open('?view=releases')
  const cells = list.getByRole('cell', { name: 'Scheduled', exact: true })
  expect(await cells.count()).toBe(0)
  await setPrice('SUM-MANDH', 1450)
  await publish({ at: at.toISOString() })
  await expect.poll(() => cells.count()).toBe(1)
  await act('withdrawRelease', 'WithdrawReleaseInput', { releaseId: (await scheduled())[0]?.id })
  await expect.poll(() => cells.count()).toBe(0)
})

test('what /explore shows is read again once something was written, be it a hierarchy, and not before', async () => {
  const page = await explore.browser.open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.postData() ?? ''))
  const count = (query: string): number => asked.filter((body) => body.includes(query)).length
  await page.goto(`${explore.base}/explore?view=releases&from=latest&to=draft`)
  await page.locator('.summary').waitFor()
  await expect.poll(() => count('query LastWrite')).toBe(2)
  expect([count('query Releases'), count('query Difference')]).toEqual([1, 1])
  const before = (await texts(page, '.summary'))[0] ?? ''
  const { hierarchies } = await explore.ask('query First { hierarchies(first: 1) { nodes { id } } }')
  await act('updateHierarchy', 'UpdateHierarchyInput', { id: hierarchies.nodes[0].id, name: 'Renamed' })
  await expect.poll(() => texts(page, '.summary')).toEqual([before.replace('0 changed, 0 moved', '1 changed, 0 moved')])
  expect([count('query Releases'), count('query Difference')]).toEqual([2, 2])
})

test('the draft leads to its publish, which marks its row and moves no column', async () => {
  const page = await open('?view=releases')
  await page.setViewportSize({ width: 1280, height: 850 })
  const heads = () =>
    page.locator('.releases thead th').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
  const before = await heads()
  const ground = () =>
    page
      .locator('.releases tbody tr')
      .first()
      .evaluate((row) => getComputedStyle(row).backgroundColor)
  const plain = await ground()
  await page.getByRole('link', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Check and publish…' }).waitFor()
  expect(await heads()).toEqual(before)
  expect(await ground()).not.toBe(plain)
})

test('no line ends within the day or the time of a release, and on a phone its choices end within their panel', async () => {
  const page = await open('?view=releases')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 850 })
    const lines = await page
      .locator('.releases time span')
      .evaluateAll((all) => all.map((one) => one.getClientRects().length))
    expect(lines.length).toBeGreaterThan(1)
    expect(new Set(lines)).toEqual(new Set([1]))
  }
  const long = '117 · for Wed, Nov 30, 2026, 12:03 AM GMT+5:30'
  await page.locator('.filters option').evaluateAll((all, text) => {
    for (const one of all) one.textContent = text
  }, long)
  const panel = await page.locator('.filters').boundingBox()
  for (const choice of await page.locator('.filters select').all()) {
    const box = await choice.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((panel?.x ?? 0) + (panel?.width ?? 0) - 12)
  }
})

test('more releases than are listed at first are there on request', async () => {
  for (let amount = 1500; amount < 1520; amount++) {
    await setPrice('SUM-MANDH', amount)
    await publish()
  }
  const { catalog } = await explore.ask('query Count($id: ID!) { catalog(id: $id) { releases { totalCount } } }', {
    id: catalogId,
  })
  const { totalCount } = catalog.releases
  expect(totalCount).toBeGreaterThan(20)
  const page = await open('?view=releases&role=shopper')
  const rows = () => page.locator('.releases tbody tr').count()
  expect(await rows()).toBe(20)
  expect((await texts(page, '.more'))[0]).toContain(`20 of ${totalCount}`)
  await page.getByRole('button', { name: 'More' }).click()
  await expect.poll(rows).toBe(totalCount)
  expect(await page.locator('.more').count()).toBe(0)
})

test('the first release of a catalog is published below its list, as there is none yet to compare the draft with', async () => {
  const input = { name: 'Without a release', hierarchyIds: [], priceBooks: [] }
  const { catalog } = await act('createCatalog', 'CreateCatalogInput', input, 'catalog { id }')
  const page = await open(`?view=releases&catalog=${encodeURIComponent(catalog.id)}`)
  const rows = (): Promise<string[]> => texts(page, '.releases tbody th')
  expect(await rows()).toEqual(['Draft'])
  const compare = page.getByRole('link', { name: 'with the latest' })
  expect(await compare.count()).toBe(0)
  // An address that was typed, or kept from another catalog.
  const typed = await open(`?view=releases&catalog=${encodeURIComponent(catalog.id)}&from=latest&to=draft`)
  await typed.getByText('There is no release yet to compare with.').waitFor()
  expect(await typed.getByRole('alert').count()).toBe(0)
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect.poll(rows).toEqual(['Draft', '1'])
  expect(await page.getByRole('cell', { name: 'Latest', exact: true }).count()).toBe(1)
  // From now on a publish stands below what it would change.
  expect([await compare.count(), await page.getByRole('button', { name: 'Check and publish…' }).count()]).toEqual([
    1, 0,
  ])
})

test('no page logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
