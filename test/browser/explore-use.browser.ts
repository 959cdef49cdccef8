/** Use of /explore: the chart's readout, the keyboard alone, addresses that nothing fits, an expired token. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  cards,
  chip,
  choose,
  type Explore,
  openChip,
  settle,
  startExplore,
  texts,
} from '../support/explore.ts'

let explore: Explore
const open: Explore['open'] = (query) => explore.open(query)
const focused = (page: Page): Promise<unknown> =>
  page.evaluate(
    '(({ tagName, textContent, name, parentElement }) => [tagName, name || textContent])(document.activeElement)',
  )

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

describe('the chart', () => {
  const timelineOf = async (): Promise<Answer> =>
    (
      await explore.latest(
        `product(by: { sku: "ETH-YIRG" }) { price { changesAt }
        priceTimeline(from: "2026-01-01T00:00:00Z", to: "2047-01-01T00:00:00Z") { from to price { amount { formatted } list { amount { formatted } }
          sale { name } tiers { name minimumQuantity price { formatted } } } } }`,
      )
    ).product

  test('the chart of prices reads out the price and the tiers of the step under the pointer, also shortly before the next step, and the day', async () => {
    const { price, priceTimeline } = await timelineOf()
    const [first, second] = priceTimeline
    expect(first.price.amount.formatted).not.toBe(second.price.amount.formatted)
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    await page.locator('.chart').scrollIntoViewIfNeeded()
    const band = await page.locator('.chart .band').first().boundingBox()
    const readout = async (): Promise<string[]> => await texts(page, '.chart .u-value')
    const tiersOf = ({ price: { tiers } }: Answer): string[] => tiers.map((tier: Answer) => tier.price.formatted)
    // Before the pointer is there, the legend has what holds now.
    const today = await page.evaluate(
      `new Date().toLocaleDateString('en-US', { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' })`,
    )
    const values = [first.price.amount.formatted, first.price.list.amount.formatted, ...tiersOf(first)]
    await expect.poll(readout).toEqual([today, ...values])
    expect(await texts(page, '.chart .u-label')).toEqual([
      ...['Day', 'Price', 'List'],
      ...first.price.tiers.map(({ name, minimumQuantity }: Answer) => `${name}, from ${minimumQuantity}`),
    ])
    for (const part of [0.3, 0.9, 0.98]) {
      await page.mouse.move((band?.x ?? 0) + (band?.width ?? 0) * part, (band?.y ?? 0) + 60)
      await expect
        .poll(readout)
        .toEqual([
          expect.any(String),
          first.price.amount.formatted,
          first.price.list.amount.formatted,
          ...tiersOf(first),
        ])
    }
    const day = new Date((await readout())[0] ?? '')
    expect(day.getFullYear()).toBe(new Date(price.changesAt).getFullYear() - 1)
    await page.mouse.move((band?.x ?? 0) + (band?.width ?? 0) + 3, (band?.y ?? 0) + 60)
    await expect
      .poll(async () => (await readout()).slice(1, 3))
      .toEqual([second.price.amount.formatted, second.price.list.amount.formatted])
  })

  test('the chart of prices has a named band for each sale as wide as it lasts, reaches the next change, and marks now', async () => {
    const { priceTimeline } = await timelineOf()
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    const sales = priceTimeline.filter(({ price }: Answer) => price.sale)
    expect(sales).toHaveLength(2)
    expect(await texts(page, '.chart .band-name')).toEqual(sales.map(({ price }: Answer) => price.sale.name))
    const [first, second] = await page.locator('.chart .band').all()
    const [wide, narrow] = [await first?.boundingBox(), await second?.boundingBox()]
    const years = (wide?.width ?? 0) / (narrow?.width ?? 1)
    // From a year ago, when the period begins, until the other sale, which lasts a year.
    expect(years).toBeCloseTo((Date.parse('2045-01-01') - Date.now()) / (365 * 86_400_000) + 1, 0)
    const now = await page.locator('.chart .now').boundingBox()
    const shownBefore = ((now?.x ?? 0) - (wide?.x ?? 0)) / (wide?.width ?? 1)
    expect(shownBefore).toBeGreaterThan(0.02)
    expect(shownBefore).toBeLessThan(0.08)
    expect(await page.locator('.chart .now-name').textContent()).toBe('now')
    await page.getByLabel('Period').selectOption('1 month')
    await expect.poll(() => texts(page, '.chart .band-name')).toEqual(['Harvest festival'])
  })

  test('the chart of prices names an instant that is set by its day, and marks now as well where it is in sight', async () => {
    const ahead = new Date(Date.now() + 200 * 86_400_000)
    const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const
    const page = await open(`?currency=EUR&product=Ethiopia-Yirgacheffe&at=${ahead.toISOString()}`)
    await expect.poll(() => texts(page, '.chart .shown-at-name')).toEqual([ahead.toLocaleDateString('en-US', day)])
    expect(await texts(page, '.chart .now-name')).toEqual(['now'])
    const [now, at] = await Promise.all(['.now', '.shown-at'].map((one) => page.locator(`.chart ${one}`).boundingBox()))
    expect(now?.x).toBeLessThan(at?.x ?? 0)
  })

  test('the chart of prices reaches the next change also by an address with a period that there is not, such as constructor', async () => {
    const { priceTimeline } = await timelineOf()
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe&period=constructor')
    const sales = priceTimeline.filter(({ price }: Answer) => price.sale)
    expect(await texts(page, '.chart .band-name')).toEqual(sales.map(({ price }: Answer) => price.sale.name))
  })

  test('the chart of prices stands beside the explanation on a wide screen, and above it on a narrow one', async () => {
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    const tops = async (): Promise<number[]> => {
      const boxes = await page.locator('.panel > section').all()
      return Promise.all(boxes.map(async (box) => (await box.boundingBox())?.y ?? 0))
    }
    const [left, right] = await tops()
    expect(left).toBe(right)
    await page.setViewportSize({ width: 1100, height: 850 })
    const [upper, lower] = await tops()
    expect(lower).toBeGreaterThan(upper ?? 0)
  })

  test('the time until the next change is counted down, and the lowest price before a sale is named', async () => {
    const { price } = await timelineOf()
    const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    const countdown = page.locator('.countdown')
    const before = await countdown.textContent()
    const days = Math.floor((Date.parse(price.changesAt) - Date.now()) / 86_400_000)
    expect(before).toContain(`in ${days.toLocaleString('en')} days`)
    await expect.poll(() => countdown.textContent()).not.toBe(before)
    const lastDay = await explore.browser.open()
    await lastDay.clock.setFixedTime(Date.parse(price.changesAt) - 1.5 * 86_400_000)
    await lastDay.goto(`${explore.base}/explore?currency=EUR&product=Ethiopia-Yirgacheffe`)
    await expect.poll(() => texts(lastDay, '.countdown')).toEqual(['The next change is in 1 day, 12:00:00.'])
    const at = '2045-06-01T00:00:00.000Z'
    const { product } = await explore.latest(
      'product(by: { sku: "ETH-YIRG" }) { price { lowestPrior { formatted } } }',
      `at: "${at}"`,
    )
    const later = await open(`?currency=EUR&product=Ethiopia-Yirgacheffe&at=${at}`)
    expect(await texts(later, '.prior')).toEqual([
      `The lowest price before the sale was ${product.price.lowestPrior.formatted}.`,
    ])
    expect(await later.locator('.countdown').count()).toBe(0)
  })
})

describe('with the keyboard alone', () => {
  test('a setting that was changed by keyboard leaves the focus on its chip, and a new view has it on its heading', async () => {
    const page = await open('?path=coffee')
    const currency = chip(page, 'Currency')
    expect(await currency.textContent()).toBe('Currency: USD (default)')
    await currency.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT')
    await page.keyboard.type('EUR')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('currency=EUR')
    await settle(page)
    await expect.poll(() => page.locator('.chip-panel:popover-open').count()).toBe(0)
    await expect.poll(() => focused(page)).toEqual(['BUTTON', 'Currency: EUR'])
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT')
    await page.keyboard.type('USD')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toEqual(['BUTTON', 'Currency: EUR'])
    await expect.poll(() => page.locator('.chip-panel input').count()).toBe(0)
    await (await openChip(page, 'Date and time')).fill('2045-06-01T00:00')
    expect(page.url()).not.toContain('at=')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => page.url()).toContain('at=2045')
    await settle(page)
    await expect
      .poll(() => focused(page))
      .toEqual(['BUTTON', expect.stringMatching(/^Date and time: Thu, Jun 1, 2045/)])
    const back = await page.getByRole('button', { name: 'Back to now' }).boundingBox()
    await openChip(page, 'Date and time')
    const panel = await page.locator('.chip-panel:popover-open').boundingBox()
    expect(panel?.y).toBeGreaterThan((back?.y ?? 999) + (back?.height ?? 0))
    await page.keyboard.press('Escape')
    await page.locator('.card').first().focus()
    const name = await page.locator('.card .name').first().textContent()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
    await expect.poll(() => focused(page)).toEqual(['H1', name])
    expect(await page.title()).toBe(`${name} · commerce-graph`)
  })

  test('another role is chosen by keyboard without losing the place, and nothing of the last one stays', async () => {
    const page = await open('?view=releases')
    const role = page.getByLabel('Role')
    expect(await texts(page, '.releases tbody th')).toContain('Draft')
    await role.focus()
    await role.selectOption('shopper')
    await expect.poll(() => page.url()).toContain('role=shopper')
    expect(await texts(page, '.releases tbody th')).not.toContain('Draft')
    await settle(page)
    expect(await role.evaluate((select) => select === document.activeElement)).toBe(true)
  })

  test('the pages of a list are walked by keyboard to the last, where the heading has the focus', async () => {
    const page = await open('?currency=EUR')
    const last = Math.ceil(Number.parseInt((await texts(page, '.pages [role=status]'))[0] ?? '', 10) / 24)
    expect(last).toBeGreaterThan(1)
    await page.getByRole('link', { name: 'Next' }).focus()
    for (let number = 2; number <= last; number++) {
      await expect.poll(() => focused(page)).toEqual(['A', 'Next'])
      await page.keyboard.press('Enter')
      await page.getByText(`Page ${number} of ${last}`).waitFor()
      await settle(page)
    }
    await expect.poll(() => focused(page)).toEqual(['H1', 'All products'])
  })

  test('Back and Forward show the prices of their address in the price fields', async () => {
    const page = await open('?currency=EUR&path=coffee')
    const range = (): Promise<string[]> =>
      Promise.all(['Lowest price', 'Highest price'].map((label) => page.getByLabel(label).inputValue()))
    await page.getByLabel('Lowest price').fill('12')
    await page.getByLabel('Lowest price').press('Enter')
    await page.getByLabel('Highest price').fill('14')
    await page.getByLabel('Highest price').press('Enter')
    await expect.poll(() => page.url()).toContain('max=14')
    await page.goBack()
    await expect.poll(range).toEqual(['12', ''])
    await page.goBack()
    await expect.poll(range).toEqual(['', ''])
    await page.goForward()
    await expect.poll(range).toEqual(['12', ''])
  })
})

test('a list is narrowed by a price in every form that an input of numbers takes', async () => {
  const page = await open('?currency=EUR')
  for (const [typed, price] of [
    ['.5', '0.5'],
    ['1e2', '100'],
  ] as const) {
    await page.getByLabel('Lowest price').fill(typed)
    await page.getByLabel('Lowest price').press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('min')).toBe(price)
    const { totalCount } = (
      await explore.latest(
        `products(groupVariants: true, filter: { price: { min: ${Number(price) * 100} } }) { totalCount }`,
      )
    ).products
    await expect.poll(async () => (await texts(page, '.pages [role="status"]'))[0]).toBe(`${totalCount} products`)
  }
})

describe('an address that nothing fits', () => {
  test('an address with the highest price below the lowest says so beside its filters, which bring the list back', async () => {
    const page = await explore.browser.open()
    await page.goto(`${explore.base}/explore?currency=EUR&path=coffee&min=13&max=10`)
    await page.getByText('The highest price is below the lowest.').waitFor()
    await page.getByLabel('Highest price').fill('30')
    await page.getByLabel('Highest price').press('Enter')
    await expect.poll(async () => ((await cards(page)) as unknown[]).length).toBeGreaterThan(0)
    expect(await page.getByLabel('Highest price').evaluate((input) => input === document.activeElement)).toBe(true)
    await page.getByLabel('Highest price').fill('10')
    await page.getByLabel('Highest price').press('Enter')
    expect(
      await page.getByLabel('Highest price').evaluate((input) => (input as HTMLInputElement).validationMessage),
    ).toBe('The highest price is below the lowest.')
    expect(page.url()).toContain('max=30')
  })

  test.each([
    ['of too many characters', 'a'.repeat(201), 'A search has at most 200 characters.'],
    ['without a word', '!?', 'A search has a letter or a digit at least.'],
  ])('an address with a search %s says so in plain words beside its filters', async (_, text, message) => {
    const page = await explore.browser.open()
    await page.goto(`${explore.base}/explore?currency=EUR&q=${encodeURIComponent(text)}`)
    await expect.poll(() => texts(page, 'main .failed')).toEqual([message])
    await page.getByLabel('Search').fill('coffee')
    await page.getByLabel('Search').press('Enter')
    await page.locator('.card').first().waitFor()
    expect(await page.locator('main .failed').count()).toBe(0)
  })

  test.each([
    ['a page after the last', 'page=99', 'There is no page 99. First page'],
    ['a page after the last that can be reached', 'page=100000', 'There is no page 100000. First page'],
  ])('an address with %s says so and links to the first', async (_, member, message) => {
    const page = await explore.browser.open()
    await page.goto(`${explore.base}/explore?currency=EUR&${member}`)
    await expect.poll(() => texts(page, '.empty')).toEqual([message])
    await page.getByRole('link', { name: 'First page' }).click()
    await expect.poll(async () => ((await cards(page)) as unknown[]).length).toBe(24)
  })

  test('an address with types or a language that there are not shows all of them, in the language of the shop', async () => {
    const page = await open('?currency=EUR&path=coffee/decaf&types=GADGET&language=no%20tag')
    const { node } = await explore.latest(
      `node(by: { path: ["coffee", "decaf"] }) { products(groupVariants: true) { nodes { name } } }`,
    )
    expect(await texts(page, '.card .name')).toEqual(node.products.nodes.map(({ name }: Answer) => name))
  })
})

test('a list that is loading says so; one that failed keeps its filters and is tried again', async () => {
  const page = await explore.browser.open()
  const held: (() => void)[] = []
  await page.route('**/graphql', async (route) => {
    if (!(route.request().postData() ?? '').includes('query Listing')) return route.continue()
    await new Promise<void>((resolve) => held.push(resolve))
    return route.fulfill({ status: 503, contentType: 'text/plain', body: 'away' })
  })
  await page.goto(`${explore.base}/explore?currency=EUR&path=coffee/decaf`)
  await page.getByRole('main').getByText('Loading…').waitFor()
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  await page.getByText('The server does not respond.').waitFor()
  expect(await page.getByLabel('Search').isVisible()).toBe(true)
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.card').first().waitFor()
})

