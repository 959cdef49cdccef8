import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { examples, nameOf } from '../../src/graphql/server/examples.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
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

/** The text of one of GraphiQL's editors. */
const textOf = (page: Page, editor: 'operation.graphql' | 'variables.json' | 'request-headers.json' | 'response.json') =>
  page.evaluate((name) => {
    interface Model {
      readonly uri: { readonly path: string }
      getValue(): string
    }
    const { monaco } = globalThis as unknown as { monaco: { editor: { getModels(): Model[] } } }
    return (
      monaco.editor
        .getModels()
        .find(({ uri }) => uri.path.endsWith(name))
        ?.getValue() ?? ''
    )
  }, editor)

/** The tabs by their names. */
const tabsOf = (page: Page) => page.locator('.graphiql-tab-button')

/** Goes somewhere and waits until the schema has come and the four editors are there and filled in. */
async function visit(page: Page, go: () => Promise<unknown>): Promise<void> {
  const schema = page.waitForResponse((response) => (response.request().postData() ?? '').includes('IntrospectionQuery'))
  await go()
  await schema
  await expect.poll(() => page.locator('.monaco-editor .view-lines').count()).toBe(4)
  await expect.poll(() => textOf(page, 'request-headers.json')).toContain('Bearer')
}

async function openGraphiql(): Promise<Page> {
  const page = await browser.open()
  await visit(page, () => page.goto(`${base}/graphql`))
  return page
}

async function openTab(page: Page, name: string): Promise<void> {
  await tabsOf(page).getByText(name, { exact: true }).click()
  await expect.poll(() => textOf(page, 'operation.graphql')).toContain(` ${name}(`)
  // GraphiQL shows a tab a moment before it has parsed the tab's operation, and emits no event when it has.
  await page.waitForTimeout(1_500)
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
async function play(page: Page): Promise<any> {
  // The page requests the schema by itself.
  const responded = page.waitForResponse((response) => {
    const body = response.request().postData() ?? 'IntrospectionQuery'
    return response.url().endsWith('/graphql') && !body.includes('IntrospectionQuery')
  })
  await page.locator('.graphiql-execute-button').click()
  const response = await (await responded).json()
  await expect.poll(async () => JSON.parse((await textOf(page, 'response.json')) || '{}').data).toEqual(response.data)
  return response
}

const roleOf = async (page: Page): Promise<string> => {
  const { Authorization } = JSON.parse(await textOf(page, 'request-headers.json')) as { Authorization: string }
  return JSON.parse(Buffer.from(Authorization.split('.')[1] ?? '', 'base64url').toString()).role
}

describe('the landing page', () => {
  test('links to GraphiQL, in light and dark mode, on a screen and on a phone', async () => {
    const page = await browser.open()
    await page.goto(base)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('commerce-graph')
    await browser.shoot(page, 'start')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await browser.shoot(page, 'start-phone-dark')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 24, 23)')
    await page.getByRole('link', { name: 'GraphiQL' }).click()
    await page.waitForURL(`${base}/graphql`)
  })
})

describe('GraphiQL', () => {
  test('opens with the examples; the play button runs the first and shows a page of the store', async () => {
    const page = await openGraphiql()
    expect(await tabsOf(page).allTextContents()).toEqual(names)
    expect(await roleOf(page)).toBe('admin')
    const { data } = await play(page)
    expect(data.storefront.latestRelease.node.products.nodes[0].name).toBe('Colombia Huila')
    await page.getByText('"Colombia Huila"').waitFor()
    await browser.shoot(page, 'graphiql')
  })

  test('every example runs as it is', async () => {
    const page = await openGraphiql()
    for (const name of names) {
      await openTab(page, name)
      const { data, errors } = await play(page)
      expect([name, errors]).toEqual([name, undefined])
      const payloads = Object.values<{ userErrors?: unknown[] } | null>(data)
      expect(payloads.flatMap((payload) => payload?.userErrors ?? [])).toEqual([])
      await browser.shoot(page, `graphiql-${name}`)
    }
  })

  test('sends the chosen token, shopper or admin, in each tab', async () => {
    const page = await openGraphiql()
    await page.getByText('shopper', { exact: true }).click()
    expect(await roleOf(page)).toBe('shopper')
    expect((await play(page)).errors).toBeUndefined()
    await openTab(page, 'PriceBook')
    await expect.poll(() => roleOf(page)).toBe('shopper')
    expect((await play(page)).errors[0].extensions.code).toBe('FORBIDDEN')
    await browser.shoot(page, 'graphiql-shopper')
    await page.getByRole('button', { name: 'New tab' }).click()
    await expect.poll(() => roleOf(page)).toBe('shopper')
    await page.getByText('admin', { exact: true }).click()
    await openTab(page, 'PriceBook')
    expect((await play(page)).errors).toBeUndefined()
  })

  test('stores tabs but no token between visits, and reopens the examples by its button', async () => {
    const page = await openGraphiql()
    await page.getByRole('button', { name: 'New tab' }).click()
    await expect.poll(() => page.evaluate('JSON.parse(localStorage["graphiql:tabState"]).tabs.length')).toBe(names.length + 1)
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/eyJ/)
    await visit(page, () => page.reload())
    await openTab(page, 'PriceBook')
    await expect.poll(() => roleOf(page)).toBe('admin')
    expect((await play(page)).errors).toBeUndefined()
    await page.getByRole('button', { name: 'Examples' }).click()
    await expect.poll(() => tabsOf(page).allTextContents()).toEqual(names)
  })

  test('knows the schema: documentation and completion', async () => {
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
