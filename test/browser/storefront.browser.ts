/** The storefront of the guide, made in an empty folder: what it shows equals what the graph answers a shopper. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { run, type Storefront, startStorefront } from '../support/storefront.ts'

let shop: Storefront
let browser: Browser

beforeAll(async () => {
  shop = await startStorefront()
  browser = await openBrowser()
})

afterEach(async ({ task }) => browser?.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Answer = any

const paid = 'price { amount { formatted } originalAmount { formatted } sale { name } }'

/** A price as the shop shows it. */
const priceText = ({ amount, originalAmount, sale }: Answer): string =>
  [amount.formatted, ...(sale ? [originalAmount.formatted, sale.name] : [])].join(' ')

const texts = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

const open = async (address: string, query = ''): Promise<Page> => {
  const page = await browser.open()
  await page.goto(`${shop.url}/${query}#${address}`)
  await page.locator('nav a').first().waitFor()
  return page
}

test("codegen and the compiler refuse what the graph doesn't have", async () => {
  const file = join(shop.folder, 'src/parts.tsx')
  const source = readFileSync(file, 'utf8')
  const refused = async (command: string, right: string, wrong: string): Promise<string> => {
    writeFileSync(file, source.replace(right, wrong))
    const refusal = await run(command, shop.folder).then(String, String)
    writeFileSync(file, source)
    return refusal
  }
  expect(await refused('npx graphql-codegen', 'sale { name }', 'sale { title }')).toContain(
    'Cannot query field "title" on type "CatalogSale"',
  )
  expect(await refused('npx tsc', 'price.sale?.name', 'price.sale?.title')).toMatch(
    /parts\.tsx.*'title' does not exist/,
  )
  await run('npx vite build', shop.folder)
  expect(readFileSync(join(shop.folder, 'dist/index.html'), 'utf8')).toContain('<title>Roastery</title>')
})

test('the storefront of the guide shows a category, six products at a time', async () => {
  const page = await open('/')
  const { menu, node } = await shop.latest(
    `menu(depth: 1) { node { name } }
    node(by: { path: ["coffee"] }) { products(groupVariants: true) { nodes { name ${paid} priceRange { min { amount formatted } max { amount } } } } }`,
  )
  expect(await texts(page, 'nav a')).toEqual(menu.map(({ node }: Answer) => node.name))
  await page.getByRole('link', { name: 'Coffee', exact: true }).click()
  const expected = node.products.nodes.map(({ name, price, priceRange: { min, max } }: Answer) =>
    [name, min.amount < max.amount ? `from ${min.formatted}` : priceText(price)].join(''),
  )
  expect(expected.length).toBeGreaterThan(12)
  expect(expected).toContain('Ethiopia Yirgacheffe€12.51 €13.90 Harvest festival')
  for (let shown = 6; shown < expected.length; shown += 6) {
    await expect.poll(() => texts(page, 'article')).toEqual(expected.slice(0, shown))
    await page.getByRole('button', { name: 'More' }).click()
  }
  await expect.poll(() => texts(page, 'article')).toEqual(expected)
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
  await browser.shoot(page, 'storefront-category')
})

test('the storefront of the guide says that there is no such category or product', async () => {
  for (const [address, text] of [
    ['/category/Tea', 'There is no such category.'],
    ['/product/Tea', 'There is no such product.'],
  ] as const) {
    const page = await open(address)
    await expect.poll(() => texts(page, '[role=alert]')).toEqual([text])
  }
})

test('the storefront of the guide shows a product with its sale and what more of it cost', async () => {
  const page = await open('/product/Ethiopia-Yirgacheffe')
  await page.locator('h1').waitFor()
  const { product } = await shop.latest(
    `product(by: { sku: "ETH-YIRG" }) { name description ${paid} tiered: price { tiers { minimumQuantity price { formatted } } } }`,
  )
  const tiers = product.tiered.tiers.map(
    ({ minimumQuantity, price }: Answer) => `${price.formatted} each from ${minimumQuantity} on`,
  )
  expect(tiers).toHaveLength(2)
  expect(await texts(page, 'main h1, main p')).toEqual([
    product.name,
    product.description,
    priceText(product.price),
    ...tiers,
  ])
  await browser.shoot(page, 'storefront-product')
})

test('the storefront of the guide shows the price of the variant whose options are chosen, and its subscription', async () => {
  const page = await open('/product/House-Espresso')
  await page.getByLabel('Size').selectOption('1 kg')
  expect(await page.locator('b').count()).toBe(0)
  await page.getByLabel('Grind').selectOption('Whole bean')
  const { product } = await shop.latest(
    `product(by: { sku: "ESP-HOUSE-1000-B" }) { ${paid} subscriptionProducts { name } }`,
  )
  await expect.poll(() => texts(page, 'p:has(b)')).toEqual([priceText(product.price)])
  expect(await texts(page, 'main a')).toEqual([`Subscribe: ${product.subscriptionProducts[0].name}`])
  await browser.shoot(page, 'storefront-variant')
  await page.getByLabel('Size').selectOption('Choose')
  await expect.poll(() => page.locator('b').count()).toBe(0)
  expect(await page.locator('[role=alert]').count()).toBe(0)
})

