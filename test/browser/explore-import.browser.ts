/** Imports in /explore: a file is sent, started, watched and canceled. */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Explore, startExplore, texts } from '../support/explore.ts'

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