test('an expired token is said to be one, and a reload brings a new one', async () => {
  const page = await explore.browser.open()
  await page.route('**/explore?*', async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, body: (await response.text()).replaceAll(/eyJ[\w.-]+/g, 'expired') })
  })
  await page.goto(`${explore.base}/explore?currency=EUR`)
  await page.locator('main').getByText('This token is no longer valid.').waitFor()
  await page.unroute('**/explore?*')
  await page.locator('main').getByRole('button', { name: 'Reload with a new one' }).click()
  await page.locator('.card').first().waitFor()
})

test('the tree is open at the product’s node and marks it', async () => {
  const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe&language=de')
  await expect
    .poll(() => page.locator('.menu [aria-current="location"]').getAttribute('href'))
    .toContain('path=coffee%2Fsingle-origin')
})

test('names and descriptions are marked with their language, and texts of the page are not', async () => {
  const languages = async (query: string, selector: string): Promise<(string | null)[]> => {
    const marked = (await open(query)).locator(selector)
    return marked.evaluateAll((found) => found.map((one) => one.closest('[lang]')?.getAttribute('lang') ?? null))
  }
  const { node } = await explore.latest(
    'node(by: { path: ["coffee"] }) { language products(groupVariants: true, first: 24) { nodes { language } } }',
    'locale: "de"',
  )
  const expected = node.products.nodes.map(({ language }: Answer) => language ?? 'en')
  expect(new Set(expected)).toEqual(new Set(['de', 'en']))
  const category = '?currency=EUR&path=coffee&language=de'
  expect(await languages(category, '.card .name bdi')).toEqual(expected)
  expect(await languages(category, 'main h1')).toEqual([node.language ?? 'en'])
  const product = '?currency=EUR&product=Ethiopia-Yirgacheffe&language=de'
  expect(await languages(product, 'article h1, article h1 ~ p:nth-of-type(2), article .crumbs bdi')).toContain('de')
  expect(new Set(await languages(product, 'main h2, header label'))).toEqual(new Set(['en']))
  expect(new Set(await languages('?currency=EUR&path=coffee&language=en', '.card .name bdi'))).toEqual(new Set(['en']))
})

