/** What the page /explore changes, and what others change while it is open. */
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Answer, cards, type Explore, settle, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const ask: Explore['ask'] = (...query) => explore.ask(...query)
const open: Explore['open'] = (query) => explore.open(query)

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const sumatra = 'query Named { storefront { latestRelease { product(by: { sku: "SUM-MANDH" }) { product { id } } } } }'

async function rename(name: string): Promise<void> {
  const { id } = (await ask(sumatra)).storefront.latestRelease.product.product
  const { updateProduct } = await ask(
    'mutation Rename($id: ID!, $name: String) { updateProduct(input: { id: $id, name: $name }) { userErrors { message } } }',
    { id, name },
  )
  expect(updateProduct.userErrors).toEqual([])
}

describe('releases', () => {
  test('releases in /explore are listed, compared with the draft, and published after a dry run, which open pages show at once', async () => {
    const category = await open('?currency=EUR&path=coffee/single-origin')
    await rename('Sumatra Lintong')
    const page = await open('?view=releases')
    const { catalog } = await ask(
      'query Releases($id: ID!) { catalog(id: $id) { releases(first: 20) { totalCount nodes { productCount history(last: 1) { nodes { subject } } } } draft { productCount } } }',
      { id: catalogId },
    )
    const counts = [catalog.draft, ...catalog.releases.nodes].map(({ productCount }: Answer) => String(productCount))
    expect(await texts(page, '.releases .count')).toEqual(counts)
    const authors = catalog.releases.nodes.map(({ history }: Answer) => history.nodes[0].subject)
    expect(await texts(page, '.releases td:nth-child(4)')).toEqual(['', ...authors])
    expect(authors).toContain('import')
    await expect.poll(() => texts(page, '.releases tr:first-child .choices')).toContain('with the latest: 1 product')
    await page.getByRole('row', { name: /Draft/ }).getByRole('link', { name: 'with the latest' }).click()
    await expect.poll(() => texts(page, '.changes td')).toEqual(['Sumatra Mandheling', 'Sumatra Lintong', '', 'name'])
    expect((await texts(page, '.summary'))[0]).toMatch(/^0 added, 0 removed, 1 changed/)
    await explore.inspect(page, 'draft')
    await page.reload()
    await page.getByRole('button', { name: 'Check and publish…' }).click()
    await page.getByText(`It would show ${catalog.draft.productCount} products`).waitFor()
    const { catalog: untouched } = await ask('query Count($id: ID!) { catalog(id: $id) { releases { totalCount } } }', {
      id: catalogId,
    })
    expect(untouched.releases.totalCount).toBe(catalog.releases.totalCount)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect.poll(() => texts(page, '.releases .count')).toHaveLength(counts.length + 1)
    await expect.poll(() => cards(category)).toContainEqual(['Sumatra Lintong', 'SUM-MANDH', '€12.90', null])
    await page.getByRole('link', { name: 'with the one before' }).click()
    await expect
      .poll(() => page.locator('.difference h2').textContent())
      .toMatch(/^What differs in release \d+ from release \d+$/)
    await expect.poll(() => texts(page, '.changes td')).toEqual(['Sumatra Mandheling', 'Sumatra Lintong', '', 'name'])
    await page.getByRole('row').nth(3).getByRole('link', { name: 'with the latest' }).click()
    await page.getByRole('button', { name: 'Make it the latest…' }).click()
    await page.getByRole('button', { name: 'Yes, make it the latest' }).click()
    await expect.poll(() => cards(category)).toContainEqual(['Sumatra Mandheling', 'SUM-MANDH', '€12.90', null])
  })

  test('any two releases are compared by the choices of the page', async () => {
    const query =
      'query Releases($id: ID!) { catalog(id: $id) { releases(first: 20) { nodes { id sequence publishedAt } } } }'
    const { nodes } = (await ask(query, { id: catalogId })).catalog.releases
    expect(nodes.length).toBeGreaterThan(1)
    const [newest, oldest] = [nodes[0], nodes.at(-1)]
    const page = await open('?view=releases')
    await page.getByLabel('Compare release').selectOption(oldest.id)
    await page.getByLabel('with release').selectOption(newest.id)
    const date = new Date(newest.publishedAt).toLocaleString('en-US', {
      ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
      timeZoneName: 'short',
    })
    expect(
      await page
        .getByLabel('with release')
        .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent),
    ).toBe(`${newest.sequence} · ${date}`)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page
      .getByRole('heading', { name: `What differs in release ${oldest.sequence} from release ${newest.sequence}` })
      .waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe(newest.id)
    const { catalog } = await ask(
      `query Between($id: ID!, $from: ID!, $to: ID!) { catalog(id: $id) { release(id: $to) { summarySince(releaseId: $from) { added removed changed }
        changesSince(releaseId: $from, first: 100) { nodes { after { name } } } } } }`,
      { id: catalogId, from: newest.id, to: oldest.id },
    )
    const { summarySince: counts, changesSince } = catalog.release
    expect((await texts(page, '.summary'))[0]).toContain(
      `${counts.added} added, ${counts.removed} removed, ${counts.changed} changed`,
    )
    const names = changesSince.nodes.map(({ after }: Answer) => after?.name ?? '').sort()
    await expect.poll(async () => (await texts(page, '.changes td:nth-child(3)')).sort()).toEqual(names)
    await explore.inspect(page, 'compared')
  })

  test('a release is scheduled for an instant, and withdrawn', async () => {
    const scheduled = async (): Promise<Answer[]> =>
      (
        await ask('query Scheduled($id: ID!) { catalog(id: $id) { scheduledReleases { id scheduledFor } } }', {
          id: catalogId,
        })
      ).catalog.scheduledReleases
    await rename('Sumatra Takengon')
    const page = await open('?view=releases&from=latest&to=draft')
    await page.getByRole('button', { name: 'Check and publish…' }).click()
    const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000)
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await page.getByLabel(`At (${Intl.DateTimeFormat().resolvedOptions().timeZone})`, { exact: true }).fill(local)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText(/^Release \d+ is scheduled\.$/).waitFor()
    const [release, ...others] = await scheduled()
    expect([release.scheduledFor, others]).toEqual([at.toISOString(), []])
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Scheduled', exact: true }) })
    await expect.poll(() => row.locator('time').getAttribute('datetime')).toBe(at.toISOString())
    await row.getByRole('link', { name: 'with the latest' }).click()
    await page.getByRole('button', { name: 'Withdraw…' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw' }).click()
    await expect.poll(scheduled).toEqual([])
    await expect.poll(() => row.count()).toBe(0)
  })

  test('releases that were published are shown on pages of a list that were read before, each by one query', async () => {
    const page = await open('?currency=EUR&path=coffee/single-origin&order=name')
    const order = page.getByLabel('Order')
    const names = (): Promise<string[]> => texts(page, '.card .name')
    const [first] = await names()
    await order.selectOption('-price')
    await expect.poll(async () => (await names())[0]).not.toBe(first)
    const asked: string[] = []
    page.on('request', (request) => asked.push(/query Listing/.exec(request.postData() ?? '')?.[0] ?? ''))
    const listings = (): number => asked.filter(Boolean).length
    await rename('Sumatra Aceh')
    await explore.act('publishRelease', 'PublishReleaseInput', { catalogId })
    await expect.poll(names).toContain('Sumatra Aceh')
    await settle(page)
    expect(listings()).toBe(1)
    await order.selectOption('name')
    await expect.poll(async () => (await names())[0]).toBe(first)
    await settle(page)
    expect(await names()).toContain('Sumatra Aceh')
    expect(listings()).toBe(2)
    await rename('Sumatra Mandheling')
    await explore.act('publishRelease', 'PublishReleaseInput', { catalogId })
  })

  test('releases are listed for a shopper without what is for administrators', async () => {
    const page = await open('?view=releases&role=shopper')
    expect((await texts(page, '.releases tbody th')).includes('Draft')).toBe(false)
    expect((await texts(page, '.releases td')).includes('Latest')).toBe(true)
  })
})

