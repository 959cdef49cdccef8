/**
 * Actions of /explore that shoppers notice: each shows first what they will see differently; and no view is wider than
 * a phone.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, settle, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore(undefined, { RELEASES_KEPT: '100' })
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const priceBookId = 'c0ffee00-0001-4000-8000-000000000001'
const account = 'c0ffee00-00aa-4000-8000-000000000001'

const publish = async (more: Answer = {}): Promise<Answer> =>
  (await explore.act('publishRelease', 'PublishReleaseInput', { catalogId, ...more }, 'release { id sequence }'))
    .release

async function setPrice(sku: string, amount: number): Promise<void> {
  const query = `query Price($id: ID!) { priceBook(id: $id) { prices(first: 1, filter: { sku: { eq: "${sku}" } }) { nodes { id } } } }`
  const { id } = (await explore.ask(query, { id: priceBookId })).priceBook.prices.nodes[0]
  await explore.act('updateProductPrice', 'UpdateProductPriceInput', {
    id,
    prices: [{ currency: 'EUR', price: { amount } }],
  })
}

const catalog = async (fields: string): Promise<Answer> =>
  (await explore.ask(`query Catalog($id: ID!) { catalog(id: $id) { ${fields} } }`, { id: catalogId })).catalog

test('the form of a comparison shows the two releases that are compared, also by links, and where they are not listed', async () => {
  for (let amount = 1300; amount < 1325; amount++) {
    await setPrice('SUM-MANDH', amount)
    await publish()
  }
  const { nodes } = (await catalog('releases(first: 100) { nodes { id sequence } }')).releases
  const [newest, second, third] = nodes
  const [early, earliest] = nodes.slice(-2)
  const page = await explore.open('?view=releases')
  const shown = (): Promise<(string | undefined)[]> =>
    page
      .locator('.filters select')
      .evaluateAll((choices) =>
        choices.map((choice) => (choice as HTMLSelectElement).selectedOptions[0]?.text.split(' ·')[0]),
      )
  const compared = (...releases: Answer[]): unknown =>
    expect.poll(shown).toEqual(releases.map(({ sequence }) => String(sequence)))
  await page.getByRole('row').nth(3).getByRole('link', { name: 'with the latest' }).click()
  await compared(second, newest)
  await page.getByRole('row').nth(3).getByRole('link', { name: 'with the one before' }).click()
  await compared(second, third)
  await page.getByLabel('with release').selectOption(newest.id)
  await page.getByRole('button', { name: 'Compare' }).click()
  await compared(second, newest)
  await page.goBack()
  await compared(second, third)
  await page.goto(
    `${explore.base}/explore?view=releases&from=${encodeURIComponent(earliest.id)}&to=${encodeURIComponent(early.id)}`,
  )
  await page.locator('.summary').waitFor()
  await compared(early, earliest)
  await page.getByRole('row', { name: /Draft/ }).getByRole('link', { name: 'with the latest' }).click()
  await expect.poll(shown).toEqual(['Draft', String(newest.sequence)])
})

test('a release becomes the latest once the question shows what shoppers will see instead of what, and only after Yes', async () => {
  const { nodes } = (await catalog('releases(first: 100) { nodes { id sequence } }')).releases
  const [newest] = nodes
  const oldest = nodes.at(-1)
  const page = await explore.open(`?view=releases&from=latest&to=${encodeURIComponent(oldest.id)}`)
  await page.getByRole('button', { name: 'Make it the latest…' }).click()
  const question = page.locator('.question')
  await question
    .getByText(`From now on shoppers see release ${oldest.sequence} instead of release ${newest.sequence}:`)
    .waitFor()
  await expect.poll(() => texts(page, '.seen')).toEqual(await texts(page, '.summary'))
  expect((await texts(page, '.seen'))[0]).toContain('3 changed; prices: 0 up and 3 down in EUR')
  await explore.inspect(page, 'question')
  await question.getByRole('button', { name: 'No' }).click()
  await expect.poll(() => question.count()).toBe(0)
  expect((await catalog('latestRelease { sequence }')).latestRelease.sequence).toBe(newest.sequence)
  await page.getByRole('button', { name: 'Make it the latest…' }).click()
  await page.getByRole('button', { name: 'Yes, make it the latest' }).click()
  await expect
    .poll(async () => (await catalog('latestRelease { sequence }')).latestRelease.sequence)
    .toBe(oldest.sequence)
})

test('a withdrawal asks by what shoppers go on to see at that instant, and leaves its release, which is gone, with a word', async () => {
  const later = (days: number): string =>
    new Date(Math.ceil(Date.now() / 60_000) * 60_000 + days * 86_400_000).toISOString()
  await setPrice('SUM-MANDH', 1400)
  const first = await publish({ at: later(1) })
  await setPrice('SUM-MANDH', 1450)
  const second = await publish({ at: later(2) })
  const scheduled = async (): Promise<number[]> =>
    (await catalog('scheduledReleases { sequence }')).scheduledReleases.map(({ sequence }: Answer) => sequence)
  const page = await explore.open(`?view=releases&from=latest&to=${encodeURIComponent(second.id)}`)
  const withdraw = page.getByRole('button', { name: 'Withdraw…' })
  await withdraw.click()
  // Not of the latest, but of the one that comes before it.
  await page
    .getByText(`shoppers go on to see release ${first.sequence} instead of release ${second.sequence}:`)
    .waitFor()
  await page.locator('.seen').waitFor()
  expect((await texts(page, '.seen'))[0]).toContain('3 changed; prices: 0 up and 3 down in EUR')
  await page.getByRole('button', { name: 'No', exact: true }).click()
  expect(await scheduled()).toEqual([first.sequence, second.sequence])
  await withdraw.click()
  await page.getByRole('button', { name: 'Yes, withdraw' }).click()
  await page.getByText(`Release ${second.sequence} is withdrawn.`).waitFor()
  expect(await scheduled()).toEqual([first.sequence])
  await settle(page)
  expect([await page.locator('.difference').count(), await page.getByRole('alert').count()]).toEqual([0, 0])
  // A link to it that somebody has kept.
  const kept = await explore.open(`?view=releases&from=latest&to=${encodeURIComponent(second.id)}`)
  expect(await texts(kept, '.difference .empty')).toEqual(['This release is not there: it was withdrawn or deleted.'])
  await explore.act('withdrawRelease', 'WithdrawReleaseInput', { releaseId: first.id })
})

test('a cancellation says what follows, also whether it can be resumed, and offers nothing else meanwhile', async () => {
  const page = await explore.open('?view=subscriptions&account=c0ffee00-00aa-4000-8000-000000000001')
  const section = page.locator('.subscription').first()
  const buttons = (): Promise<string[]> => texts(page, '.subscription:first-of-type .actions button')
  expect(await buttons()).toEqual(['Pause', 'Cancel…'])
  await section.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(buttons).toEqual(['Resume', 'Cancel…'])
  await section.getByRole('button', { name: 'Cancel…' }).click()
  expect(await buttons()).toEqual(['Yes, cancel', 'No'])
  expect((await texts(page, '.question p'))[0]).toBe(
    'Once it is canceled, no invoice follows. It can be resumed later.',
  )
  await explore.inspect(page, 'cancellation')
  await section.getByRole('button', { name: 'Yes, cancel' }).click()
  await expect.poll(() => section.locator('.state').textContent()).toBe('canceled')
  expect(await buttons()).toEqual(['Resume'])
  await explore.inspect(page, 'canceled')
  await section.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => section.locator('.state').textContent()).toBe('trial')
})

test('no view that asks is wider than a phone', async () => {
  const { products } = (await catalog('latestRelease { products(first: 100) { nodes { slug } } }')).latestRelease
  const { nodes } = (await catalog('releases(first: 3) { nodes { id } }')).releases
  const [newer, older] = nodes.map(({ id }: Answer) => encodeURIComponent(id))
  const views = [
    ...[
      '',
      '?q=coffee',
      '?q=nothing-like-this',
      '?path=coffee/single-origin',
      '?sale=true&order=-price',
      '?at=2040-01-01T00:00:00Z',
    ],
    ...products.nodes.map(({ slug }: Answer) => `?product=${encodeURIComponent(slug)}`),
    ...[
      '?product=none',
      '?path=none',
      `?view=subscriptions&account=${account}`,
      '?view=subscriptions&account=none',
      '?view=releases',
    ],
    ...[
      '?view=releases&from=latest&to=draft',
      `?view=releases&from=${older}&to=${newer}`,
      `?view=releases&from=latest&to=${older}`,
    ],
    ...['?view=releases&from=latest&to=none', '?view=releases&catalog=none', '?view=none'],
  ]
  const page = await explore.browser.open()
  await page.setViewportSize({ width: 390, height: 850 })
  const wide: unknown[] = []
  for (const role of ['admin', 'shopper']) {
    for (const view of views) {
      await page.goto(`${explore.base}/explore${view}${view === '' ? '?' : '&'}role=${role}`)
      await page.locator('main :is(h1, .empty, [role="alert"])').first().waitFor()
      await expect.poll(() => page.locator('.loading, [aria-busy="true"]').count()).toBe(0)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      if (width !== 390) wide.push([role, view, width])
    }
  }
  expect(wide).toEqual([])
})
