/** The page /explore while its server restarts: it says that it is not live, and is again once the server is back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { copyDemoStore } from '../support/demo-store.ts'
import { adminToken, cards, settle, texts } from '../support/explore.ts'
import { type Program, startProgram } from '../support/program.ts'
import { startCommand } from '../support/start-command.ts'

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const priceBookId = 'c0ffee00-0001-4000-8000-000000000001'
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-live-'))
const dataDir = join(folder, 'data')
let program: Program | undefined
let browser: Browser | undefined

async function start(port: string): Promise<string> {
  program = startProgram(startCommand(), { DATA_DIR: dataDir, PORT: port })
  const [, base = ''] = await program.says(/Address +(\S+)/)
  return base
}

async function stop(): Promise<void> {
  program?.child.kill('SIGTERM')
  await program?.exit
}

afterAll(async () => {
  await browser?.close()
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a price that changes after the server restarted is shown without a reload', async () => {
  copyDemoStore(dataDir)
  const base = await start('0')
  const token = await adminToken(base, 'demo', 'demo-secret')
  const ask = async (query: string, variables: Record<string, unknown>) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
    return ((await response.json()) as any).data
  }
  browser = await openBrowser()
  const page = await browser.open()
  await page.goto(`${base}/explore?currency=EUR&path=coffee/single-origin`)
  await settle(page)
  const priceOf = async () => ((await cards(page)) as string[][]).find(([, sku]) => sku === 'SUM-MANDH')?.[2]
  expect(await priceOf()).toBe('€12.90')
  const loads = () => browser?.requests.filter((url) => url.includes('/explore?')).length
  const before = loads()

  await stop()
  await expect.poll(() => texts(page, '.notice')).toEqual(['Not live: the connection is lost, and is tried again.'])
  expect(await priceOf()).toBe('€12.90')
  await start(new URL(base).port)
  const { priceBook } = await ask(
    'query Price($id: ID!) { priceBook(id: $id) { prices(first: 1, filter: { sku: { eq: "SUM-MANDH" } }) { nodes { id } } } }',
    { id: priceBookId },
  )
  const prices = [{ currency: 'EUR', price: { amount: 1111 } }]
  await ask(
    'mutation Change($input: UpdateProductPriceInput!) { updateProductPrice(input: $input) { userErrors { message } } }',
    {
      input: { id: priceBook.prices.nodes[0].id, prices },
    },
  )
  await ask(
    'mutation Publish($input: PublishReleaseInput!) { publishRelease(input: $input) { userErrors { message } } }',
    {
      input: { catalogId },
    },
  )
  await expect.poll(priceOf).toBe('€11.11')
  await expect.poll(() => texts(page, '.notice')).toEqual([''])
  // The streams that were opened again report the next change.
  prices[0] = { currency: 'EUR', price: { amount: 1222 } }
  await ask(
    'mutation Change($input: UpdateProductPriceInput!) { updateProductPrice(input: $input) { userErrors { message } } }',
    {
      input: { id: priceBook.prices.nodes[0].id, prices },
    },
  )
  await ask(
    'mutation Publish($input: PublishReleaseInput!) { publishRelease(input: $input) { userErrors { message } } }',
    {
      input: { catalogId },
    },
  )
  await expect.poll(priceOf).toBe('€12.22')
  expect(loads()).toBe(before)
})