describe('a sale', () => {
  test('a sale changes the price that is shown at the instants at which it begins and ends, without a reload', async () => {
    const { priceBook } = await ask(
      'query Price($id: ID!) { priceBook(id: $id) { prices(first: 1, filter: { sku: { eq: "SUM-MANDH" } }) { nodes { id } } } }',
      { id: 'c0ffee00-0001-4000-8000-000000000001' },
    )
    // What the draft has changed otherwise is shown before.
    await explore.act('publishRelease', 'PublishReleaseInput', { catalogId })
    const category = await open('?currency=EUR&path=coffee/single-origin')
    const shown = async (): Promise<unknown> =>
      ((await cards(category)) as unknown[][]).find(([, sku]) => sku === 'SUM-MANDH')
    const before = await shown()
    expect(before).toContain('€12.90')
    const loads = explore.browser.requests.filter((url) => url.includes('/explore?')).length
    // Time enough to publish the sale, and to show it before it ends.
    const start = Date.now() + 8_000
    const end = start + 10_000
    const input = {
      productPriceId: priceBook.prices.nodes[0].id,
      name: 'Flash',
      prices: [{ currency: 'EUR', price: { amount: 199 } }],
      schedule: { validFrom: new Date(start).toISOString(), validTo: new Date(end).toISOString() },
    }
    const { addSale } = await ask(
      'mutation Flash($input: AddSaleInput!) { addSale(input: $input) { userErrors { message } } }',
      { input },
    )
    expect(addSale.userErrors).toEqual([])
    const { publishRelease } = await ask(
      'mutation Publish($input: PublishReleaseInput!) { publishRelease(input: $input) { userErrors { message } } }',
      {
        input: { catalogId },
      },
    )
    expect(publishRelease.userErrors).toEqual([])
    await expect.poll(shown).toEqual(expect.arrayContaining(['SUM-MANDH', '€1.99', 'Flash']))
    expect(Date.now()).toBeGreaterThanOrEqual(start)
    await expect.poll(shown).toEqual(before)
    expect(Date.now()).toBeGreaterThanOrEqual(end)
    expect(explore.browser.requests.filter((url) => url.includes('/explore?'))).toHaveLength(loads)
  })
})

