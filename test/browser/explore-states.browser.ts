/** States of the views of /explore: while a query is under way, when it fails, and once it is tried again. */
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Explore, startExplore } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const product = '?currency=EUR&product=Ethiopia-Yirgacheffe'
const difference = '?view=releases&from=latest&to=draft'

/**
 * Each part that waits for a query of its own: the query, an address, where the part stands, and what is there once it
 * is loaded.
 */
const parts: readonly (readonly [name: string, query: string, address: string, place: string, content: string])[] = [
  ['the categories', 'Branch', '?currency=EUR', '.side', '.menu a'],
  ['the products of a category', 'Listing', '?currency=EUR&path=coffee', 'main', '.card'],
  ['the decimals of a range of prices', 'Unit', '?currency=EUR&path=coffee&max=50', 'main', '.card'],
  ['a product', 'Product', product, 'main', 'article h1'],
  ['the price of a product', 'Why', product, 'main', '.steps li'],
  ['a price over time', 'Timeline', product, '.panel', '.spans tr'],
  ['the sales of a product', 'Schedule', product, '.schedule', '.time-row'],
  ['the price of a bundle', 'Configure', '?currency=EUR&product=Pour-Over-Starter-Set', '.bundle', '[role="status"] p'],
  ['the catalogs', 'Catalogs', '?view=releases', 'main', 'label select'],
  ['the releases', 'Releases', '?view=releases', 'main', '.releases tbody tr'],
  ['the difference of two releases', 'Difference', difference, '.difference', '.summary'],
  ['the products that differ', 'Changes', difference, '.difference', '.changes tbody tr'],
  [
    'the subscriptions of an account',
    'Subscriptions',
    '?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001',
    'main',
    '.subscription',
  ],
  [
    'what the next invoice is made of',
    'NextInvoice',
    '?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001',
    '.next-lines',
    '.lines li',
  ],
]

/** Holds each request of a query until the test responds to it. */
async function hold(page: Page, query: string): Promise<(respond: (route: Route) => Promise<void>) => Promise<void>> {
  const held: Route[] = []
  await page.route('**/graphql', (route) =>
    new RegExp(`"query ${query}\\b|query ${query}\\(`).test(route.request().postData() ?? '')
      ? void held.push(route)
      : route.continue(),
  )
  return async (respond) => {
    await expect.poll(() => held.length).toBe(1)
    await respond(held.splice(0)[0] as Route)
  }
}

beforeAll(async () => {
  const { storefront } = await explore.ask(
    'query Named { storefront { latestRelease { product(by: { sku: "SUM-MANDH" }) { product { id } } } } }',
  )
  const { id } = storefront.latestRelease.product.product
  const { updateProduct } = await explore.ask(
    'mutation Change($id: ID!) { updateProduct(input: { id: $id, name: "Sumatra Lintong" }) { userErrors { message } } }',
    { id },
  )
  expect(updateProduct.userErrors).toEqual([])
})

describe('a part that waits for the graph says so, says why it failed, and is tried again on request', () => {
  test.each(parts)(
    'a part that waits for the graph says so, says why it failed, and is tried again on request: %s',
    async (_, query, address, place, content) => {
      const page = await explore.browser.open()
      const respond = await hold(page, query)
      await page.goto(`${explore.base}/explore${address}`)
      const part = page.locator(place)
      const loading = part.locator('.loading')
      const failed = part.getByRole('alert')
      await expect.poll(() => loading.allTextContents()).toEqual(['Loading…'])
      expect([await failed.count(), await part.locator(content).count()]).toEqual([0, 0])

      await respond((route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'away' }))
      await failed.waitFor()
      expect(await failed.locator('p').textContent()).toBe('The server does not respond.')
      expect([await loading.count(), await part.locator(content).count()]).toEqual([0, 0])

      await failed.getByRole('button', { name: 'Try again' }).click()
      await respond((route) => route.fulfill({ json: { data: null, errors: [{ message: 'The kettle is empty.' }] } }))
      await expect.poll(() => failed.locator('p').textContent()).toBe('The kettle is empty.')

      await failed.getByRole('button', { name: 'Try again' }).click()
      await respond((route) => route.continue())
      await part.locator(content).first().waitFor()
      await expect.poll(() => loading.count()).toBe(0)
      expect(await failed.count()).toBe(0)
    },
  )
})

