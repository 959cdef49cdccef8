/** The page /docs on the demo store: the OpenAPI document as a person reads it, and tries it. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore } from '../support/explore.ts'

let explore: Explore
let document: Answer

beforeAll(async () => {
  explore = await startExplore()
  document = await (await fetch(`${explore.base}/openapi.json`)).json()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

/** Operations by their first path; the others are aliases. */
const operations = () => allOperations().filter(({ operationId }) => !/Alias\d+$/.test(operationId))

const allOperations = () =>
  Object.entries<Answer>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Answer>(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )

async function openDocs(): Promise<Page> {
  const page = await explore.browser.open()
  await page.goto(`${explore.base}/docs`)
  await expect.poll(() => page.locator('.opblock').count()).toBe(operations().length)
  return page
}

/** Opens an operation and returns it. */
async function unfold(page: Page, tag: string, operationId: string) {
  const block = page.locator(`[id="operations-${tag}-${operationId}"]`)
  await block.locator('.opblock-summary-control').click()
  await block.locator('.opblock-body').waitFor()
  return block
}

test('/docs lists every operation of the document, in light and dark, on a screen and on a phone', async () => {
  const page = await openDocs()
  const listed = await page
    .locator('.opblock')
    .evaluateAll((blocks) =>
      blocks.map((block) =>
        ['.opblock-summary-method', '.opblock-summary-path'].map((part) =>
          block.querySelector(part)?.textContent?.replaceAll('\u200b', ''),
        ),
      ),
    )
  expect(listed.toSorted()).toEqual(
    operations()
      .map(({ method, path }) => [method, path])
      .toSorted(),
  )
  await explore.inspect(page, 'docs')
  await page.getByRole('link', { name: 'commerce-graph' }).click()
  await page.waitForURL(`${explore.base}/`)
})

test('/docs begins with tokens, filters, pages and errors, and names the other paths of an operation', async () => {
  const page = await openDocs()
  const introduction = await page.locator('.info .description').textContent()
  for (const word of ['Tokens.', 'Filters.', 'Pages.', 'Errors.']) expect(introduction).toContain(word)
  const block = await unfold(page, 'Subscriptions', 'getSubscription')
  const aliases = allOperations().filter(({ operationId }) => operationId.startsWith('getSubscriptionAlias'))
  expect(aliases.length).toBeGreaterThan(0)
  const described = await block.locator('.opblock-description').textContent()
  for (const { path } of aliases) expect(described).toContain(path)
})

test('an operation of /docs shows its examples, and sends them with the demo’s token or one that is pasted in', async () => {
  const page = await openDocs()
  const block = await unfold(page, 'Price_books', 'addProductPrice')
  const operation = document.paths['/pcm/pricebooks/{pricebook_id}/prices'].post
  await expect.poll(() => block.locator('.body-param__example').textContent()).toContain('"TEA-1"')
  const shown = await block.locator('.responses-table .response[data-code="201"] .example').textContent()
  expect(JSON.parse(shown ?? '')).toEqual(operation.responses[201].content['application/json'].example)
  await explore.inspect(page, 'docs-operation')
  await block.getByRole('button', { name: 'Try it out' }).click()
  const send = async () => {
    const sent = page.waitForResponse((response) => response.request().method() === 'POST')
    await block.locator('.execute').click()
    return (await sent).status()
  }
  expect(await send()).toBe(201)
  await expect
    .poll(() => block.locator('.live-responses-table .response-col_status').last().textContent())
    .toContain('201')
  await explore.inspect(page, 'docs-tried')
  // A shopper's token, pasted in instead of the demo's.
  const shopper = await fetch(`${explore.base}/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'implicit', client_id: 'demo' }),
  })
  const { access_token: token } = (await shopper.json()) as { access_token: string }
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await explore.inspect(page, 'docs-token')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.locator('#auth-bearer-value').fill(token)
  await page.locator('.modal-ux').getByRole('button', { name: 'Authorize' }).click()
  await page.locator('.modal-ux .btn-done').click()
  expect(await send()).toBe(403)
})

test('/docs logged no error, and sent no request to another origin', () => {
  // The last try is refused, as it should be.
  expect(explore.browser.complaints.filter((text) => !text.includes('403 (Forbidden)'))).toEqual([])
  expect(explore.browser.requests.filter((url) => new URL(url).origin !== explore.base)).toEqual([])
})
