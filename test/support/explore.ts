/** The page /explore of a server with the demo store, opened in a browser, and the graph asked directly. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsIn } from './accessibility.ts'
import { type Browser, openBrowser } from './browser.ts'
import { copyDemoStore } from './demo-store.ts'
import { startProgram } from './program.ts'
import { startCommand } from './start-command.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export type Answer = any

/** An open browser beside a running server. */
export interface Explore {
  readonly base: string
  readonly folder: string
  readonly browser: Browser
  /** What the graph responds to an administrator. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Answer>
  /** Calls a mutation, which must have no user errors; its payload with the fields `result`. */
  act(name: string, inputType: string, input: Answer, result?: string): Promise<Answer>
  /** Fields of the shop's latest release in euros; `at` is a further argument of `@inContext`. */
  latest(fields: string, at?: string): Promise<Answer>
  /** Opens an address and waits until every query of it has its result. */
  open(query: string): Promise<Page>
  /**
   * Nothing is wider than the screen and axe finds nothing serious, on a wide screen, a usual one and a phone, of which
   * one is dark. With SCREENSHOTS each in both schemes, and a picture of each.
   */
  inspect(page: Page, name: string): Promise<void>
  stop(): Promise<void>
}

/** Starts it on the demo store, or on what `fill` writes into its DATA_DIR. */
export async function startExplore(
  fill: (dataDir: string) => Promise<void> | void = copyDemoStore,
  environment: Readonly<Record<string, string>> = {},
): Promise<Explore> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-explore-'))
  const dataDir = join(folder, 'data')
  await fill(dataDir)
  const program = startProgram(startCommand(), { DATA_DIR: dataDir, ...environment })
  const [, base = ''] = await program.says(/Address +(\S+)/)
  const token = await adminToken(base, 'demo', 'demo-secret')
  const browser = await openBrowser()
  const ask: Explore['ask'] = async (query, variables = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Answer; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  return {
    base,
    folder,
    browser,
    ask,
    async act(name, inputType, input, result = '') {
      const query = `mutation Act($input: ${inputType}!) { ${name}(input: $input) { ${result} userErrors { message } } }`
      const payload = (await ask(query, { input }))[name]
      expect(payload.userErrors).toEqual([])
      return payload
    },
    latest: async (fields, at = '') =>
      (await ask(`query Expected @inContext(currency: "EUR" ${at}) { storefront { latestRelease { ${fields} } } }`))
        .storefront.latestRelease,
    async open(query) {
      const page = await browser.open()
      await page.goto(`${base}/explore${query}`)
      await settle(page)
      return page
    },
    inspect: (page, name) => inspect(browser, page, name),
    async stop() {
      await browser.close()
      program.child.kill('SIGTERM')
      await program.exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function adminToken(server: string, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const response = await fetch(`${server}/oauth/access_token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

export const texts = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

/** Opens the chip of a setting, such as `Currency`; its control, in the panel that opens. */
export async function openChip(page: Page, label: string): Promise<Locator> {
  const context = page.locator('.context-button[aria-expanded="false"]')
  if (await context.isVisible()) await context.click()
  await chip(page, label).click()
  return page.locator('.chip-panel').getByLabel(label)
}
export const chip = (page: Page, label: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${label}: `) })

/** Types a value of a setting, and enters it. */
export async function choose(page: Page, label: string, value: string): Promise<void> {
  const input = await openChip(page, label)
  await input.fill(value)
  await input.press('Enter')
}

/** Waits until every query of the page has its result. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h1, main .empty').first().waitFor()
  await expect.poll(() => page.locator('.loading, [aria-busy="true"]').count()).toBe(0)
}

/** Colours are those of the scheme, whatever the width, so that each width and each scheme is looked at once. */
const looks = [
  ['light', 1920],
  ['dark', 1280],
  ['light', 390],
] as const

const everyLook = (['light', 'dark'] as const).flatMap((scheme) =>
  [1920, 1280, 390].map((width) => [scheme, width] as const),
)

/** See `Explore`; axe looks at `part` of the page alone. */
export async function inspect(browser: Browser, page: Page, name: string, part = 'html'): Promise<void> {
  for (const [colorScheme, width] of process.env.SCREENSHOTS ? everyLook : looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 850 })
    // The new colours and the new width arrive by listeners of media queries, by transitions and by observers of the
    // size.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await expect
      .poll(() => page.evaluate('document.getAnimations().filter((one) => one instanceof CSSTransition).length'))
      .toBe(0)
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: name }).toBe(width)
    // What is read again is paler meanwhile.
    await expect.poll(() => seriousIn(page, part), { message: `${name}, ${colorScheme}, ${width}` }).toEqual([])
    await browser.shoot(page, `explore-${name}-${colorScheme}-${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 850 })
}

/** What axe finds serious in a part of a page. */
async function seriousIn(page: Page, part: string): Promise<unknown[]> {
  return (await violationsIn(page, part)).filter(([, impact]) => impact === 'serious' || impact === 'critical')
}

/** The fields of a product that a card shows. */
export const listed =
  'name sku price { amount { formatted } sale { name } } priceRange { min { amount formatted } max { amount } }'

/** A list's lines as cards show them. */
export const linesOf = (nodes: Answer): Answer[] =>
  nodes.map(({ name, sku, price, priceRange }: Answer) =>
    priceRange.min.amount === priceRange.max.amount
      ? [name, sku ?? '', price.amount.formatted, price.sale?.name ?? null]
      : [name, sku ?? '', priceRange.min.formatted, null],
  )
export const cards = (page: Page): Promise<unknown> =>
  page
    .locator('.card')
    .evaluateAll((links) =>
      links.map((link) => ['.name', '.sku', 'b', '.sale'].map((part) => link.querySelector(part)?.textContent ?? null)),
    )