test('what a shopper types is tried within its limits; a bundle’s choice stands in the address', async () => {
  const page = await open('?currency=EUR&product=Engraved-Tumbler')
  const engraving = page.getByLabel('Engraving')
  await engraving.fill('')
  await engraving.pressSequentially('x'.repeat(45))
  expect(await engraving.inputValue()).toBe('x'.repeat(40))
  expect(await page.locator('.custom').textContent()).toContain('required, at most 40 characters')
  const bundle = await open('?currency=EUR&product=Pour-Over-Starter-Set')
  const boxes = (on: Page): Promise<boolean[]> =>
    on.locator('.bundle input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).checked))
  const standard = await boxes(bundle)
  await bundle.locator('.bundle input:checked').first().uncheck()
  await expect.poll(() => bundle.url()).toContain('choice=')
  const changed = await boxes(bundle)
  expect(changed).not.toEqual(standard)
  expect(await boxes(await open(new URL(bundle.url()).search))).toEqual(changed)
})

test('a bundle whose choice in the address is of another form begins without any', async () => {
  const components = await open('?currency=EUR&product=Pour-Over-Starter-Set')
  const key = await components.locator('.bundle input').first().getAttribute('name')
  for (const keys of [5, {}, null, 'all']) {
    const page = await open(
      `?currency=EUR&product=Pour-Over-Starter-Set&choice=${encodeURIComponent(JSON.stringify({ [key ?? '']: keys }))}`,
    )
    await page.locator('.issues li').first().waitFor()
    expect(await page.locator('.bundle input:checked').count()).toBe(0)
  }
})

test('words of any length in names break, so that nothing is wider than the screen', async () => {
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3)
  const input = {
    name: word,
    description: word,
    sku: word,
    slug: 'long',
    status: 'LIVE',
    commodityType: 'PHYSICAL',
    tags: [word],
  }
  const { product } = await explore.act('createProduct', 'CreateProductInput', input, 'product { id }')
  const parentId = 'c0ffee00-0007-4000-8000-000000000001'
  await explore.act('createNode', 'CreateNodeInput', { parentId, name: word, slug: 'long', productIds: [product.id] })
  const schedule = { validFrom: '2020-01-01T00:00:00Z', validTo: '2060-01-01T00:00:00Z' }
  const sales = [{ name: word, schedule, prices: [{ currency: 'EUR', price: { amount: 1 } }] }]
  const prices = [{ currency: 'EUR', price: { amount: 2, tiers: [{ name: word, minimumQuantity: 2, amount: 1 }] } }]
  const priceBookId = 'c0ffee00-0001-4000-8000-000000000001'
  await explore.act('addProductPrice', 'AddProductPriceInput', { priceBookId, sku: word, prices, sales })
  await explore.act('publishRelease', 'PublishReleaseInput', { catalogId: 'c0ffee00-0009-4000-8000-000000000001' })
  for (const query of ['path=coffee/long', 'product=long&path=coffee/long']) {
    const page = await open(`?currency=EUR&${query}`)
    await page.getByText(word).first().waitFor()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 850 })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: query }).toBe(width)
    }
    const [list, text] = await Promise.all([
      page.locator('.side').boundingBox(),
      page.locator('.side .entry').last().boundingBox(),
    ])
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0))
  }
})

