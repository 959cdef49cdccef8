/** Imports in /explore: a file is sent, started, watched and canceled. */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

/** Opens the view and sends a file. */
async function send(name: string, text: string) {
  const page = await explore.open('?view=import')
  await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Send the file' }).click()
  return page
}

test('a sheet is sent, started and watched, and its refused row is saved with what is wrong', async () => {
  const page = await send('coffees.csv', 'sku,name\nNEW-1,New one\nNEW-2,\n')
  const job = page.getByRole('region', { name: 'coffees.csv' })
  await job.getByText('waits to be started').waitFor()
  await explore.inspect(page, 'import')
  await job.getByRole('button', { name: 'Start it' }).click()
  await job.getByText('done', { exact: true }).waitFor()
  expect(await texts(page, '.import-job tbody tr')).toEqual(['product1001'])
  const waiting = page.waitForEvent('download')
  await job.getByRole('button', { name: 'Save the 1 refused row' }).click()
  const saved = await (await waiting).path()
  expect((await readFile(saved, 'utf8')).split('\r\n').slice(0, 2)).toEqual([
    '\uFEFFsku,name,refused',
    expect.stringMatching(/^NEW-2,,.*name/),
  ])
  await explore.inspect(page, 'import that is done')
})

test('a check shows what would be done, stores nothing, and the file can be started after it', async () => {
  const page = await send('checked.csv', 'sku,name\nNEW-5,New five\nNEW-6,\n')
  const job = page.getByRole('region', { name: 'checked.csv' })
  await job.getByRole('button', { name: 'Check it' }).click()
  await job.getByText('checked: nothing is stored yet').waitFor()
  await job.getByText('No price would change now.').waitFor()
  await job.getByRole('button', { name: 'Save the 1 refused row' }).waitFor()
  expect(await job.locator('tbody tr').allTextContents()).toEqual(['product1001'])
  await explore.inspect(page, 'import that is checked')
  await job.getByRole('button', { name: 'Start it' }).click()
  await job.getByText('done', { exact: true }).waitFor()
  expect(await job.locator('tbody tr').allTextContents()).toEqual(['product1001'])
})

test('a check shows the prices that would change', async () => {
  const page = await explore.open('?view=import')
  const buffer = Buffer.from('sku,EUR.amount\nNEW-7,12.50\n')
  await page.getByLabel('File').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Its rows are').selectOption('product-price')
  await page.getByRole('button', { name: 'Send the file' }).click()
  const job = page.getByRole('region', { name: 'prices.csv' })
  await job.getByRole('button', { name: 'Check it' }).click()
  await job.getByText('1 price would change now').waitFor()
  expect(await job.locator('.prices tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/^NEW-7.*none.*12\.50/),
  ])
  await job.getByRole('button', { name: 'Remove it' }).click()
  await job.getByText('canceled').waitFor()
})

test('the prices of a book are saved as a sheet, as the server sends it', async () => {
  const page = await explore.open('?view=import')
  const form = page.getByRole('form', { name: 'Export' })
  await form.getByLabel('What').selectOption('product-price')
  await form.getByLabel('Price book').selectOption('Retail')
  const waiting = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Save it as a file' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe('product-price.csv')
  const rows = (await readFile(await file.path(), 'utf8')).split('\r\n')
  const { priceBooks } = await explore.ask(
    '{ priceBooks(first: 10) { nodes { name prices(first: 1) { totalCount } } } }',
  )
  const retail = priceBooks.nodes.find(({ name }: Answer) => name === 'Retail')
  expect([rows[0]?.startsWith('\uFEFFsku,external_ref,EUR.amount'), rows.length]).toEqual([
    true,
    retail.prices.totalCount + 2,
  ])
  await explore.inspect(page, 'export')
})

test('a file that is sent can be removed, and nothing of it is stored', async () => {
  const page = await send('other.csv', 'sku,name\nNEW-3,New three\n')
  const job = page.getByRole('region', { name: 'other.csv' })
  await job.getByRole('button', { name: 'Remove it' }).click()
  await job.getByText('canceled').waitFor()
  expect(await job.getByRole('button').count()).toBe(0)
})

test('what the server refuses of a file is said', async () => {
  const page = await send('empty.csv', '')
  await expect.poll(() => texts(page, '.import .failed')).toEqual(['The body is empty'])
})

test('no page of imports logged an error', () => {
  expect(explore.browser.complaints.filter((line) => !line.includes('400'))).toEqual([])
})
