/** A product's texts and prices, edited in /explore: what is stored, taken back and refused. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const address = '?product=sumatra-mandheling&currency=EUR'

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

/** The product as it is authored. */
async function authored(): Promise<Answer> {
  const product = `product(by: { sku: "SUM-MANDH" }) { description product { id name description tags seoTitle locales { language name description seoTitle seoDescription slug }
    prices { prices { currency includesTax amount { amount } tiers { name minimumQuantity amount { amount } } } } } }`
  return (await explore.latest(product)).product
}

const write = async (fields: Answer) =>
  explore.act('updateProduct', 'UpdateProductInput', { id: (await authored()).product.id, ...fields })

async function edit() {
  const page = await explore.open(address)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Description').first().waitFor()
  return page
}

/** In the page: the controls whose middle something covers, at each place to which the page can be scrolled. */
function controlsBelow(cover: string): string[] {
  const covered = new Set<string>()
  const top = document.querySelector(cover)
  for (let y = 0; y < document.documentElement.scrollHeight; y += 100) {
    window.scrollTo(0, y)
    for (const control of document.querySelectorAll('button, input, select, textarea, summary, a')) {
      const { left, top: upper, width, height } = control.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, upper + height / 2)
      if (control.checkVisibility() && !top?.contains(control) && there && top?.contains(there))
        covered.add(control.outerHTML.slice(0, 80))
    }
  }
  return [...covered]
}

test('a description is corrected on the page of its product, taken back, and published from there', async () => {
  const before = await authored()
  const page = await edit()
  const description = page.getByLabel('Description').first()
  await description.fill('Earthy and calm.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Saved.').waitFor()
  const saved = await authored()
  expect([saved.product.description, saved.description]).toEqual(['Earthy and calm.', before.description])
  expect([saved.product.name, saved.product.tags]).toEqual([before.product.name, before.product.tags])
  // What is still shown as it was published says so.
  await page.getByText('These are the published texts').waitFor()
  await expect.poll(() => texts(page, '.unpublished summary')).toEqual(['1 product with unpublished changes · Publish'])
  await explore.inspect(page, 'edit')
  // What is looked at at another instant is published, too.
  const pinned = await explore.open('?at=2031-01-01T12:00:00Z')
  const bar = pinned.locator('.pinned')
  await expect.poll(() => bar.getByRole('link').allTextContents()).toEqual(['1 unpublished change'])
  expect(await bar.textContent()).toMatch(/^You see Wed, Jan 1, 2031, .* without 1 unpublished changeBack to now$/)
  await explore.inspect(pinned, 'without the draft')
  await bar.getByRole('link').click()
  await pinned.getByRole('heading', { name: 'What a publish would change' }).waitFor()
  // The comparison shows what is unpublished, and so says it no more.
  expect(await bar.getByRole('link').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await authored()).product).toEqual(before.product)
  await expect.poll(() => description.inputValue()).toBe(before.product.description)

  await description.fill('Earthy, heavy and calm.')
  await page.getByLabel('Title for search engines').first().fill('Sumatra coffee')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Saved.').waitFor()
  await page.locator('.unpublished summary').click()
  await page.getByRole('button', { name: 'Check and publish this change…' }).click()
  await page.getByRole('button', { name: 'Publish this change', exact: true }).click()
  await page.getByText(/^Release \d+ is published\.$/).waitFor()
  // That it is still to be published is said no more.
  await expect.poll(() => page.locator('.toast').count()).toBe(0)
  await expect.poll(async () => (await authored()).description).toBe('Earthy, heavy and calm.')
  expect((await authored()).product.seoTitle).toBe('Sumatra coffee')
  await expect.poll(() => texts(page, 'article p')).toContain('Earthy, heavy and calm.')
  await expect.poll(() => page.locator('.draft-hint').count()).toBe(0)
  // Where nothing is left to publish, the button for it stands back.
  const check = page.getByRole('button', { name: 'Check and publish this change…' })
  await expect.poll(() => check.getAttribute('class')).toBe(null)
  const also = page.locator('.also')
  await also.getByText('Also unpublished in: Members.').waitFor()
  await also.getByRole('button', { name: 'Publish there too…' }).click()
  await also.getByRole('button', { name: 'Publish this change', exact: true }).click()
  await expect
    .poll(() => texts(page, '.also'))
    .toEqual([expect.stringMatching(/^Release \d+ of Members is published\.$/)])
  const published = await explore.open('?at=2031-01-01T12:00:00Z')
  expect(await texts(published, '.pinned')).toEqual([expect.stringMatching(/^You see [^w]*Back to now$/)])
  await page.getByLabel('Description').first().fill('Earthy, heavy and calm again.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await expect.poll(() => check.getAttribute('class')).toBe('primary')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await authored()).product.description).toBe('Earthy, heavy and calm.')
})

