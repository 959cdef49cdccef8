/** Names of releases in /explore: typed at a publish, shown wherever a release is called something, and changed. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const catalogId = 'c0ffee00-0009-4000-8000-000000000001'
const day = 86_400_000
const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * day)
const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
const FIELD = 'Name of the release'

const scheduled = async (): Promise<Answer[]> =>
  (await explore.ask(`{ catalog(id: "${catalogId}") { scheduledReleases { id sequence name } } }`)).catalog
    .scheduledReleases

/** Gives the product with the SKU another description. */
async function describeProduct(sku: string, description: string): Promise<void> {
  const query = 'query P($sku: String!) { products(first: 1, filter: { sku: { eq: $sku } }) { nodes { id } } }'
  const { id } = (await explore.ask(query, { sku })).products.nodes[0]
  await explore.act('updateProduct', 'UpdateProductInput', { id, description })
}

/** Opens what a publish would change, and checks it. */
async function openPublish(): Promise<Page> {
  const page = await explore.open('?view=releases&from=latest&to=draft')
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await page.getByLabel(FIELD).waitFor()
  return page
}

test('a release is named where it is scheduled, and is called so in the list, in choices, in headings, and where a publish carries into it', async () => {
  await describeProduct('COL-HUILA', 'For Christmas.')
  const page = await openPublish()
  await page.getByLabel(FIELD).fill(' Christmas ')
  await page.getByLabel(/^At \(/).fill(local)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/^Release \d+ \(Christmas\) is scheduled\.$/).waitFor()
  const [{ id, sequence, name }] = await scheduled()
  expect(name).toBe('Christmas')

  const list = await explore.open('?view=releases')
  const row = list.getByRole('row', { name: new RegExp(`^${sequence} \\(Christmas\\) Scheduled goes live`) })
  await row.waitFor()
  expect((await texts(list, '[name=to] option')).filter((text) => text.includes('Christmas'))).toEqual([
    expect.stringMatching(new RegExp(`^${sequence} · Christmas · for `)),
  ])
  await explore.inspect(list, 'names')
  await row.getByRole('link', { name: /with the latest/ }).click()
  await list.getByRole('heading', { name: `What differs in release ${sequence} (Christmas) from the latest` }).waitFor()

  // The release shows the new description early.
  await describeProduct('PER-CAJA', 'Corrected.')
  const correction = await openPublish()
  await expect
    .poll(() => texts(correction, '.early li'))
    .toEqual([expect.stringContaining(`in release ${sequence} (Christmas): 1 product`)])
  await expect
    .poll(() => texts(correction, '.carries > ul > li'))
    .toEqual([expect.stringMatching(new RegExp(`^Release ${sequence} \\(Christmas\\) for `))])
  await correction.getByRole('button', { name: 'Publish', exact: true }).click()
  await correction.getByText(/^Release \d+ is published\.$/).waitFor()
  const [carried] = await scheduled()
  expect(carried.sequence).toBeGreaterThan(sequence)
  expect(carried.name).toBe('Christmas')
  const old = await explore.open(`?view=releases&from=latest&to=${encodeURIComponent(id)}`)
  await expect
    .poll(() => texts(old, '.question'))
    .toEqual([
      expect.stringMatching(
        new RegExp(
          `^Release ${sequence} \\(Christmas\\) was carried: .* Release ${carried.sequence} \\(Christmas\\) has its place`,
        ),
      ),
    ])
  const campaigns = await explore.open('?view=campaign')
  await expect
    .poll(() => texts(campaigns, '.releases-ahead li'))
    .toEqual([expect.stringContaining(`Release ${carried.sequence} (Christmas) of `)])
})

test('a name is changed and taken away in the list, and withdrawing asks by it', async () => {
  const [{ id, sequence }] = await scheduled()
  const page = await explore.open('?view=releases')
  const heads = async (): Promise<string[]> => (await texts(page, '.releases tbody th')).slice(1, 2)
  expect(await heads()).toEqual([`${sequence} (Christmas)`])
  await page.getByRole('button', { name: `Actions of release ${sequence} (Christmas)` }).click()
  const field = page.getByLabel(FIELD)
  expect(await field.inputValue()).toBe('Christmas')
  await explore.inspect(page, 'rename')
  await field.fill('Christmas and New Year')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('The name is saved.').waitFor()
  await expect.poll(heads).toEqual([`${sequence} (Christmas and New Year)`])
  expect((await scheduled())[0].name).toBe('Christmas and New Year')

  const history = await explore.open(`?view=history&record=${encodeURIComponent(id)}`)
  await history.locator('.written summary').first().waitFor()
  expect((await texts(history, '.written summary'))[0]).toMatch(
    new RegExp(`changed release no\\. ${sequence} \\(Christmas and New Year\\) of .* name$`),
  )

  await page.getByRole('button', { name: 'Withdraw…' }).click()
  await page.getByText(`instead of release ${sequence} (Christmas and New Year):`).waitFor()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await field.fill('')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('It has no name any more.').waitFor()
  await expect.poll(heads).toEqual([`${sequence}`])
  expect((await scheduled())[0].name).toBeNull()
})

test('what the graph refuses of a name stands below it, and the name stays', async () => {
  const [{ id }] = await scheduled()
  await explore.act('updateRelease', 'UpdateReleaseInput', { id, name: 'Christmas' })
  const page = await explore.open('?view=releases')
  await page.getByRole('button', { name: /^Actions of release \d+ \(Christmas\)$/ }).click()
  await page.getByLabel(FIELD).fill('x'.repeat(1025))
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expect.poll(() => texts(page, '.row-actions .failed')).toEqual(['must be 1 to 1024 characters'])
  expect((await scheduled())[0].name).toBe('Christmas')
})

test('shoppers see no name of a release, and ask for none', async () => {
  const page = await explore.open('?view=releases&role=shopper')
  expect((await texts(page, '.releases tbody th')).length).toBeGreaterThan(0)
  expect(await texts(page, '.releases tbody th')).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+$/)]))
  expect(await page.getByText('Christmas').count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a campaign proposes its name for the release that publishes it', async () => {
  const page = await explore.open('?view=campaign')
  await page.locator('[name=node]').selectOption({ label: 'Single Origin' })
  await page.getByLabel('Name of the sale').fill('Singles day')
  await page.locator('[name=percent]').fill('20')
  await page.getByLabel('First day').fill('2033-11-11')
  await page.getByLabel('Last day').fill('2033-11-12')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: /^Put the sale on/ }).click()
  await page.getByRole('button', { name: 'Check and publish…' }).click()
  await expect.poll(() => page.getByLabel(FIELD).inputValue()).toBe('Singles day')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/^Release \d+ \(Singles day\) is published\.$/).waitFor()
  const { catalog } = await explore.ask(`{ catalog(id: "${catalogId}") { latestRelease { name } } }`)
  expect(catalog.latestRelease.name).toBe('Singles day')
})

test('no page logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
