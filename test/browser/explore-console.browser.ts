/** What administrators look up in /explore: which catalog a shopper sees, what webhooks wait for. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

test('a shopper with the tag of members in a header sees the public catalog, and the rule says why; in the token the members’ one', async () => {
  const page = await explore.open('?view=rules&tag=member')
  await expect.poll(() => texts(page, '.verdict')).toEqual(['This shopper sees Storefront, since no rule matches.'])
  await page.getByText('Its catalog is confidential, and the token does not prove this').waitFor()
  await explore.inspect(page, 'rules')
  await page.getByLabel('channel and tags are in the token').check()
  await expect.poll(() => texts(page, '.verdict')).toEqual(['This shopper sees Members.'])
  expect(await texts(page, 'tr.chosen td')).toEqual(['Members (confidential)', 'tag member', '', 'Chosen'])
})

test('the catalog that the rules choose is looked at as its shoppers see it, also a confidential one, in every part of a page', async () => {
  const page = await explore.open('?view=rules&tag=member&proved=true&currency=EUR')
  await page.getByRole('link', { name: 'See its products and prices as this shopper does' }).click()
  await page.locator('.card').first().waitFor()
  await expect
    .poll(() => texts(page, '.pinned'))
    .toEqual(['You see the catalog Members as its shoppers doBack to the usual one'])
  const { catalogs } = await explore.ask('{ catalogs(first: 9) { nodes { id name } } }')
  const { id } = catalogs.nodes.find(({ name }: Answer) => name === 'Members')
  const { catalog } = await explore.ask(
    `query Members($id: ID!) @inContext(currency: "EUR") { catalog(id: $id) { latestRelease { product(by: { sku: "ETH-YIRG" }) {
      price { amount { formatted } sale { name } explanation { reason } } } } } }`,
    { id },
  )
  const { price } = catalog.latestRelease.product
  const card = page.locator('.card', { hasText: 'ETH-YIRG' })
  expect(await card.locator('b').textContent()).toBe(price.amount.formatted)
  await explore.inspect(page, 'another catalog')
  await card.click()
  await expect.poll(() => texts(page, '.large b')).toEqual([price.amount.formatted])
  // Why the price is that one is asked of the same catalog.
  await expect.poll(async () => (await texts(page, '.panel')).join()).toContain(price.sale.name)
  await page.getByRole('button', { name: 'Back to the usual one' }).click()
  const usual = (await explore.latest('product(by: { sku: "ETH-YIRG" }) { price { amount { formatted } } }')).product
  expect(usual.price.amount.formatted).not.toBe(price.amount.formatted)
  await expect.poll(() => texts(page, '.large b')).toEqual([usual.price.amount.formatted])
})

test('an account that no subscription and no rule names is said to be unknown, and a name leads to subscribers', async () => {
  const page = await explore.open('?view=rules&account=c0ffee00-00aa-4000-8000-0000000000ff')
  await expect
    .poll(() => texts(page, 'main [role="alert"]'))
    .toEqual(['No subscription or rule names this account. Is its id right? What follows is of any unknown account.'])
  await page.getByLabel('Account').fill('grace@example.com')
  await page.getByLabel('Account').press('Enter')
  await page.getByRole('link', { name: 'Find “grace@example.com” among the subscribers' }).click()
  await expect.poll(() => page.locator('.subscription').count()).toBe(1)
  const known = await explore.open('?view=rules&account=c0ffee00-00aa-4000-8000-000000000001')
  await known.locator('.verdict').waitFor()
  expect(await known.getByRole('alert').count()).toBe(0)
  expect(await texts(known, '.verdict')).toEqual(['This shopper sees Storefront, since no rule matches.'])
  await expect.poll(() => texts(known, '.account-names')).toEqual(['Account of Grace Hopper'])
  await known.getByRole('link', { name: 'See its products and prices as this shopper does' }).click()
  await expect
    .poll(() => texts(known, '.pinned'))
    .toEqual(['You see the catalog Storefront as the account of Grace Hopper doesBack to the usual one'])
  await known.getByRole('button', { name: 'Back to the usual one' }).click()
  await expect.poll(() => texts(known, '.pinned')).toEqual([])
})

test('a webhook is added by a form, which shows its secret once, and an address that is none is refused beside it', async () => {
  const page = await explore.open('?view=webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('Address').fill('ftp://127.0.0.1/hook')
  await page.getByLabel('product', { exact: true }).check()
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect.poll(() => texts(page, '.webhook-form .failed')).toHaveLength(1)
  await page.getByLabel('Address').fill('http://127.0.0.1:9/added')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect.poll(() => texts(page, '.secret')).toEqual([expect.stringMatching(/^whsec_/)])
  await expect.poll(() => texts(page, '.webhook h2')).toContain('http://127.0.0.1:9/added')
  await explore.inspect(page, 'webhook added')
  await page.reload()
  await page.locator('.webhook').first().waitFor()
  expect(await page.locator('.secret').count()).toBe(0)
  const { webhooks } = await explore.ask('{ webhooks(first: 100) { nodes { id url topics } } }')
  const added = webhooks.nodes.find(({ url }: Answer) => url === 'http://127.0.0.1:9/added')
  expect(added.topics).toEqual(['PRODUCT'])
  await explore.act('deleteWebhook', 'DeleteWebhookInput', { id: added.id })
})

test('a webhook tells its address, its topics and what waits; what could not be delivered is sent again', async () => {
  const url = 'http://127.0.0.1:9/hook'
  await explore.act('createWebhook', 'CreateWebhookInput', { url, topics: ['PRODUCT_PRICE'], isEnabled: false })
  const page = await explore.open('?view=webhooks')
  expect(await texts(page, '.webhook h2')).toEqual([url])
  expect((await texts(page, '.webhook p'))[0]).toBe('Paused, 0 events waiting. Sends product price.')
  // An event is given up after days, so the list of these is a made one.
  const sent: unknown[] = []
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON()
    if (query.includes('retryDeadLetters')) {
      sent.push(variables.input.events ?? 'all')
      const retryDeadLetters = { __typename: 'RetryDeadLettersPayload', retriedCount: 1, userErrors: [] }
      return route.fulfill({ json: { data: { retryDeadLetters } } })
    }
    if (!query.includes('query Webhooks')) return route.continue()
    const response = await route.fetch()
    const body = await response.json()
    const letter = {
      ...{ __typename: 'WebhookDeadLetter', key: 'e1', type: 'commerce.product_price.updated', attempts: 12 },
      ...{ at: '2026-11-28T07:00:00.000Z', failedAt: '2026-11-28T09:00:00.000Z', failure: 'status 500' },
      recordKey: demoIds.account,
    }
    if (body.data?.webhooks) body.data.webhooks.nodes[0].deadLetters = { totalCount: 1, nodes: [letter] }
    return route.fulfill({ response, json: body })
  })
  await page.reload()
  await page.getByText('1 event could not be delivered.').waitFor()
  await explore.inspect(page, 'webhooks')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('1 event will be sent again.').waitFor()
  await page.getByRole('button', { name: 'Send all again' }).click()
  await expect.poll(() => sent).toEqual([['e1'], 'all'])
  // A list that is read again may be on its way.
  await page.unrouteAll({ behavior: 'wait' })
})

test('a shopper has no links to what is for administrators', async () => {
  const page = await explore.open('?role=shopper')
  expect(await texts(page, 'header nav a')).toEqual(['Catalog', 'Releases', 'Subscriptions'])
})