test('a correction goes live alone while Christmas is scheduled; the whole draft says what it would show early', async () => {
  const named = 'query N { products(first: 1, filter: { sku: { eq: "COL-HUILA" } }) { nodes { id name } } }'
  const [colombia] = (await explore.ask(named)).products.nodes
  const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
  const at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await explore.act('updateProduct', 'UpdateProductInput', { id: colombia.id, name: 'Colombia for Christmas' })
  await explore.act('publishRelease', 'PublishReleaseInput', { catalogId, at })
  const page = await edit()
  await page.getByLabel('Description').first().fill('Corrected before Christmas.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Saved.').waitFor()
  await page.locator('.unpublished summary').click()

  await page.getByRole('button', { name: 'Check and publish everything in the draft…' }).click()
  await page.getByRole('button', { name: 'Publish everything in the draft', exact: true }).waitFor()
  const date = new Date(at).toLocaleString('en-US', {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZoneName: 'short',
  })
  await expect
    .poll(() => texts(page, '.early li'))
    .toEqual([
      `This also puts live now what is scheduled for ${date}: 1 product (Colombia for Christmas). With a time it waits until then.`,
    ])
  await explore.inspect(page, 'shown early')
  const draft = await explore.open('?view=releases&from=latest&to=draft')
  const early = draft.locator('.warnings li', { hasText: 'too early' })
  await expect
    .poll(() => early.allTextContents())
    .toEqual([`Would be shown too early: 1 product, scheduled for ${date}`])
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Check and publish this change…' }).click()
  const publish = page.getByRole('button', { name: 'Publish this change', exact: true })
  await publish.waitFor()
  expect(await page.locator('.early').count()).toBe(0)
  await publish.click()
  await page.getByText(/^Release \d+ is published\.$/).waitFor()
  await expect.poll(async () => (await authored()).description).toBe('Corrected before Christmas.')
  const { product } = await explore.latest('product(by: { sku: "COL-HUILA" }) { name }')
  expect(product.name).toBe(colombia.name)
  // What it also changed is compared in the view of releases; from there a product opens as it will be then.
  await page.locator('.carries').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
  const link = page.locator('.changes').getByRole('link', { name: 'Colombia for Christmas' })
  await link.waitFor()
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['view', 'currency', 'catalog', 'from', 'to'])
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Colombia for Christmas' }).waitFor()
  expect([...new URL(page.url()).searchParams]).toEqual([
    ['currency', 'EUR'],
    ['at', at],
    ['product', 'colombia-huila'],
  ])
  const { catalog } = await explore.ask(`{ catalog(id: "${catalogId}") { scheduledReleases { id } } }`)
  for (const { id } of catalog.scheduledReleases)
    await explore.act('withdrawRelease', 'WithdrawReleaseInput', { releaseId: id })
  await explore.act('updateProduct', 'UpdateProductInput', { id: colombia.id, name: colombia.name })
})

