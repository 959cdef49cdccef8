/** The palette of /explore: where one field leads, by the keyboard alone. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const at = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

async function find(text: string, address = '?view=history'): Promise<Page> {
  const page = await explore.open(address)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  return page
}

test('Ctrl-K finds products, categories and views by what is typed, and the arrow keys choose one', async () => {
  const page = await find('ethi')
  await expect
    .poll(() => texts(page, '.palette li'))
    .toEqual([
      'Ethiopia Yirgacheffe ETH-YIRG',
      'Ethiopia Guji Natural ETH-GUJI',
      'Ethiopia category coffee/single-origin/africa/ethiopia',
      'Ethi among subscribers',
    ])
  await explore.inspect(page, 'palette')
  for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => at(page, 'path')).toBe('coffee/single-origin/africa/ethiopia')
  expect([at(page, 'view'), await page.locator('dialog[open]').count()]).toEqual([null, 0])
})

test('Enter goes to the first place of what was typed last, however fast it is pressed', async () => {
  const page = await find('ETH-GUJI')
  await page.keyboard.press('Enter')
  await expect.poll(() => at(page, 'product')).toBe('ethiopia-guji-natural')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('campai')
  await page.keyboard.press('Enter')
  await expect.poll(() => at(page, 'view')).toBe('campaign')
})

test('the id of an account and an email lead to subscriptions; nothing that nothing is called so', async () => {
  const account = 'c0ffee00-00aa-4000-8000-000000000001'
  const page = await find(account)
  await page.keyboard.press('Enter')
  await expect.poll(() => [at(page, 'view'), at(page, 'account')]).toEqual(['subscriptions', account])
  const other = await find('someone@example.com')
  await other.keyboard.press('Enter')
  await expect.poll(() => [at(other, 'view'), at(other, 'who')]).toEqual(['subscriptions', 'someone@example.com'])
  const none = await find('qqqqzzzz')
  await none.getByText('No product, category or view has this name.').waitFor()
  await none.keyboard.press('Escape')
  expect([await none.locator('dialog[open]').count(), at(none, 'view')]).toEqual([0, 'history'])
})

test('a SKU leads to its product, also to one of the variants, whose parent follows', async () => {
  const page = await find('ESP-HOUSE-250-B')
  await expect
    .poll(() => texts(page, '.palette li'))
    .toEqual([
      'House Espresso, 250 g, whole bean ESP-HOUSE-250-B',
      'House Espresso ESP-HOUSE',
      'ESP-HOUSE-250-B among subscribers',
    ])
  await page.keyboard.press('Enter')
  await expect.poll(() => at(page, 'product')).toBe('house-espresso-250-g-whole-bean')
})

test('a customer whose name begins so is found before the products that have the word in a description', async () => {
  const page = await find('grace')
  await expect.poll(() => texts(page, '.palette li')).toEqual(['Grace among subscribers', 'Colombia Huila COL-HUILA'])
  expect(await page.getByText('has this name').count()).toBe(0)
  await page.getByRole('link', { name: 'Grace among subscribers' }).click()
  await expect
    .poll(() => texts(page, '.subscription > .soft'))
    .toEqual(['Grace Hopper, grace@example.com · Which catalog this customer sees'])
  expect(at(page, 'who')).toBe('Grace')
  // The graph tells small letters from capital ones.
  await page.goto(`${explore.base}/explore?view=subscriptions&who=grace`)
  await page.getByRole('link', { name: 'look for “Grace”' }).click()
  await expect.poll(() => page.locator('.subscription').count()).toBe(1)
})

test('a shopper finds no view that is for administrators', async () => {
  const page = await find('w', '?role=shopper')
  await page.locator('.palette').waitFor()
  await expect.poll(() => texts(page, '.palette li')).not.toContain('Webhooks view')
  await page.getByLabel(/^Product, SKU/).fill('web')
  await expect.poll(() => texts(page, '.palette li')).not.toContain('Webhooks view')
})

test('no page of the palette logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
