/** What /explore shows at first sight, and how it is reached without a mouse. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Explore, openChip, settle, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

describe('pictures of products', () => {
  test('each card in /explore shows the main image of its product, as a square that has its place before it is loaded', async () => {
    const page = await explore.browser.open()
    await page.route('**/*.svg', (route) => route.abort())
    await page.goto(`${explore.base}/explore?currency=EUR&path=coffee`)
    await page.locator('.card').first().waitFor()
    const { node } = await explore.latest(
      'node(by: { path: ["coffee"] }) { products(first: 24, groupVariants: true) { nodes { mainImage { url } } } }',
    )
    const pictures = page.locator('.card img')
    const shown = await pictures.evaluateAll((images) =>
      images.map((image) => [image.getAttribute('src'), image.getAttribute('alt'), image.getAttribute('loading')]),
    )
    expect(shown).toEqual(node.products.nodes.map(({ mainImage }: Answer) => [mainImage.url, '', 'lazy']))
    const box = await pictures.first().boundingBox()
    expect(box?.width).toBeGreaterThan(100)
    expect(box?.height).toBeCloseTo(box?.width ?? 0, 0)
    await page.unroute('**/*.svg')
    await page.reload()
    await expect
      .poll(() => pictures.first().evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    expect(await pictures.first().boundingBox()).toEqual(box)
  })

  test('a product in /explore shows its files, of which one is large, named by the product', async () => {
    const page = await explore.open('?product=Tasting-Trio')
    const { product } = await explore.latest('product(by: { slug: "tasting-trio" }) { name files { url } }')
    const urls = product.files.map(({ url }: Answer) => url)
    const small = page.locator('.gallery button img')
    expect(await small.evaluateAll((images) => images.map((image) => image.getAttribute('src')))).toEqual(urls)
    expect(urls).toHaveLength(7)
    const large = page.getByRole('img', { name: product.name })
    expect(await large.getAttribute('src')).toBe(urls[0])
    await page.getByRole('button', { name: 'Picture 3 of 7' }).click()
    expect(await large.getAttribute('src')).toBe(urls[2])
    expect(await page.locator('.gallery [aria-pressed="true"] img').getAttribute('src')).toBe(urls[2])
    await explore.inspect(page, 'gallery')
  })

  test('a product without a file has no picture and no place for one', async () => {
    const page = await explore.open('?product=Tasting-Trio')
    await page.route('**/graphql', async (route) => {
      // Streams go on as they are.
      if ((route.request().postData() ?? '').includes('"subscription ')) return route.continue()
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/"url":"[^"]*"/g, '"url":null')
      return route.fulfill({ response, body })
    })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Tasting Trio' }).waitFor()
    expect(await page.locator('img, .gallery, .picture').count()).toBe(0)
    await page.goto(`${explore.base}/explore`)
    await page.locator('.card').first().waitFor()
    expect(await page.locator('img, .picture').count()).toBe(0)
    expect((await texts(page, '.card .name')).length).toBe(24)
  })
})