test('what somebody else changed meanwhile is shown, and neither text is lost', async () => {
  const page = await edit()
  const former = (await authored()).product.description
  await write({ description: 'Theirs.' })
  await page.getByLabel('Description').first().fill('Mine.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Somebody else has changed this product').waitFor()
  expect(await texts(page, '.question td')).toEqual([former, 'Theirs.'])
  expect((await authored()).product.description).toBe('Theirs.')
  await page.getByRole('button', { name: 'Go on with what I typed' }).click()
  expect(await page.getByLabel('Description').first().inputValue()).toBe('Mine.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await expect.poll(async () => (await authored()).product.description).toBe('Mine.')

  await write({ description: 'Theirs again.' })
  await page.getByLabel('Description').first().fill('Mine again.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByRole('button', { name: 'Take what is there now' }).click()
  await expect.poll(() => page.getByLabel('Description').first().inputValue()).toBe('Theirs again.')
  expect((await authored()).product.description).toBe('Theirs again.')
})

test('what is typed into the forms of a product stays over a reload, says what was changed meanwhile, and is gone once it is saved', async () => {
  const before = (await authored()).product
  const page = await edit()
  await page.getByLabel('Description').first().fill('Typed before a reload.')
  await page.getByLabel('EUR with tax').fill('13.33')
  await page.getByRole('button', { name: 'Add a EUR tier', exact: true }).click()
  await page
    .getByLabel(/^Name of EUR tier/)
    .last()
    .fill('Bag of five')
  await page
    .getByLabel(/^Quantity of EUR tier/)
    .last()
    .fill('5')
  await page
    .getByLabel(/^Amount of EUR tier/)
    .last()
    .fill('12')
  const typed = () =>
    page.evaluate(
      '[...document.querySelectorAll(".editing form")].map((form) => JSON.stringify([...new FormData(form)]))',
    )
  // Rows that come or go without typing stay so, too.
  for (const button of [/^Add a EUR tier$/, /^Add a sale$/, /^Take sale \d+ away$/, /^Take EUR tier \d+ away$/]) {
    await page.getByRole('button', { name: button }).last().click()
    const forms = await typed()
    await page.reload()
    await page.getByLabel('Description').first().waitFor()
    await expect.poll(typed, { message: String(button) }).toEqual(forms)
  }
  await write({ seoTitle: 'Theirs' })
  await page.reload()
  await page.getByLabel('Description').first().waitFor()
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Somebody else has changed this product').waitFor()
  expect(await texts(page, '.question tbody tr')).toEqual([`Title for search engines${before.seoTitle ?? ''}Theirs`])
  await page.getByRole('button', { name: 'Go on with what I typed' }).click()
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await page.getByText('Saved.').waitFor()
  expect((await authored()).product).toMatchObject({ description: 'Typed before a reload.' })
  await page.getByRole('button', { name: 'Save the prices' }).first().click()
  await expect.poll(async () => (await authored()).product.prices[0].prices[0].amount.amount).toBe(1333)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await authored()).product.prices).toEqual(before.prices)
  await page.reload()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('EUR with tax').fill('14')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await write({ description: before.description, seoTitle: before.seoTitle })
})

test('on a screen of any width no bar stands over the field that has the focus', async () => {
  await write({ seoDescription: 'So that something waits to be published.' })
  for (const [width, height] of [
    [390, 700],
    [1280, 600],
  ] as const) {
    const page = await explore.open(`${address}&at=${new Date(Date.now() + 60_000).toISOString()}`)
    await page.setViewportSize({ width, height })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('.unpublished').waitFor()
    await page.locator('.pinned').waitFor()
    await page.getByLabel('Name', { exact: true }).first().focus()
    const covered: string[] = []
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press('Tab')
      covered.push(
        ...((await page.evaluate(`(() => {
          const one = document.activeElement
          const { left, top, bottom, width } = one.getBoundingClientRect()
          if (!one.closest('.editing') || one.closest('.unpublished')) return []
          return [top + 2, bottom - 2]
            .filter((y) => document.elementFromPoint(left + width / 2, y)?.closest('.unpublished, .pinned'))
            .map((y) => one.outerHTML.slice(0, 80) + ' ' + y)
        })()`)) as string[]),
      )
    }
    expect(covered).toEqual([])
    await page.close()
  }
  await write({ seoDescription: null })
})

test('texts in a language are added and taken back; those of others stay, and what is no language is refused', async () => {
  const before = (await authored()).product
  const page = await edit()
  await page.getByLabel('Another language').fill('no language')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText('A language is a tag such as de or pt-BR.').waitFor()
  await page.getByLabel('Another language').fill('pt-BR')
  await page.getByRole('button', { name: 'Add it' }).click()
  const form = page.locator('details', { hasText: 'In Brazilian Portuguese (pt-BR)' })
  await form.getByLabel('Name', { exact: true }).fill('Café de Sumatra')
  await form.getByRole('button', { name: 'Save the texts' }).click()
  await page.getByText('Saved.').waitFor()
  const texts = { language: 'pt-BR', name: 'Café de Sumatra', description: null, seoTitle: null, seoDescription: null }
  expect((await authored()).product).toEqual({ ...before, locales: [...before.locales, { ...texts, slug: null }] })

  await form.getByLabel('Name in addresses (slug)').fill('no slug')
  await form.getByRole('button', { name: 'Save the texts' }).click()
  await form.locator('div .failed').waitFor()
  expect((await authored()).product.locales).toHaveLength(before.locales.length + 1)
  await form.getByLabel('Name in addresses (slug)').fill('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await authored()).product).toEqual(before)
})

test('a price is typed in decimals of its currency; its tiers stay, and it is taken back', async () => {
  const before = (await authored()).product.prices
  const page = await edit()
  const euro = page.getByLabel('EUR with tax')
  expect(await euro.inputValue()).toBe('12.90')
  await euro.fill('13.205')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  const message = () => euro.evaluate((input: HTMLInputElement) => input.validationMessage)
  await expect.poll(message).toBe('An amount in EUR is a number such as 2.50.')
  expect((await authored()).product.prices).toEqual(before)
  await euro.fill('13.20')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByText('Saved.').waitFor()
  const changed = structuredClone(before)
  changed[0].prices.find(({ currency }: Answer) => currency === 'EUR').amount.amount = 1320
  expect((await authored()).product.prices).toEqual(changed)
  // What was done stays in sight at the other end of the form, with its Undo.
  await euro.scrollIntoViewIfNeeded()
  const box = await page.locator('.toast', { hasText: 'Saved.' }).boundingBox()
  expect([(box?.y ?? -1) >= 0, (box?.y ?? 0) + (box?.height ?? 0) <= (page.viewportSize()?.height ?? 0)]).toEqual([
    true,
    true,
  ])
  // It covers no other control, wherever the page is scrolled to.
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 850 })
    expect(await page.evaluate(controlsBelow, '.toast')).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 850 })
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByText('There is nothing to save').waitFor()
  await euro.fill('13.30')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await authored()).product.prices).toEqual(changed)
  await expect.poll(() => euro.inputValue()).toBe('13.20')
})