test('the storefront of the guide prices each choice of a bundle, and says what an unfinished one lacks', async () => {
  const page = await open('/product/Pour-Over-Starter-Set')
  await page.locator('fieldset').first().waitFor()
  const configured = async (selection?: Answer): Promise<Answer> =>
    (
      await shop.latest(
        `product(by: { sku: "SET-POUR" }) { bundleConfiguration(selection: $selection) { ${paid} issues { message }
        selectedOptions { component options { productKey } } } }`,
        { selection },
        '($selection: [ComponentSelectionInput!])',
      )
    ).product.bundleConfiguration
  const start = await configured()
  const shown = (): Promise<string[]> => texts(page, 'form > p')
  expect(await shown()).toEqual([priceText(start.price)])
  expect(
    await page.locator('input:checked').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value'))),
  ).toEqual(start.selectedOptions.flatMap(({ options }: Answer) => options.map(({ productKey }: Answer) => productKey)))
  const without = (names: readonly string[]): Answer =>
    start.selectedOptions
      .filter(({ component }: Answer) => !names.includes(component))
      .map(({ component, options }: Answer) => ({
        component,
        options: options.map(({ productKey }: Answer) => ({ productId: productKey })),
      }))
  await page.getByLabel('Glass Carafe 600').uncheck()
  const cheaper = await configured(without(['carafe']))
  expect(priceText(cheaper.price)).not.toBe(priceText(start.price))
  await expect.poll(shown).toEqual([priceText(cheaper.price)])
  await page.getByLabel('Ceramic Dripper').uncheck()
  const { issues } = await configured(without(['carafe', 'dripper']))
  expect(issues).toHaveLength(1)
  await expect.poll(shown).toEqual(issues.map(({ message }: Answer) => message))
  await browser.shoot(page, 'storefront-bundle')
  await page.getByLabel('Ceramic Dripper').check()
  await expect.poll(shown).toEqual([priceText(cheaper.price)])
})

const subscriptions =
  '{ viewer { account { subscriptions(last: 1) { totalCount nodes { subscriber { email } nextAmount { formatted(locale: "en") } } } } } }'

test('a customer of the storefront subscribes after a mistake, and only once although the first answer was lost', async () => {
  const { product } = await shop.latest('product(by: { sku: "ESP-HOUSE-1000-B" }) { subscriptionProducts { id } }')
  const page = await open(`/subscribe/${product.subscriptionProducts[0].id}`)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Monthly').check()
  await page.getByLabel('name').fill('Ada Lovelace')
  await page.getByLabel('email').fill('nobody')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect.poll(async () => (await texts(page, 'label:has([name=email])'))[0]).toMatch(/^email .*email/)
  await browser.shoot(page, 'storefront-subscribe')
  const before = (await shop.ask(subscriptions)).viewer.account.subscriptions.totalCount

  await page.getByLabel('email').fill('ada@example.com')
  let lost = 0
  await page.route(`${shop.graph}/graphql`, async (route: Route) => {
    if (lost > 0 || route.request().method() !== 'POST') return route.continue()
    lost++
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect.poll(async () => (await texts(page, '[role=alert]'))[0]).toContain('Press again')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('status').waitFor()
  const { totalCount, nodes } = (await shop.ask(subscriptions)).viewer.account.subscriptions
  expect([totalCount, lost]).toEqual([before + 1, 1])
  expect(nodes[0].subscriber.email).toBe('ada@example.com')
  expect((await texts(page, '[role=status]'))[0]).toContain(nodes[0].nextAmount.formatted)
})

test('the storefront gets another token when the server refuses the one that it has', async () => {
  const page = await browser.open()
  let refused = 0
  await page.route(`${shop.graph}/graphql**`, (route: Route) => {
    const headers = route.request().headers()
    if (route.request().method() === 'OPTIONS' || refused++ > 0) return route.continue()
    return route.continue({ headers: { ...headers, authorization: 'Bearer of.another.server' } })
  })
  await page.goto(`${shop.url}/#/product/Ethiopia-Yirgacheffe`)
  await expect.poll(() => texts(page, 'h1')).toEqual(['Ethiopia Yirgacheffe'])
  expect(refused).toBeGreaterThan(1)
})

test('the storefront says that the shop does not answer, and what the graph refused', async () => {
  const silent = await browser.open()
  await silent.route(`${shop.graph}/graphql**`, (route: Route) => route.abort())
  await silent.goto(shop.url)
  await expect.poll(() => texts(silent, '[role=alert]')).toEqual(['The shop does not answer. Please reload the page.'])
  const long = await open(`/category/${Array(101).fill('a').join('/')}`)
  await expect.poll(async () => (await texts(long, '[role=alert]'))[0]).toMatch(/path.* Please reload the page\.$/)
})

test('the storefront logged nothing but the requests that failed, and asked its own server and the graph alone', () => {
  expect(browser.complaints.filter((text) => !/^Failed to load resource: (net::ERR_FAILED|.*401)/.test(text))).toEqual(
    [],
  )
  const hosts = new Set(browser.requests.map((url) => new URL(url).origin))
  expect([...hosts].sort()).toEqual([shop.graph, shop.url].sort())
})
