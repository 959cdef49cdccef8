/** Long lists in /explore: what the graph lists by hundreds goes on to its end. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const open: Explore['open'] = (query) => explore.open(query)

beforeAll(async () => {
  explore = await startExplore(undefined, { RELEASES_KEPT: '300' })
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const account = 'c0ffee00-00aa-4000-8000-000000000001'

const act: Explore['act'] = (...call) => explore.act(...call)

test('more than 200 releases are shown to the first, by hundreds', async () => {
  for (let count = 0; count < 205; count++) await act('publishRelease', 'PublishReleaseInput', { catalogId })
  const { catalog } = await explore.ask('query Count($id: ID!) { catalog(id: $id) { releases { totalCount } } }', {
    id: catalogId,
  })
  const { totalCount } = catalog.releases
  expect(totalCount).toBeGreaterThan(205)
  const page = await open('?view=releases')
  const sequences = async (): Promise<string[]> =>
    (await texts(page, '.releases tbody th')).filter((text) => text !== 'Draft')
  const rising = (length: number): string[] => Array.from({ length }, (_, index) => String(totalCount - index))
  for (const length of [20, 100, 200]) {
    await expect.poll(sequences).toEqual(rising(length))
    expect((await texts(page, '.wide ~ .more'))[0]).toBe(`${length} of ${totalCount} More`)
    await page.getByRole('button', { name: 'More' }).click()
  }
  await expect.poll(sequences).toEqual(rising(totalCount))
  expect(await page.locator('.more').count()).toBe(0)
  // A release that is published meanwhile joins the list, which stays as long as it was.
  await act('publishRelease', 'PublishReleaseInput', { catalogId })
  await expect.poll(async () => (await sequences()).slice(0, 2)).toEqual([String(totalCount + 1), String(totalCount)])
  expect((await sequences()).length).toBeGreaterThan(200)
})

test('more than 100 catalogs can be chosen', async () => {
  for (let count = 0; count < 101; count++)
    await act('createCatalog', 'CreateCatalogInput', { name: `Catalog ${count}`, hierarchyIds: [], priceBooks: [] })
  const page = await open('?view=releases')
  const { totalCount } = (await explore.ask('query Count { catalogs { totalCount } }')).catalogs
  expect(totalCount).toBeGreaterThan(101)
  const names = await page.getByLabel('Catalog').locator('option').allTextContents()
  expect([names.length, new Set(names).size]).toEqual([totalCount, totalCount])
})

test('more than 100 subscriptions of an account are shown to the last', async () => {
  for (let number = 0; number < 110; number++) {
    await act('createSubscription', 'CreateSubscriptionInput', {
      ...{ accountId: account, offeringId: demoIds.offering, planId: demoIds.plan, currency: 'EUR' },
      ...{ name: `Reader ${number}`, email: 'reader@example.com' },
    })
  }
  const { totalCount } = (
    await explore.ask('query Count($id: ID!) { account(id: $id) { subscriptions { totalCount } } }', { id: account })
  ).account.subscriptions
  expect(totalCount).toBeGreaterThan(110)
  const page = await open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001')
  const shown = () => page.locator('.subscription').count()
  for (const length of [25, 100]) {
    await expect.poll(shown).toBe(length)
    expect((await texts(page, 'main .more')).at(-1)).toBe(`${length} of ${totalCount} More`)
    await page.getByRole('button', { name: 'More' }).last().click()
  }
  await expect.poll(shown).toBe(totalCount)
  expect(await page.locator('.more').count()).toBe(0)
  // What an invoice is made of is read of one that is opened alone.
  expect(await page.locator('.next-lines li').count()).toBe(0)
  const last = page.locator('.subscription').last()
  await last.getByText('What it is made of').click()
  await last.locator('.next-lines li').first().waitFor()
  expect(await page.locator('.next-lines[open]').count()).toBe(1)
})

test('a hundred subscriptions cost less than a tenth of what a query may', async () => {
  const page = await explore.browser.open()
  await page.route('**/graphql', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'graphql-cost': '1' } }),
  )
  await page.goto(`${explore.base}/explore?view=subscriptions&account=${account}`)
  await page.locator('.subscription').first().waitFor()
  const response = page.waitForResponse((one) => /query Subscriptions\(/.test(one.request().postData() ?? ''))
  await page.getByRole('button', { name: 'More' }).last().click()
  const request = JSON.parse((await response).request().postData() ?? '')
  expect(request.variables.first).toBe(100)
  const { figure, limit } = (await (await response).json()).extensions.cost
  expect(limit).toBe(100_000)
  expect(figure).toBeLessThan(limit / 10)
})

test('more than 20 states of a subscription are shown on request', async () => {
  const other = 'c0ffee00-00aa-4000-8000-0000000000f1'
  const { subscription } = await act(
    ...(['createSubscription', 'CreateSubscriptionInput'] as const),
    {
      ...{ accountId: other, offeringId: demoIds.offering, planId: demoIds.plan, currency: 'EUR' },
      ...{ name: 'Reader', email: 'reader@example.com' },
    },
    'subscription { id }',
  )
  for (let turn = 0; turn < 60; turn++) {
    await act('pauseSubscription', 'PauseSubscriptionInput', { id: subscription.id })
    await act('resumeSubscription', 'ResumeSubscriptionInput', { id: subscription.id })
  }
  const page = await open(`?view=subscriptions&account=${other}`)
  const shown = () => page.locator('.life li').count()
  // The trial, its end, and what was asked for.
  expect(await shown()).toBe(22)
  expect(await texts(page, '.subscription .more')).toEqual(['20 of 120 More'])
  await page.getByRole('button', { name: 'More' }).click()
  await expect.poll(shown).toBe(122)
  expect(await page.locator('.line span').count()).toBe(122)
  expect((await texts(page, '.life li')).slice(0, 3).map((text) => text.split(' ')[0])).toEqual([
    'trial',
    'paused',
    'trial',
  ])
  expect(await page.locator('.more').count()).toBe(0)
})

test('no page logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