test('tiers are added, changed and taken away, what a rule forbids is said, and they are taken back', async () => {
  const before = (await authored()).product.prices
  const euro = async () =>
    (await authored()).product.prices[0].prices
      .find(({ currency }: Answer) => currency === 'EUR')
      .tiers.map(({ name, minimumQuantity, amount }: Answer) => [name, minimumQuantity, amount?.amount ?? null])
  const first = await euro()
  const page = await edit()
  const shown = () =>
    page
      .locator('input[name="EUR name"]')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  await page.getByRole('button', { name: 'Add a EUR tier' }).click()
  const at = first.length + 1
  await page.getByLabel(`Name of EUR tier ${at}`).fill('Pallet')
  await page.getByLabel(`Quantity of EUR tier ${at}`).fill('400')
  await page.getByLabel(`Amount of EUR tier ${at}`).fill('9.05')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await euro()).toEqual([...first, ['Pallet', 400, 905]])
  await explore.inspect(page, 'edit of tiers')

  await page.getByRole('button', { name: 'Add a EUR tier' }).click()
  await page.getByLabel(`Name of EUR tier ${at + 1}`).fill('Pallet')
  await page.getByLabel(`Quantity of EUR tier ${at + 1}`).fill('800')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect.poll(() => texts(page, '.edit .failed')).toHaveLength(1)
  expect(await euro()).toEqual([...first, ['Pallet', 400, 905]])
  await page.getByLabel(`Name of EUR tier ${at + 1}`).fill('Truck')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect.poll(euro).toEqual([...first, ['Pallet', 400, 905], ['Truck', 800, null]])
  await page.getByText('Saved.').waitFor()

  await page.getByRole('button', { name: `Take EUR tier ${at} away` }).click()
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect.poll(euro).toEqual([...first, ['Truck', 800, null]])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(euro).toEqual([...first, ['Pallet', 400, 905], ['Truck', 800, null]])
  const names = first.map(([name]: [string]) => name)
  await expect.poll(shown).toEqual([...names, 'Pallet', 'Truck'])
  await page.getByRole('button', { name: `Take EUR tier ${at + 1} away` }).click()
  await page.getByRole('button', { name: `Take EUR tier ${at} away` }).click()
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expect.poll(async () => (await authored()).product.prices).toEqual(before)
})

test('what a rule forbids is said beside its field, and nothing is stored', async () => {
  const before = (await authored()).product
  const page = await edit()
  await page.getByLabel('Tags').fill('x'.repeat(256))
  await page.getByLabel('Description').first().fill('Not stored.')
  await page.getByRole('button', { name: 'Save the texts' }).first().click()
  await expect.poll(() => texts(page, '.edit .failed')).toHaveLength(1)
  expect((await texts(page, '.edit .failed'))[0]).toContain('255')
  expect((await authored()).product).toEqual(before)
  expect(await page.getByLabel('Description').first().inputValue()).toBe('Not stored.')
})

test('a shopper edits nothing', async () => {
  const page = await explore.open(`${address}&role=shopper`)
  await page.getByRole('heading', { name: 'Sumatra Mandheling' }).waitFor()
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
})

test('no page of edits logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