describe('words and messages', () => {
  test('the kinds of products have names that people use, and choose what the graph has of that type', async () => {
    const page = await explore.open('?currency=EUR')
    const { products } = await explore.latest(
      'products(groupVariants: true) { facets(keys: [{ productTypes: true }]) { values { value count } } }',
    )
    const counts = new Map(products.facets[0].values.map(({ value, count }: Answer) => [value, count]))
    const kinds = page.locator('.facet', { hasText: 'Kinds' })
    const lines = (await kinds.locator('label').allTextContents()).map((text) => text.trim())
    expect(lines.sort()).toEqual([
      `a variant ${counts.get('CHILD')}`,
      `bundle ${counts.get('BUNDLE')}`,
      `comes in variants ${counts.get('PARENT')}`,
      `single product ${counts.get('STANDARD')}`,
    ])
    await page.setViewportSize({ width: 1920, height: 850 })
    const rest = await page.locator('.facet', { hasText: 'Tags' }).locator('summary').boundingBox()
    const first = await page.locator('.facet label').first().boundingBox()
    expect(Math.abs((rest?.y ?? 999) - (first?.y ?? 0))).toBeLessThan(4)
    await kinds.getByLabel('bundle').check()
    await expect.poll(() => texts(page, '.pages [role="status"]')).toEqual([`${counts.get('BUNDLE')} products`])
  })

  test('the components of a bundle say in words how many options are taken, and prices without tiers have no column of them', async () => {
    const page = await explore.open('?currency=EUR&product=Pour-Over-Starter-Set')
    const { product } = await explore.latest(
      'product(by: { slug: "pour-over-starter-set" }) { components { name min max } }',
    )
    const words = new Map([
      ['0 1', 'one or none'],
      ['1 1', 'exactly 1'],
      ['1 2', '1 to 2'],
    ])
    expect(await texts(page, '.bundle legend')).toEqual(
      product.components.map(({ name, min, max }: Answer) => `${name}: ${words.get(`${min} ${max}`)}`),
    )
    expect(await texts(page, '.spans thead th')).toEqual(['From', 'Price'])
    await page.goto(`${explore.base}/explore?currency=EUR&product=Ethiopia-Yirgacheffe`)
    await expect.poll(() => texts(page, '.spans thead th')).toEqual(['From', 'Price', 'Tiers'])
  })

  test('a list that no product fits says so and clears its filters, with the order left as it is', async () => {
    const page = await explore.open('?currency=EUR&path=coffee&q=zzzz&min=3&order=name')
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await page.locator('.card').first().waitFor()
    expect(new URL(page.url()).search).toBe('?currency=EUR&path=coffee&order=name')
  })

  test.each([
    ['Currency', 'euro', 'A currency is its code of three capital letters, such as EUR.', 'EUR'],
    ['Language', 'deutsch!', 'A language is its code, such as de or de-CH.', 'de'],
    ['Quantity', '0', 'A quantity is a whole number from 1 on.', '3'],
    ['Lowest price', '-1', 'A price is a number from 0 on, such as 12.50.', '1'],
  ])(
    'a wrong text of %s, %s, is answered in the words of the page; a right one is taken',
    async (label, wrong, message, right) => {
      const page = await explore.open('')
      const isChip = label !== 'Lowest price'
      const input = isChip ? await openChip(page, label) : page.getByLabel(label)
      const said = () => input.evaluate((one) => (one as HTMLInputElement).validationMessage)
      await input.fill(wrong)
      await input.press('Enter')
      await expect.poll(said).toBe(message)
      expect(new URL(page.url()).search).toBe('')
      await input.fill(right)
      expect(await said()).toBe('')
      await input.press('Enter')
      await expect.poll(() => new URL(page.url()).search).toMatch(new RegExp(`=${right}$`))
    },
  )

  test('names in a chart are whole, and none stands over another', async () => {
    const page = await explore.open('?currency=EUR&product=Ethiopia-Yirgacheffe&period=age')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 850 })
      await expect
        .poll(() => texts(page, '.labels span'))
        .toEqual(['Summer 2023', 'Harvest festival', 'Anniversary 2045', 'now'])
      const chart = await page.locator('.u-over').boundingBox()
      const boxes = await Promise.all((await page.locator('.labels span').all()).map((one) => one.boundingBox()))
      for (const [at, box] of boxes.entries()) {
        if (!box || !chart) throw new Error('not shown')
        expect([box.x >= chart.x - 1, box.x + box.width <= chart.x + chart.width + 1]).toEqual([true, true])
        expect(box.y).toBeGreaterThanOrEqual(chart.y - 1)
        const over = boxes.filter(
          (other, index) =>
            other &&
            index !== at &&
            Math.min(other.x + other.width, box.x + box.width) - Math.max(other.x, box.x) > 1 &&
            Math.min(other.y + other.height, box.y + box.height) - Math.max(other.y, box.y) > 1,
        )
        expect(over).toEqual([])
      }
    }
  })
})