describe('subscriptions', () => {
  const account = 'c0ffee00-00aa-4000-8000-000000000001'

  test('subscriptions in /explore show their states and the next invoice, and change as they are acted on', async () => {
    const page = await open('?view=subscriptions&role=shopper')
    const query = `query Lives($account: ID!) { account(id: $account) { subscriptions { nodes { id allowedActions nextAmount { formatted }
      trialEndsAt states { nodes { action } } } } } }`
    const { nodes } = (await ask(query, { account })).account.subscriptions
    expect(nodes.length).toBeGreaterThan(0)
    expect(await page.locator('.subscription').count()).toBe(nodes.length)
    const states = (await texts(page, '.life li')).length
    expect(states).toBe(
      nodes.reduce((sum: number, node: Answer) => sum + (node.trialEndsAt ? 2 : 1) + node.states.nodes.length, 0),
    )
    const subscription = nodes.findIndex(({ allowedActions }: Answer) => allowedActions.includes('PAUSE'))
    const section = page.locator('.subscription').nth(subscription)
    await section.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(() => page.locator('.life li').count()).toBe(states + 1)
    await expect.poll(() => section.locator('.state').textContent()).toBe('paused')
    await ask('mutation Resume($id: ID!) { resumeSubscription(input: { id: $id }) { userErrors { message } } }', {
      id: nodes[subscription].id,
    })
    await expect.poll(() => page.locator('.life li').count()).toBe(states + 2)
    await expect.poll(() => section.locator('.state').textContent()).toBe('trial')
    await explore.inspect(page, 'subscriptions')
  })

  test('a subscription has a line to scale with now and the next invoice; canceling comes last and is confirmed', async () => {
    const page = await open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001')
    const section = page.locator('.subscription').first()
    const { account: found } = await ask(
      'query One($account: ID!) { account(id: $account) { subscriptions { nodes { id createdAt trialEndsAt invoiceAfter states { nodes { createdAt } } } } } }',
      { account },
    )
    const { id, createdAt, trialEndsAt, invoiceAfter, states } = found.subscriptions.nodes[0]
    // The first period, which follows the trial, is seen as well: an eighth of the line.
    expect(trialEndsAt).toBe(invoiceAfter)
    const [start, invoice] = [Date.parse(createdAt), Date.parse(invoiceAfter)]
    const end = invoice + (invoice - start) / 8
    const line = await section.locator('.line').boundingBox()
    const partAt = async (mark: string): Promise<number> => {
      const box = await section.locator(mark).boundingBox()
      return ((box?.x ?? 0) - (line?.x ?? 0)) / (line?.width ?? 1)
    }
    expect(await section.locator('.line span').count()).toBe(2 + states.nodes.length)
    expect(await partAt('.line .invoice')).toBeCloseTo((invoice - start) / (end - start), 2)
    expect(await partAt('.line i:not(.invoice)')).toBeCloseTo((Date.now() - start) / (end - start), 2)
    expect(await texts(page, '.subscription:first-of-type .actions button')).toEqual(['Pause', 'Cancel…'])
    await section.getByRole('button', { name: 'Cancel' }).click()
    await section.getByRole('button', { name: 'No' }).click()
    await section.getByRole('button', { name: 'Cancel' }).click()
    const canceled = async (): Promise<boolean> =>
      (await ask('query C($id: ID!) { node(id: $id) { ... on AccountSubscription { canceled } } }', { id })).node
        .canceled
    expect(await canceled()).toBe(false)
    await section.getByRole('button', { name: 'Yes, cancel' }).click()
    await expect.poll(() => section.locator('.state').textContent()).toBe('canceled')
    expect(await canceled()).toBe(true)
  })

  test('more subscriptions than are listed at first are there on request', async () => {
    for (let number = 0; number < 25; number++) {
      const input = {
        ...{ accountId: account, offeringId: demoIds.offering, planId: demoIds.plan, currency: 'EUR' },
        ...{ name: `Reader ${number}`, email: 'reader@example.com' },
      }
      const { createSubscription } = await ask(
        'mutation Begin($input: CreateSubscriptionInput!) { createSubscription(input: $input) { userErrors { message } } }',
        { input },
      )
      expect(createSubscription.userErrors).toEqual([])
    }
    const page = await open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001')
    const shown = () => page.locator('.subscription').count()
    expect(await shown()).toBe(25)
    await page.getByRole('button', { name: 'More' }).click()
    await expect.poll(shown).toBe(26)
  })

  test('subscriptions say why an action failed as every other part does: the server is away, or the token is no longer valid', async () => {
    const page = await open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001')
    const outcome = page.locator('.subscription .actions [role="status"]').first()
    const act = async (respond: (route: Route) => Promise<void>): Promise<string> => {
      await page.route('**/graphql', (route) =>
        (route.request().postData() ?? '').includes('mutation Act') ? respond(route) : route.continue(),
      )
      const responded = page.waitForEvent('requestfinished', (request) =>
        (request.postData() ?? '').includes('mutation Act'),
      )
      await page.locator('.subscription .actions button').first().click()
      await responded
      await outcome.locator('.failed').waitFor()
      await page.unroute('**/graphql')
      return (await texts(page, '.subscription .actions .failed')).join()
    }
    expect(await act((route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'away' }))).toBe(
      'The server does not respond.',
    )
    await page.reload()
    const expired = { authorization: 'Bearer not.a.token' }
    expect(await act((route) => route.continue({ headers: { ...route.request().headers(), ...expired } }))).toBe(
      'This token is no longer valid.Reload with a new one',
    )
  })

  test('an account without any subscriptions says so', async () => {
    const page = await open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-0000000000ff')
    expect(await texts(page, '.empty')).toEqual(['This account has no subscription that this token may see.'])
  })
})

test('no page of actions logged an error or sent a request to another origin', () => {
  // An action was refused, as it should be.
  expect(
    explore.browser.complaints.filter((text) => !/401 \(Unauthorized\)|503 \(Service Unavailable\)/.test(text)),
  ).toEqual([])
  const origins = new Set(explore.browser.requests.map((url) => new URL(url).hostname))
  expect([...origins]).toEqual(['127.0.0.1'])
})
