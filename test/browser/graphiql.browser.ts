/** What GraphiQL's page adds to GraphiQL: history, tabs from the address, the cost of an operation. */
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { examples, nameOf } from '../../src/graphql/server/examples.ts'
import { violationsIn } from '../support/accessibility.ts'
import { type Explore, startExplore } from '../support/explore.ts'
import { checkedRole, openGraphiql, openTab, parsed, play, roleOf, tabsOf, textOf, visit } from '../support/graphiql.ts'

const names = examples.map(nameOf)
let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const open = (query?: string) => openGraphiql(explore.browser, explore.base, query)

test('GraphiQL is dark from the first paint in the dark scheme, and light in the light one', async () => {
  const page = await explore.browser.open()
  // What is painted before GraphiQL is there.
  await page.route('**/page.mjs', () => {})
  for (const [colorScheme, isDark] of [
    ['dark', true],
    ['light', false],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${explore.base}/graphql`, { waitUntil: 'commit' })
    await page.getByText('Loading GraphiQL…').waitFor()
    const color = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const [red = -1] = (color.match(/\d+/g) ?? []).map(Number)
    expect([color, red < 64]).toEqual([color, isDark])
  }
})

test("GraphiQL's history has what ran, also after a reload, and stores no token; its explorer is beside it, and the page is no longer than the window", async () => {
  const page = await open()
  await play(page)
  // Below what is seen there is nothing to scroll to.
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
  await page.getByRole('button', { name: 'Show History' }).click()
  // It ran when the page was opened, too.
  const entry = page
    .getByRole('listitem')
    .getByText(names[0] as string, { exact: true })
    .first()
  await entry.waitFor()
  await page.getByRole('button', { name: 'Add favorite' }).first().click()
  await page.getByRole('button', { name: 'Remove favorite' }).waitFor()
  const stored = JSON.stringify(await page.evaluate('({ ...localStorage, ...sessionStorage })'))
  expect(stored).toContain('graphiql:favorites')
  expect(stored).not.toContain('eyJ')
  await visit(page, () => page.reload())
  await openTab(page, 'PriceBook')
  await entry.click()
  await expect.poll(() => textOf(page, 'operation.graphql')).toBe(examples[0]?.query)
  await expect.poll(() => textOf(page, 'request-headers.json')).toContain('Bearer ey')
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click()
  await page.locator('.graphiql-explorer-root').waitFor()
})

test("a query in GraphiQL's address gets a tab of its own beside the others, and the role that the address names", async () => {
  const query =
    'query Mine($first: Int!) { storefront { latestRelease { products(first: $first) { nodes { sku } } } } }'
  const address = (role: string) => `?${new URLSearchParams({ query, variables: '{ "first": 2 }', role })}`
  const page = await open(address('shopper'))
  expect(await tabsOf(page).allTextContents()).toEqual([...names, 'Mine'])
  expect(new URL(page.url()).search).toBe('')
  expect([await roleOf(page), await checkedRole(page)]).toEqual(['shopper', 'shopper'])
  expect((await play(page)).data.storefront.latestRelease.products.nodes).toHaveLength(2)
  await openTab(page, 'PriceBook')
  await openTab(page, 'Mine')
  expect(await textOf(page, 'operation.graphql')).toBe(query)
  await expect.poll(() => roleOf(page)).toBe('shopper')
  await visit(page, () => page.reload())
  expect(await tabsOf(page).allTextContents()).toEqual([...names, 'Mine'])
  expect(await textOf(page, 'operation.graphql')).toBe(query)
  expect(await roleOf(page)).toBe('shopper')
  await visit(page, () => page.goto(`${explore.base}/graphql${address('admin')}`))
  expect(await tabsOf(page).allTextContents()).toEqual([...names, 'Mine'])
  expect(await roleOf(page)).toBe('admin')
  const admins = await open(address('admin'))
  expect(await roleOf(admins)).toBe('admin')
})

test("an unknown role in GraphiQL's address is ignored", async () => {
  const page = await open(`?${new URLSearchParams({ query: 'query Mine { __typename }', role: '__proto__' })}`)
  expect([await roleOf(page), await checkedRole(page)]).toEqual(['admin', 'admin'])
})

test("an expired token of GraphiQL's page is replaced by a new one, and the operation runs", async () => {
  const page = await open()
  const header = async (): Promise<string> => JSON.parse(await textOf(page, 'request-headers.json')).Authorization
  const old = await header()
  const refused: string[] = []
  await page.route('**/graphql', (route) => {
    if (route.request().headers().authorization !== old) return route.continue()
    refused.push(old)
    return route.fulfill({ status: 401, json: { errors: [{ message: 'The token has expired' }] } })
  })
  await page.locator('.graphiql-execute-button').click()
  await expect.poll(async () => JSON.parse((await textOf(page, 'response.json')) || '{}').data).toBeTruthy()
  expect(refused).toEqual([old])
  expect(await header()).not.toBe(old)
  expect(await roleOf(page)).toBe('shopper')
  // What other tabs had filled in is replaced too.
  await openTab(page, 'PriceBook')
  expect((await play(page)).errors).toBeUndefined()
  expect(refused).toEqual([old])
})

test("GraphiQL's schema is that of the role that is chosen, also when another one is on its way meanwhile", async () => {
  const page = await explore.browser.open()
  const roles: string[] = []
  const held: Route[] = []
  await page.route('**/graphql', async (route) => {
    if (!(route.request().postData() ?? '').includes('IntrospectionQuery')) return route.continue()
    const [, payload = ''] = route.request().headers().authorization?.split('.') ?? []
    roles.push(JSON.parse(Buffer.from(payload, 'base64url').toString()).role)
    held.push(route)
  })
  const answer = (): Promise<void> =>
    expect
      .poll(() => held.length)
      .toBe(1)
      .then(() => held.splice(0)[0]?.continue())
  await Promise.all([visit(page, () => page.goto(`${explore.base}/graphql?examples`)), answer()])
  const first = roles[0]
  expect(first).toBe(await checkedRole(page))
  const other = first === 'admin' ? 'shopper' : 'admin'
  const choose = (role: string | undefined) => page.locator(`.bar input[value="${role}"]`).check()

  await choose(other)
  await expect.poll(() => roles, { timeout: 10_000 }).toEqual([first, other])
  // That one is still on its way.
  await choose(first)
  expect(await checkedRole(page)).toBe(first)
  await answer()
  await expect.poll(() => roles).toEqual([first, other, first])
  await answer()
})

test('at the first visit of GraphiQL the role of the first example can be changed', async () => {
  const page = await open()
  await parsed(page)
  const other = (await checkedRole(page)) === 'admin' ? 'shopper' : 'admin'
  await page.locator('.bar').getByText(other, { exact: true }).click()
  await parsed(page)
  expect([await checkedRole(page), await roleOf(page)]).toEqual([other, other])
})

test("an example that GraphiQL's address names is shown, also when its tab was closed", async () => {
  const page = await open('?examples&example=PriceBook')
  await expect.poll(() => textOf(page, 'operation.graphql')).toContain('PriceBook')
  expect(await tabsOf(page).allTextContents()).toEqual(names)
})

test("GraphiQL's bar shows what the operation cost", async () => {
  const page = await open()
  await openTab(page, 'Search')
  const { cost } = (await play(page)).extensions
  expect(cost.figure).toBeGreaterThan(0)
  await expect
    .poll(() => page.locator('#cost').textContent())
    .toBe(`cost ${cost.figure.toLocaleString('en')} of 100,000`)
})

test.each(['light', 'dark'] as const)("GraphiQL's bar is accessible, in %s mode", async (colorScheme) => {
  const page = await open()
  await page.emulateMedia({ colorScheme })
  await play(page)
  await explore.browser.shoot(page, `graphiql-bar-${colorScheme}`)
  expect(await violationsIn(page, '.bar')).toEqual([])
})

test('no page logged an error', () => {
  // GraphiQL's explorer logs each argument that is a list.
  const complaints = explore.browser.complaints.filter((text) => !text.startsWith('arg mismatch'))
  // The token that had expired was refused.
  expect(complaints.filter((text) => !text.includes('401 (Unauthorized)'))).toEqual([])
})