test('at 390 and 768 pixels the instant can be reached without scrolling sideways', async () => {
  const page = await open('?currency=EUR')
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 850 })
    const box = await (await openChip(page, 'Date and time')).boundingBox()
    await page.keyboard.press('Escape')
    expect([width, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 0) <= width]).toEqual([width, true, true])
  }
})

test('the link to the catalog leads from a product and its filters to the start, with the context as it is', async () => {
  const page = await open('?currency=EUR&path=coffee&product=Ethiopia-Yirgacheffe&tags=washed&page=2')
  const releases = await page.locator('.settings .shown').getAttribute('href')
  expect([...new URL(releases ?? '', page.url()).searchParams.keys()]).toEqual(['view', 'catalog'])
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await settle(page)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Catalog' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?currency=EUR')
})

test('every view says which instant it shows, and one press leads back to now', async () => {
  for (const view of ['', '&view=releases', '&view=webhooks']) {
    const page = await open(`?at=2026-12-04T12:00:00Z${view}`)
    const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
    const bar = page.locator('.pinned')
    const date = new Date('2026-12-04T12:00:00Z').toLocaleString('en-US', { day: 'numeric', month: 'short' })
    await expect.poll(() => bar.locator('time').textContent()).toMatch(new RegExp(`^[A-Z][a-z]{2}, ${date}, 2026, `))
    expect(await bar.locator('b').textContent()).toMatch(new RegExp(` ${zone}$`))
    await page.getByRole('button', { name: 'Back to now' }).click()
    await expect.poll(() => bar.count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('at')).toBe(null)
  }
})

