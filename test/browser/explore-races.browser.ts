/** The page /explore while something is on its way: what is chosen, written or lost meanwhile. */
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Explore, settle, startExplore } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const notice = (page: Page): Promise<string[]> => page.locator('.notice').allInnerTexts()

/** Whether a request is an operation of this name. */
const isOf = (route: Route, name: string): boolean =>
  new RegExp(`(query|subscription) ${name}\\b`).test(route.request().postData() ?? '')

/** Holds the requests of an operation until they are released. */
async function hold(
  page: Page,
  name: string,
): Promise<{ readonly held: Route[]; readonly release: () => Promise<void> }> {
  const held: Route[] = []
  let isHolding = true
  await page.route('**/graphql', (route) => (isHolding && isOf(route, name) ? void held.push(route) : route.fallback()))
  const release = async (): Promise<void> => {
    isHolding = false
    for (const route of held.splice(0)) await route.continue()
  }
  return { held, release }
}

test('filters of the address stay when another is chosen before the list is there', async () => {
  const page = await explore.browser.open()
  const { held, release } = await hold(page, 'Listing')
  await page.goto(`${explore.base}/explore?currency=EUR&path=coffee&tags=organic&sale=true`)
  await expect.poll(() => held.length).toBe(1)
  await page.getByLabel('Order').selectOption('name')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    tags: 'organic',
    sale: 'true',
    order: 'name',
  })
  await release()
  await settle(page)
  // Once its box is there, a filter can be taken away.
  await page.locator('input[name="sale"]').uncheck()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ tags: 'organic', order: 'name' })
  expect(new URL(page.url()).searchParams.has('sale')).toBe(false)
})

test('a lost stream is no longer reported where none of it is needed', async () => {
  const page = await explore.browser.open()
  await page.route('**/graphql', (route) =>
    isOf(route, 'Published') || isOf(route, 'Turned')
      ? route.fulfill({ status: 503, json: { errors: [{ message: 'no' }] } })
      : route.fallback(),
  )
  await page.goto(`${explore.base}/explore?currency=EUR`)
  await expect.poll(() => notice(page)).toEqual(['Not live: the connection is lost, and is tried again.'])
  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await page.locator('.subscriptions tbody tr').first().waitFor()
  await expect.poll(() => notice(page)).toEqual([''])
  await page.getByRole('link', { name: 'Catalog', exact: true }).first().click()
  await expect.poll(() => notice(page)).toEqual(['Not live: the connection is lost, and is tried again.'])
  await page.unroute('**/graphql')
  await expect.poll(() => notice(page)).toEqual([''])
})

test('a catalog that could not be read is read again, so that the page is live', async () => {
  const page = await explore.browser.open()
  let isAway = true
  await page.route('**/graphql', (route) =>
    isAway && isOf(route, 'Shown') ? route.fulfill({ status: 503, body: 'away' }) : route.fallback(),
  )
  await page.goto(`${explore.base}/explore?currency=EUR`)
  await settle(page)
  await expect.poll(() => notice(page)).toEqual(['Not live: the connection is lost, and is tried again.'])
  isAway = false
  const streamed = page.waitForRequest((request) => (request.postData() ?? '').includes('subscription Published'))
  await streamed
  await expect.poll(() => notice(page)).toEqual([''])
})
