/** What /explore shows of releases that were scheduled when another one was published. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const later = new Date(Date.now() + 30 * 86_400_000).toISOString()

const productId = async (sku: string): Promise<string> =>
  (
    await explore.ask('query P($sku: String!) { products(first: 1, filter: { sku: { eq: $sku } }) { nodes { id } } }', {
      sku,
    })
  ).products.nodes[0].id

const update = async (sku: string, values: Answer): Promise<void> =>
  explore.act('updateProduct', 'UpdateProductInput', { id: await productId(sku), ...values })

const publish = (more: Answer = {}): Promise<Answer> =>
  explore.act('publishRelease', 'PublishReleaseInput', { catalogId, ...more }, 'release { id sequence }')

test('a dry run and a publish tell which scheduled release gets what, and name the products where both changed the same; the release that was carried leads to the one in its place', async () => {
  await update('COL-HUILA', { name: 'Colombia for Christmas' })
  const { release: christmas } = await publish({ at: later })
  await update('COL-HUILA', { name: 'Colombia Huila Supremo' })
  await update('PER-CAJA', { description: 'Corrected.' })
  const { catalog } = await explore.ask(
    'query D($id: ID!) { catalog(id: $id) { draft { carries { productCount nodeCount conflictCount } } } }',
    { id: catalogId },
  )
  // The time of its last change moves with the name that is not carried.
  expect(catalog.draft.carries).toEqual([{ productCount: 2, nodeCount: 0, conflictCount: 1 }])
  const page = await explore.open('?view=releases&from=latest&to=draft')
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  const carries = page.locator('.carries')
  await expect.poll(() => texts(page, '.carries h3')).toEqual(['Published now, it also changes scheduled releases'])
  const date = new Date(later).toLocaleString('en-US', {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZoneName: 'short',
  })
  await expect
    .poll(() => texts(page, '.carries > ul > li'))
    .toEqual([
      `Release ${christmas.sequence} for ${date}: 2 products and 0 categories change.` +
        '1 conflict: what both changedThe scheduled release keeps its own; what was removed leaves it too.' +
        'Colombia Huila Supremo: name',
    ])
  await explore.inspect(page, 'carries')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect.poll(() => texts(page, '.carries h3')).toEqual(['It also changed scheduled releases'])
  const { release } = await explore.ask(
    'query R($id: ID!) { release(id: $id) { status carriedInto { id sequence } } }',
    {
      id: christmas.id,
    },
  )
  expect(release.status).toBe('CARRIED')
  await expect
    .poll(() => carries.getByRole('link').allTextContents())
    .toEqual([`Release ${release.carriedInto.sequence}`])

  const carried = await explore.open(`?view=releases&from=latest&to=${encodeURIComponent(christmas.id)}`)
  const said = carried.locator('.question')
  expect((await said.textContent())?.replaceAll(/\s+/g, ' ')).toBe(
    `Release ${christmas.sequence} was carried: it is scheduled no more. Release ${release.carriedInto.sequence} has its place for ${date}, with what was published since.`,
  )
  expect(await carried.getByRole('button', { name: 'Make it the latest…' }).count()).toBe(0)
  await said.getByRole('link').click()
  await carried.getByRole('button', { name: 'Make it the latest…' }).waitFor()
  expect(new URL(carried.url()).searchParams.get('to')).toBe(release.carriedInto.id)
})

test('a publish that changes no scheduled release says nothing of any', async () => {
  await explore.act('withdrawRelease', 'WithdrawReleaseInput', {
    releaseId: (await explore.ask(`{ catalog(id: "${catalogId}") { scheduledReleases { id } } }`)).catalog
      .scheduledReleases[0].id,
  })
  await update('PER-CAJA', { description: 'Corrected again.' })
  const page = await explore.open('?view=releases&from=latest&to=draft')
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await page.getByText(/^It would show/).waitFor()
  expect(await page.locator('.carries').count()).toBe(0)
})
