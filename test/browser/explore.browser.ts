/** The page /explore on the demo store: each view shows what the graph says when asked directly. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  adminToken,
  cards,
  chip,
  choose,
  type Explore,
  linesOf,
  listed,
  settle,
  startExplore,
  texts,
} from '../support/explore.ts'
import { parsed } from '../support/graphiql.ts'
import { startProgram } from '../support/program.ts'

const SIZE_MAX = 200_000

let explore: Explore
const open: Explore['open'] = (query) => explore.open(query)

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

describe('the catalog', () => {
  test('the catalog in /explore shows the tree, and the products of a category, which a reload restores', async () => {
    const page = await open('?currency=EUR')
    const { menu } = await explore.latest('menu(depth: 1) { node { name } }')
    expect(await texts(page, '.menu a')).toEqual(menu.map(({ node }: Answer) => node.name))
    await page.getByRole('button', { name: 'Categories in Coffee' }).click()
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Single Origin' }).click()
    await page.getByRole('heading', { name: 'Single Origin' }).waitFor()
    const { node } = await explore.latest(
      `node(by: { path: ["coffee", "single-origin"] }) { products(first: 24, groupVariants: true) { totalCount nodes { ${listed} } } }`,
    )
    const expected = linesOf(node.products.nodes)
    expect(expected).toHaveLength(11)
    await expect.poll(() => cards(page)).toEqual(expected)
    expect(expected[0]).toEqual(['Ethiopia Yirgacheffe', 'ETH-YIRG', '€12.51', 'Harvest festival'])
    expect(new URL(page.url()).search).toBe('?currency=EUR&path=coffee%2Fsingle-origin')
    await page.reload()
    await expect.poll(() => cards(page)).toEqual(expected)
    await expect.poll(() => texts(page, '.menu [aria-current]')).toEqual(['Single Origin'])
    await explore.inspect(page, 'category')
    await page.goBack()
    await page.getByRole('heading', { name: 'All products' }).waitFor()
  })

  test('the catalog in /explore searches, narrows by facets and prices, and orders, as its address says', async () => {
    const page = await open('?currency=EUR&path=coffee')
    await page.getByLabel('washed').check()
    await page.getByLabel('Highest price').fill('13')
    await page.getByLabel('Order').selectOption('Price, highest first')
    await expect.poll(() => page.url()).toContain('order=-price')
    await settle(page)
    const { node } = await explore.latest(`node(by: { path: ["coffee"] }) {
      products(groupVariants: true, filter: { tags: { in: ["washed"] }, price: { max: 1300 } }, orderBy: { field: PRICE, direction: DESC }) { totalCount nodes { ${listed} } } }`)
    expect(node.products.totalCount).toBeGreaterThan(1)
    await expect.poll(() => cards(page)).toEqual(linesOf(node.products.nodes))
    const address = page.url()
    expect(await cards(await open(new URL(address).search))).toEqual(linesOf(node.products.nodes))
    await page.getByRole('link', { name: 'All products' }).first().click()
    await page.getByLabel('Search').fill('expreso')
    await page.getByLabel('Search').press('Enter')
    await expect.poll(() => page.url()).toContain('q=expreso')
    const { products } = await explore.latest(
      `products(filter: { search: "expreso" }, groupVariants: true) { totalCount nodes { ${listed} } }`,
    )
    await expect.poll(() => texts(page, '[role="status"]')).toEqual([`${products.totalCount} products`])
    await expect.poll(() => cards(page)).toEqual(linesOf(products.nodes))
  })

  test('the catalog in /explore shows the pages of a long list', async () => {
    const page = await open('?currency=EUR')
    const at = (offset: number): Promise<Answer> =>
      explore.latest(`products(first: 24, offset: ${offset}, groupVariants: true) { totalCount nodes { ${listed} } }`)
    const [first, second] = [await at(0), await at(24)]
    expect(await cards(page)).toEqual(linesOf(first.products.nodes))
    expect(first.products.totalCount).toBeGreaterThan(24)
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => cards(page)).toEqual(linesOf(second.products.nodes))
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  })

  test('the catalog in /explore reads the rest of an address of which some members are broken', async () => {
    const { node } = await explore.latest(
      `node(by: { path: ["coffee", "decaf"] }) { products(groupVariants: true) { nodes { name } } }`,
    )
    for (const at of ['2020-13', '2020', '%2B020260-01-01T00:00:00.000Z']) {
      const page = await open(`?path=coffee/decaf&currency=XX&quantity=x&min=abc&page=-1&at=${at}`)
      expect(await texts(page, '.card .name')).toEqual(node.products.nodes.map(({ name }: Answer) => name))
    }
  })

  test('the catalog in /explore says when there is no such category or product, and when nothing is found', async () => {
    for (const [member, message] of [
      ['path=Tea', 'There is no such category.'],
      ['product=tea', 'There is no such product.'],
    ] as const) {
      const page = await open(`?${member}`)
      expect(await texts(page, 'main h1.empty')).toEqual([message])
      expect(await page.title()).toBe(`${message} · commerce-graph`)
    }
    expect(await texts(await open('?q=zzzz'), '[role="status"]')).toEqual(['No product fits all of these filters.'])
  })
})

describe('a product', () => {
  test('a product in /explore shows its price by quantity and instant, the timeline and the explanation', async () => {
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe&at=2045-06-01T00:00:00.000Z&period=age')
    const { product } = await explore.latest(
      `product(by: { sku: "ETH-YIRG" }) { price { amount { formatted } explanation { reason outcome } }
        priceTimeline(from: "2028-10-12T00:00:00Z", to: "2078-09-25T00:00:00Z") { price { amount { formatted } } } }`,
      'at: "2045-06-01T00:00:00Z"',
    )
    expect((await texts(page, '.large b'))[0]).toBe(product.price.amount.formatted)
    // The graph has the ids of price books and instants in UTC, the page their names and the reader's own time.
    const instant = (at: string): string =>
      new Date(at).toLocaleString('en-US', {
        ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
        timeZoneName: 'short',
      })
    const reasons = product.price.explanation.map(({ reason }: Answer) =>
      reason
        .replace('c0ffee00-0001-4000-8000-000000000001', '“Retail”')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, instant),
    )
    expect(reasons.join()).toMatch(/ends at|until|begins at|runs from/)
    expect(reasons[0]).toContain('“Retail”')
    const isApplied = (_: string, at: number): boolean => product.price.explanation[at].outcome === 'APPLIED'
    const others = reasons.filter((reason: string, at: number) => !isApplied(reason, at))
    expect(await texts(page, '.steps li div')).toEqual([...reasons.filter(isApplied), ...others])
    // The answer stands first, and what did not count is folded.
    expect(await texts(page, '.answer')).toEqual([`${product.price.amount.formatted}: ${reasons.findLast(isApplied)}`])
    expect(await page.locator('.others li').first().isVisible()).toBe(false)
    const shoppers = await open('?currency=EUR&product=Ethiopia-Yirgacheffe&role=shopper')
    expect(await texts(shoppers, '.steps li')).not.toContainEqual(expect.stringMatching(/[\da-f]{8}-[\da-f]{4}-/))
    expect(product.priceTimeline.length).toBeGreaterThan(2)
    expect(await texts(page, '.spans b')).toEqual(
      product.priceTimeline.map(({ price }: Answer) => price.amount.formatted),
    )
    await explore.inspect(page, 'product')
    await choose(page, 'Quantity', '12')
    await expect.poll(() => texts(page, '.large b')).toEqual(['€11.40'])
  })

  test('a product in /explore shows variants with their prices', async () => {
    const page = await open('?currency=EUR&product=House-Espresso')
    const { product } = await explore.latest(
      'product(by: { slug: "house-espresso" }) { variationMatrix { product { sku price { amount { formatted } } } } }',
    )
    expect(product.variationMatrix.length).toBeGreaterThan(1)
    const lines = product.variationMatrix.map((entry: Answer) => [
      entry.product.sku,
      entry.product.price.amount.formatted,
    ])
    const [skus, amounts] = [await texts(page, 'table td a'), await texts(page, 'table td b')]
    expect(skus.map((sku, index) => [sku, amounts[index]])).toEqual(lines)
    await explore.inspect(page, 'variants')
  })

  test('a bundle is priced as it is chosen', async () => {
    const { product } = await explore.latest(
      'product(by: { sku: "SET-POUR" }) { slug bundleConfiguration { price { amount { formatted } } } }',
    )
    const page = await open(`?currency=EUR&product=${product.slug}`)
    const result = page.locator('.bundle [role="status"]')
    await expect.poll(() => result.textContent()).toContain(product.bundleConfiguration.price.amount.formatted)
    const chosen = page.locator('.bundle input:checked')
    while ((await chosen.count()) > 0) await chosen.first().uncheck()
    await result.getByRole('listitem').first().waitFor()
    await explore.inspect(page, 'bundle')
  })

  test('a product in /explore opens its query in GraphiQL with its variables', async () => {
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    await page.getByText('Open in GraphiQL').click()
    const href = await page.getByRole('link', { name: 'product', exact: true }).getAttribute('href')
    const graphiql = await explore.browser.open()
    await graphiql.goto(`${explore.base}${href}`)
    await graphiql.locator('.graphiql-execute-button').waitFor()
    const response = graphiql.waitForResponse((answer) => (answer.request().postData() ?? '').includes('query Product'))
    await expect.poll(() => graphiql.locator('.monaco-editor .view-lines').count()).toBe(4)
    await parsed(graphiql)
    await graphiql.locator('.graphiql-execute-button').click()
    expect(((await (await response).json()) as Answer).data.storefront.latestRelease.product.sku).toBe('ETH-YIRG')
  })
})

test('a shopper sees neither the instant nor prices to come', async () => {
  const page = await open('?role=shopper&currency=EUR&product=Ethiopia-Yirgacheffe')
  expect(await chip(page, 'Currency').count()).toBe(1)
  expect(await chip(page, 'Date and time').count()).toBe(0)
  expect(await texts(page, '.steps li')).not.toContainEqual(expect.stringContaining('Anniversary 2045'))
  await page.getByLabel('Role').selectOption('admin')
  await page.locator('.others summary').click()
  await page.getByText('Sale "Anniversary 2045" begins').waitFor()
})

test(`the files of /explore are at most ${SIZE_MAX} bytes compressed`, async () => {
  const html = await (await fetch(`${explore.base}/explore`, { headers: { accept: 'text/html' } })).text()
  const files = [...html.matchAll(/(?:src|href)="(\/explore\/[^"]+)"/g)].map(([, path]) => path)
  const bytes = await Promise.all(
    files.map(async (path) =>
      Number(
        (await fetch(`${explore.base}${path}`, { headers: { 'accept-encoding': 'gzip' } })).headers.get(
          'content-length',
        ),
      ),
    ),
  )
  expect(bytes).toHaveLength(2)
  expect(Math.min(...bytes)).toBeGreaterThan(0)
  expect(bytes.reduce((sum, size) => sum + size, Buffer.byteLength(html))).toBeLessThanOrEqual(SIZE_MAX)
})

test('/explore in production holds no token, and asks for one that stays in the tab', async () => {
  const secrets = {
    AUTH_SECRET: 'a-secret-of-more-than-32-bytes-for-tests',
    CLIENT_ID: 'shop',
    CLIENT_SECRET: 'shop-secret-of-tests',
  }
  const production = startProgram(['npm', 'start'], {
    NODE_ENV: 'production',
    DATA_DIR: join(explore.folder, 'production'),
    ...secrets,
  })
  const [, address = ''] = await production.says(/"address":"([^"]+)"/)
  try {
    const page = await explore.browser.open()
    await page.goto(`${address}/explore`)
    expect(await page.content()).not.toContain('eyJ')
    await page.getByLabel('Token').fill('not.a.token')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('main').getByText('This token is no longer valid.').waitFor()
    await page.locator('main').getByRole('button', { name: 'Use another token' }).click()
    // As it is copied from a header, with its scheme.
    await page.getByLabel('Token').fill(`Bearer ${await adminToken(address, 'shop', 'shop-secret-of-tests')}`)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('No catalog is published for this shopper.').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie + location.href')).not.toContain(
      'eyJ',
    )
    await page.reload()
    await page.getByText('No catalog is published for this shopper.').waitFor()
    await page.getByRole('button', { name: 'Other token' }).click()
    await page.getByLabel('Token').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
  } finally {
    production.child.kill('SIGTERM')
    await production.exit
  }
})

test('no page logged an error or sent a request to another origin', () => {
  // The token that is none is refused, as it should be.
  expect(explore.browser.complaints.filter((text) => !text.includes('401 (Unauthorized)'))).toEqual([])
  const origins = new Set(explore.browser.requests.map((url) => new URL(url).hostname))
  expect([...origins]).toEqual(['127.0.0.1'])
})