test('the chips offer what the graph has, say what is not as by default, and name the catalog and its release', async () => {
  const page = await open('?language=de')
  const { storefront } = await explore.ask(
    'query Shop @inContext(locale: "de") { storefront { name latestRelease { sequence } } }',
  )
  expect(await page.locator('.settings .shown').textContent()).toBe(
    `${storefront.name}, release ${storefront.latestRelease.sequence}`,
  )
  expect(await texts(page, '.chip.set')).toEqual(['Language: de'])
  await openChip(page, 'Currency')
  await expect.poll(() => texts(page, '.choices button')).toEqual(['EUR', 'GBP', 'USD'])
  await page.getByRole('button', { name: 'GBP', exact: true }).click()
  await expect.poll(() => texts(page, '.chip.set')).toEqual(['Currency: GBP', 'Language: de'])
  await openChip(page, 'Language')
  await page.getByRole('button', { name: 'As by default', exact: true }).click()
  await expect.poll(() => texts(page, '.chip.set')).toEqual(['Currency: GBP'])
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect.poll(() => texts(page, '.chip.set')).toEqual(['Currency: GBP'])
  await page.getByRole('link', { name: 'All as by default' }).click()
  await expect.poll(() => texts(page, '.chip.set')).toEqual([])
})

test('a page that is open sends its queries once, since its streams did not break', async () => {
  const page = await explore.browser.open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.postData() ?? ''))
  await page.goto(`${explore.base}/explore?currency=EUR&path=coffee`)
  await settle(page)
  await expect.poll(() => asked.filter((body) => body.includes('subscription Turned')).length).toBe(1)
  await page.waitForTimeout(2_500)
  expect(asked.filter((body) => body.includes('query Listing'))).toHaveLength(1)
})