test('the table of this test has every query of the page that shows something of its own', async () => {
  const shown = new Set(parts.map(([, query]) => query))
  const asked = new Set<string>()
  for (const address of new Set(parts.map(([, , one]) => one))) {
    const page = await explore.browser.open()
    page.on('request', (request) => {
      const [, name] = /query (\w+)/.exec(request.postData() ?? '') ?? []
      if (name) asked.add(name)
    })
    await page.goto(`${explore.base}/explore${address}`)
    await page.locator('main').waitFor()
    await expect.poll(() => page.locator('.loading, [aria-busy="true"]').count()).toBe(0)
  }
  // The way to a product opens the categories that are shown; the catalog and the last write say what to listen to; the
  // ends of a comparison are two names in its form; the chips of the context say less until their catalog and its
  // currency are known, the links of a release until its changes are counted, and the box of an account until the names
  // of its subscribers are there.
  for (const silent of [
    'Way',
    'SubscribersOf',
    'Shown',
    'LastWrite',
    'Ends',
    'ShownRelease',
    'ShopCurrency',
    'ReleaseChanges',
  ])
    asked.delete(silent)
  expect([...asked].sort()).toEqual([...shown].sort())
})

describe('a stream of changes', () => {
  const notice = (page: Page): Promise<string[]> => page.locator('.notice').allInnerTexts()
  const isStream = (route: Route): boolean => /"subscription /.test(route.request().postData() ?? '')

  test.each([
    ['by a busy server is said to be lost', 503, 'Not live: the connection is lost, and is tried again.'],
    ['since its token is no longer valid says so', 401, 'This token is no longer valid.'],
  ])(
    'a stream of changes that is refused with JSON %s, and is tried again until it is open',
    async (_, status, text) => {
      const page = await explore.browser.open()
      await page.route('**/graphql', (route) =>
        isStream(route) ? route.fulfill({ status, json: { errors: [{ message: 'no' }] } }) : route.continue(),
      )
      await page.goto(`${explore.base}/explore?currency=EUR`)
      await expect.poll(async () => (await notice(page))[0]).toMatch(text)
      // Another attempt that is refused changes nothing.
      await page.waitForResponse((response) => response.status() === status)
      await page.waitForResponse((response) => response.status() === status)
      expect((await notice(page))[0]).toMatch(text)
      await page.unroute('**/graphql')
      await expect.poll(() => notice(page)).toEqual([''])
    },
  )

  test('a stream of an account that cannot exist is not said to be lost', async () => {
    const page = await explore.browser.open()
    const refused = page.waitForResponse((response) =>
      (response.request().postData() ?? '').includes('subscription Subscribed'),
    )
    await page.goto(`${explore.base}/explore?view=subscriptions&account=hello`)
    await page.getByRole('alert').getByText('must be the id of an Account').waitFor()
    await refused
    // Longer than until a stream that ended is opened again. The browser does not always report the end of a body that
    // the page has left.
    await page.waitForTimeout(1_500)
    expect(await notice(page)).toEqual([''])
  })
})

test('a page of a difference whose cursor has expired leads back to the first', async () => {
  const page = await explore.browser.open()
  await page.goto(`${explore.base}/explore${difference}&page=2&after=expired`)
  const failed = page.locator('.difference').getByRole('alert')
  await failed.waitFor()
  expect(await failed.locator('p').textContent()).toBe('after: must be a cursor of this list')
  await failed.getByRole('link', { name: 'First page' }).click()
  await page.locator('.changes tbody tr').waitFor()
})

test('no page logged an error that was not asked for', () => {
  expect(
    explore.browser.complaints.filter((text) => !/503 \(Service Unavailable\)|401 \(Unauthorized\)/.test(text)),
  ).toEqual([])
})
