import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { examples, nameOf } from '../../src/graphql/server/examples.ts'
import { violationsIn } from '../support/accessibility.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import {
  checkedRole,
  openGraphiql as openGraphiqlAt,
  openTab,
  play,
  roleOf,
  tabsOf,
  textOf,
  visit,
} from '../support/graphiql.ts'
import { type Program, startProgram } from '../support/program.ts'

const names = examples.map(nameOf)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-browser-'))
let program: Program
let browser: Browser
let base = ''

beforeAll(async () => {
  program = startProgram(['npm', 'start'], { DATA_DIR: join(folder, 'data') })
  ;[, base = ''] = await program.says(/Address +(\S+)/)
  browser = await openBrowser()
})

afterEach(async ({ task }) => browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(async () => {
  await browser?.close()
  program?.child.kill('SIGTERM')
  await program?.exit
  rmSync(folder, { recursive: true, force: true })
})

const openGraphiql = () => openGraphiqlAt(browser, base)

describe('the landing page', () => {
  test('the landing page leads to GraphiQL, the console, REST and the docs, in light and dark mode, on a screen and on a phone', async () => {
    const page = await browser.open()
    await page.goto(base)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('commerce-graph')
    await browser.shoot(page, 'start')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await browser.shoot(page, 'start-phone-dark')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 24, 23)')
    const doors = page.getByRole('navigation', { name: 'Ways in' }).getByRole('link')
    expect(await doors.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/graphql',
      '/explore',
      '#rest',
      '/docs',
    ])
    const lines = page.locator('details', { hasText: 'Get a subscription product' })
    expect(await lines.getAttribute('open')).toBeNull()
    await page.getByRole('link', { name: 'REST' }).click()
    await expect.poll(() => lines.getAttribute('open')).toBe('')
    await page.getByRole('link', { name: 'GraphiQL' }).click()
    await page.waitForURL(`${base}/graphql`)
  })

  test('the landing page and /explore count the same products', async () => {
    const page = await browser.open()
    await page.goto(base)
    const counted = await page.locator('#shop > p').textContent()
    await page.goto(`${base}/explore?role=shopper`)
    await page.locator('.card').first().waitFor()
    const [, count] = /^(\d+) products$/.exec((await page.locator('.pages [role="status"]').textContent()) ?? '') ?? []
    expect(Number(count)).toBeGreaterThan(40)
    expect(counted).toContain(`${count} products.`)
  })

  test('the landing page shows the shop as the graph shows it to a shopper, copies a block by its button, and has its blocks in the order of Tab', async () => {
    const page = await browser.open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(base)
    await page.locator('#shop .cards a').first().waitFor()
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await page.locator('#shop').getAttribute('data-token')}`,
    }
    const query = `{ storefront { latestRelease { menu(depth: 1) { node {
      name children { nodes { name } }
      products(first: 4, groupVariants: true) { nodes { name mainImage { url } price { amount { formatted } changesAt } priceRange { min { formatted } max { formatted } } } }
    } } } } }`
    const { data } = await (
      await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    ).json()
    type Shown = {
      name: string
      mainImage: { url: string }
      price: { amount: { formatted: string }; changesAt: string | null }
      priceRange: { min: { formatted: string }; max: { formatted: string } }
    }
    type Top = { name: string; children: { nodes: { name: string }[] }; products: { nodes: Shown[] } }
    const tops: Top[] = data.storefront.latestRelease.menu.map(({ node }: { node: Top }) => node)
    const products = tops.flatMap((top) => top.products.nodes)
    const shown = page.locator('#shop .cards a')
    const cards = await shown.allTextContents()
    expect(cards).toHaveLength(products.length)
    products.forEach(({ name, price, priceRange: { min, max } }, at) => {
      expect(cards[at]?.startsWith(name)).toBe(true)
      expect(cards[at]).toContain(min.formatted === max.formatted ? price.amount.formatted : `from ${min.formatted}`)
    })
    expect(
      await shown.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('src'))),
    ).toEqual(products.map(({ mainImage }) => mainImage.url))
    expect(await page.locator('#shop > p').textContent()).toMatch(
      products.some(({ price }) => price.changesAt !== null)
        ? /The next of the prices below changes on .*, \d+:\d\d [AP]M UTC\.$/
        : /None of the prices below is scheduled to change\.$/,
    )
    expect(await page.locator('#shop h3').allTextContents()).toEqual(tops.map(({ name }) => name))
    const places = await page.locator('#shop .places a').allTextContents()
    expect(places.sort()).toEqual(tops.flatMap(({ children }) => children.nodes.map(({ name }) => name)).sort())
    await page.getByText('From a shell').click()
    await page.getByRole('button', { name: 'Copy' }).nth(2).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await page.locator('pre').nth(2).textContent())
    await browser.shoot(page, 'start-shop')
    const reached = new Set<unknown>()
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate('[...document.querySelectorAll("pre")].indexOf(document.activeElement)'))
    }
    expect([reached.has(3), reached.has(4)]).toEqual([true, true])
  })

  test('the landing page says that the shop could not be read when the graph refuses the query, and not that nothing is published', async () => {
    const page = await browser.open()
    const errors = [{ message: 'too many requests' }]
    await page.route('**/graphql', (route) =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify({ errors }) }),
    )
    await page.goto(base)
    await expect
      .poll(() => page.locator('#shop').textContent())
      .toBe('The shop could not be read; reload the page to try again.')
  })

  test('the products, the tree and the examples of the landing page are links to where they are shown; axe finds nothing serious', async () => {
    const page = await browser.open()
    const start = async (): Promise<void> => {
      await page.goto(base)
      await page.locator('#shop .cards a').first().waitFor()
    }
    await start()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsIn(page)).toEqual([])
    }
    const product = page.locator('#shop .cards a').first()
    const name = (await product.locator('.name').textContent()) ?? ''
    await product.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.getByLabel('Role').inputValue()).toBe('shopper')
    await start()
    await page.locator('#shop').getByRole('link', { name: 'Single Origin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Single Origin' }).waitFor()
    await start()
    await visit(page, () => page.getByRole('link', { name: 'PriceBook', exact: true }).click())
    await expect.poll(() => textOf(page, 'operation.graphql')).toContain('PriceBook')
    expect(await roleOf(page)).toBe('admin')
  })
})

describe('GraphiQL', () => {
  test('GraphiQL opens with the examples; the play button runs the first and shows a page of the store', async () => {
    const page = await openGraphiql()
    expect(await tabsOf(page).allTextContents()).toEqual(names)
    const { data } = await play(page)
    expect(data.storefront.latestRelease.node.products.nodes[0].name).toBe('Colombia Huila')
    await page.getByText('"Colombia Huila"').waitFor()
    await browser.shoot(page, 'graphiql')
  })

  test('every example of GraphiQL runs as it is', async () => {
    const page = await openGraphiql()
    for (const name of names) {
      await openTab(page, name)
      const { right } = examples[names.indexOf(name)] as (typeof examples)[number]
      await expect.poll(() => roleOf(page)).toBe(right === 'anyone' ? 'shopper' : 'admin')
      expect(await checkedRole(page)).toBe(await roleOf(page))
      const { data, errors, extensions } = await play(page)
      expect([name, errors]).toEqual([name, undefined])
      expect(extensions.cost.figure).toBeGreaterThan(0)
      const payloads = Object.values<{ userErrors?: unknown[] } | null>(data)
      expect(payloads.flatMap((payload) => payload?.userErrors ?? [])).toEqual([])
      await browser.shoot(page, `graphiql-${name}`)
    }
  })

  test('GraphiQL sends the chosen token, shopper or admin, from the tab and from new ones, and still does after a reload', async () => {
    const page = await openGraphiql()
    await openTab(page, 'PriceBook')
    expect(await checkedRole(page)).toBe('admin')
    await page.getByText('shopper', { exact: true }).click()
    await expect.poll(() => roleOf(page)).toBe('shopper')
    expect((await play(page)).errors[0].extensions.code).toBe('FORBIDDEN')
    await browser.shoot(page, 'graphiql-shopper')
    await openTab(page, 'ChangePrice')
    await expect.poll(() => roleOf(page)).toBe('admin')
    await page.getByRole('button', { name: 'New tab' }).click()
    await expect.poll(() => roleOf(page)).toBe('shopper')
    await openTab(page, 'PriceBook')
    await visit(page, () => page.reload())
    await expect.poll(() => roleOf(page)).toBe('shopper')
    expect(await checkedRole(page)).toBe('shopper')
    expect((await play(page)).errors[0].extensions.code).toBe('FORBIDDEN')
    await page.getByText('admin', { exact: true }).click()
    await expect.poll(() => roleOf(page)).toBe('admin')
    expect((await play(page)).errors).toBeUndefined()
  })

  test('GraphiQL stores tabs but no token between visits; Examples opens those that are closed, and keeps tabs of one’s own', async () => {
    const page = await openGraphiql()
    await page.getByRole('button', { name: 'New tab' }).click()
    await expect
      .poll(() => page.evaluate('JSON.parse(localStorage["graphiql:tabState"]).tabs.length'))
      .toBe(names.length + 1)
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/eyJ/)
    await page.evaluate(
      `monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('operation.graphql')).setValue('query Mine($on: Boolean = true) { __typename @include(if: $on) }')`,
    )
    await expect.poll(() => tabsOf(page).allTextContents()).toEqual([...names, 'Mine'])
    await openTab(page, 'PriceBook')
    await page.locator('.graphiql-tab', { hasText: 'PriceBook' }).getByRole('button', { name: 'Close Tab' }).click()
    await expect
      .poll(() => tabsOf(page).allTextContents())
      .toEqual([...names.filter((name) => name !== 'PriceBook'), 'Mine'])
    await expect
      .poll(() => page.evaluate('JSON.parse(localStorage["graphiql:tabState"]).tabs.length'))
      .toBe(names.length)
    await visit(page, () => page.reload())
    await visit(page, () => page.getByRole('button', { name: 'Examples' }).click())
    await expect
      .poll(() => tabsOf(page).allTextContents())
      .toEqual([...names.filter((name) => name !== 'PriceBook'), 'Mine', 'PriceBook'])
    await openTab(page, 'Mine')
    expect(await textOf(page, 'operation.graphql')).toBe(
      'query Mine($on: Boolean = true) { __typename @include(if: $on) }',
    )
    await openTab(page, 'PriceBook')
    await expect.poll(() => roleOf(page)).toBe('admin')
    expect((await play(page)).errors).toBeUndefined()
  })

  test.each([
    [1280, 800],
    [390, 844],
  ])('at %i pixels each tab of GraphiQL can be reached, and editor and response have room', async (width, height) => {
    const page = await openGraphiql()
    await page.setViewportSize({ width, height })
    for (const name of [names[6], names.at(-1), names[0]] as string[]) {
      await openTab(page, name)
      const box = await tabsOf(page).getByText(name, { exact: true }).boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
    await play(page)
    await browser.shoot(page, `graphiql-${width}`)
    for (const part of ['.graphiql-query-editor', '.graphiql-response']) {
      const room = await page.locator(part).boundingBox()
      expect([part, (room?.width ?? 0) >= 300, (room?.height ?? 0) >= 200]).toEqual([part, true, true])
    }
  })

  test('GraphiQL knows the schema, by documentation and completion', async () => {
    const page = await openGraphiql()
    await page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await page.getByRole('link', { name: 'Query' }).click()
    await page.getByText('The catalog that the catalog rules choose').waitFor()
    await browser.shoot(page, 'graphiql-docs')
    expect(browser.requests.filter((url) => url.endsWith('/graphql.worker.js')).length).toBeGreaterThan(0)
  })
})

test('no page logged an error or sent a request to another origin', () => {
  expect(browser.complaints).toEqual([])
  expect(browser.requests.length).toBeGreaterThan(20)
  expect(browser.requests.filter((url) => new URL(url).origin !== base)).toEqual([])
})