test('a tag chooses the catalog that the rules have for it', async () => {
  const asked: string[] = []
  const page = await open('')
  page.on('request', (request) => asked.push(request.postData() ?? ''))
  await choose(page, 'Tag', 'gold')
  await expect.poll(() => page.url()).toContain('tag=gold')
  await expect
    .poll(() => asked.some((body) => body.includes('query Listing') && body.includes('"tags":["gold"]')))
    .toBe(true)
})

test('a channel chooses the catalog that a rule has for it: its prices are shown', async () => {
  const members = 'c0ffee00-0009-4000-8000-000000000002'
  const { catalogRule } = await explore.act(
    'createCatalogRule',
    'CreateCatalogRuleInput',
    { name: 'At the till', catalogId: members, channels: ['pos'] },
    'catalogRule { id }',
  )
  const priceOn = async (channel: string): Promise<string> => {
    const { storefront } = await explore.ask(`query Price @inContext(currency: "EUR", channel: "${channel}") {
      storefront { latestRelease { product(by: { sku: "ETH-YIRG" }) { price { amount { formatted } } } } } }`)
    return storefront.latestRelease.product.price.amount.formatted
  }
  const [web, pos] = [await priceOn('web'), await priceOn('pos')]
  expect(pos).not.toBe(web)
  const page = await open('?currency=EUR&product=Ethiopia-Yirgacheffe')
  const shown = page.locator('main .large').first()
  await expect.poll(() => shown.textContent()).toContain(web)
  await choose(page, 'Channel', 'pos')
  await expect.poll(() => shown.textContent()).toContain(pos)
  expect(new URL(page.url()).searchParams.get('channel')).toBe('pos')
  await explore.act('deleteCatalogRule', 'DeleteCatalogRuleInput', { id: catalogRule.id })
})