describe('on a phone', () => {
  test('the name of a tier has the whole width, and what it costs stands below it', async () => {
    const page = await explore.open('?currency=EUR&product=Ethiopia-Yirgacheffe')
    await page.setViewportSize({ width: 390, height: 850 })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const boxOf = (label: string) => page.getByLabel(label, { exact: true }).boundingBox()
    await page.getByLabel('Name of EUR tier 1', { exact: true }).waitFor()
    const [name, quantity, amount] = await Promise.all(
      ['Name', 'Quantity', 'Amount'].map((of) => boxOf(`${of} of EUR tier 1`)),
    )
    expect(name?.width).toBeGreaterThan(280)
    expect(quantity?.y).toBeGreaterThan((name?.y ?? 9999) + 20)
    expect(amount?.y).toBe(quantity?.y)
  })

  test('the views are behind a button in a header of one line, which gives the focus to what it leads to', async () => {
    const page = await explore.browser.open()
    await page.setViewportSize({ width: 390, height: 850 })
    await page.goto(`${explore.base}/explore?view=rules`)
    await settle(page)
    const header = page.locator('header')
    const views = page.getByRole('navigation', { name: 'Views' })
    const button = page.getByRole('button', { name: 'Menu' })
    expect((await header.boundingBox())?.height).toBeLessThan(50)
    expect(await views.count()).toBe(0)
    await button.click()
    const links = await views.getByRole('link').all()
    expect(links).toHaveLength(8)
    for (const link of links) {
      const box = await link.boundingBox()
      expect([(box?.x ?? -1) >= 16, (box?.x ?? 0) + (box?.width ?? 999) <= 374]).toEqual([true, true])
    }
    expect(await texts(page, 'header nav [aria-current]')).toEqual(['Who sees what'])
    await page.keyboard.press('Escape')
    await expect.poll(() => views.count()).toBe(0)
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await button.click()
    await views.getByRole('link', { name: 'Webhooks' }).click()
    await expect.poll(() => views.count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Webhooks')
  })

  test('the context is behind a button that says what is chosen; no setting is cut, and none covers the breadcrumbs', async () => {
    const page = await explore.browser.open()
    await page.setViewportSize({ width: 390, height: 850 })
    await page.goto(`${explore.base}/explore?currency=EUR&path=coffee`)
    await settle(page)
    const context = page.getByRole('button', { name: /^Context: / })
    expect((await context.textContent())?.trim()).toBe('Context: admin, EUR')
    expect(await page.locator('.chip:visible').count()).toBe(0)
    await context.click()
    const boxes = await page
      .locator('.settings > :visible')
      .evaluateAll((all) =>
        all.map((one) => [one.getBoundingClientRect().left >= 0, one.getBoundingClientRect().right <= 390]),
      )
    expect(boxes.length).toBeGreaterThan(7)
    expect(boxes.filter(([left, right]) => !left || !right)).toEqual([])
    const input = await openChip(page, 'Date and time')
    await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true)
    const [sheet, crumbs] = await Promise.all(
      ['.chip-panel:popover-open', '.crumbs'].map((one) => page.locator(one).boundingBox()),
    )
    expect([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([0, 390, 850])
    expect((crumbs?.y ?? 999) + (crumbs?.height ?? 0)).toBeLessThan(sheet?.y ?? 0)
    await explore.inspect(page, 'context')
    await page.setViewportSize({ width: 390, height: 850 })
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Date and time: now')
    expect(await page.locator('.chip-panel:popover-open').count()).toBe(0)
  })
})

describe('the keyboard and the finger', () => {
  test.each([1280, 390])(
    'at %i pixels the first product is reached by fewer than ten presses of Tab, over the link that skips to the content',
    async (width) => {
      const page = await explore.open('?currency=EUR&path=coffee')
      await page.setViewportSize({ width, height: 850 })
      await page.keyboard.press('Tab')
      const skip = page.getByRole('button', { name: 'Skip to the content' })
      expect(await skip.evaluate((one) => one === document.activeElement && one.getBoundingClientRect().top >= 0)).toBe(
        true,
      )
      await page.keyboard.press('Enter')
      let presses = 1
      while (presses < 10 && (await page.evaluate('document.activeElement.className')) !== 'card') {
        await page.keyboard.press('Tab')
        presses++
      }
      expect(presses).toBeLessThan(10)
      const product = await explore.open('?currency=EUR&product=Ethiopia-Yirgacheffe')
      await product.keyboard.press('Tab')
      await product.keyboard.press('Enter')
      expect(await product.evaluate('document.activeElement.textContent')).toBe('Ethiopia Yirgacheffe')
    },
  )

  test.each([
    ['a list', '?currency=EUR', false],
    ['a product', '?currency=EUR&product=House-Espresso', true],
    ['a bundle', '?currency=EUR&product=Pour-Over-Starter-Set', true],
    ['releases', '?view=releases', true],
    ['campaign', '?view=campaign', true],
    ['rules', '?view=rules', true],
    ['history', '?view=history', true],
    ['webhooks', '?view=webhooks', false],
    ['subscriptions', '?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001', false],
  ])(
    'on the view of %s every target but links within a sentence is at least 24 pixels high and wide, and no table scrolls on a phone',
    async (_, address, hasTable) => {
      const page = await explore.open(address)
      // The entries of the history have their tables once they are opened.
      const entries = page.locator('details.written')
      await entries.evaluateAll((all) => {
        for (const one of all) (one as HTMLDetailsElement).open = true
      })
      if ((await entries.count()) > 0) await page.locator('.written table').first().waitFor()
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 850 })
        const small = await page.evaluate(() => {
          const targets = [...document.querySelectorAll('a, button, select, summary, input')].map((one) =>
            one instanceof HTMLInputElement && /checkbox|radio/.test(one.type) ? (one.closest('label') ?? one) : one,
          )
          return targets.flatMap((one) => {
            const { width, height } = one.getBoundingClientRect()
            const isInSentence = one.tagName === 'A' && one.parentElement?.tagName === 'P' && !one.closest('.pages')
            return width === 0 || isInSentence || (width >= 24 && height >= 24)
              ? []
              : [`${one.outerHTML.slice(0, 120)} ${width}x${height}`]
          })
        })
        expect(small).toEqual([])
      }
      // Each row is a card, where the name of its column stands beside each value.
      const cards = await page.evaluate(() =>
        [...document.querySelectorAll('.wide')].map((wide) => ({
          isScrolled: wide.scrollWidth > wide.clientWidth,
          titles: [...wide.querySelectorAll('thead th')].map((head) => head.textContent),
          rows: [...wide.querySelectorAll('tbody tr')].map((row) =>
            [...row.children].map((cell) => JSON.parse(getComputedStyle(cell, '::before').content)),
          ),
        })),
      )
      for (const { isScrolled, titles, rows } of cards) {
        expect(isScrolled).toBe(false)
        for (const row of rows) expect(row).toEqual(titles)
      }
      expect(cards.length > 0).toBe(hasTable)
    },
  )
})

test('no page logged an error that was not asked for', () => {
  expect(explore.browser.complaints.filter((text) => !/ERR_FAILED/.test(text))).toEqual([])
})