test.each([
  ['the store', '', ['products']],
  ['a category', '?path=coffee/single-origin', ['products']],
  ['a product', '?product=Ethiopia-Yirgacheffe', ['price over time', 'product', 'sales', 'why this price']],
  ['releases', '?view=releases', ['releases']],
  ['subscriptions', '?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001', ['subscriptions']],
  ['webhooks', '?view=webhooks', ['webhooks']],
])('the view of %s has a menu that opens its queries in GraphiQL', async (_, address, names) => {
  const page = await open(address)
  await page.getByText('Open in GraphiQL').click()
  const links = page.locator('.queries a')
  await expect.poll(async () => (await links.allTextContents()).sort()).toEqual(names)
  for (const link of await links.all()) {
    const given = new URL((await link.getAttribute('href')) ?? '', explore.base)
    expect([given.pathname, given.searchParams.get('query'), given.searchParams.get('role')]).toEqual([
      '/graphql',
      expect.stringMatching(/^query \w+/),
      'admin',
    ])
  }
})

test('the menu of queries follows the view, its filters and the role', async () => {
  const page = await open('?currency=EUR&path=coffee')
  await page.getByText('Open in GraphiQL').click()
  const link = page.locator('.queries a')
  const given = async () => {
    const { searchParams } = new URL((await link.first().getAttribute('href')) ?? '', explore.base)
    const { currency } = JSON.parse(searchParams.get('variables') ?? '{}')
    return [await link.allTextContents(), currency, searchParams.get('role')]
  }
  await expect.poll(given).toEqual([['products'], 'EUR', 'admin'])
  await choose(page, 'Currency', 'USD')
  await expect.poll(given).toEqual([['products'], 'USD', 'admin'])
  await page.getByLabel('Role').selectOption('shopper')
  await expect.poll(given).toEqual([['products'], 'USD', 'shopper'])
  await page.getByRole('link', { name: 'Releases' }).click()
  await expect.poll(() => link.allTextContents()).toEqual(['releases'])
})

test('the breadcrumbs of a category lead to those above it', async () => {
  const page = await open('?path=coffee/single-origin')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  expect(await texts(page, 'main .crumbs > *')).toEqual(['All products', 'Coffee', 'Single Origin'])
  await crumbs.getByRole('link', { name: 'Coffee' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe('coffee')
})

test('no page logged an error that was not asked for', () => {
  const wanted = /status of (401|503)|503 \(Service Unavailable\)/
  expect(explore.browser.complaints.filter((text) => !wanted.test(text))).toEqual([])
})
