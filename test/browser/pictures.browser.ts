/**
 * The pictures of README.md and of the guide for merchandisers: /explore and GraphiQL with the demo store, in the fonts
 * that Debian has by default (DejaVu). `npm run pictures` makes them anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { type Explore, settle, startExplore } from '../support/explore.ts'
import { parsed, play, visit } from '../support/graphiql.ts'
import { playGuide } from '../support/guide-player.ts'

let explore: Explore

beforeAll(async () => {
  explore = await startExplore()
})

afterAll(() => explore?.stop())

/** Both pictures scaled down to this many pixels, on which the shapes of letters hardly count. */
const [WIDTH, HEIGHT] = [64, 37]

/** By how much the colours of two pictures differ: 0 to 255, the mean of all pixels scaled down. */
function differenceOf(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const addresses = [one, other].map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  return page.evaluate(`(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(addresses)}.map(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const context = new OffscreenCanvas(${WIDTH}, ${HEIGHT}).getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, ${WIDTH}, ${HEIGHT})
      return context.getImageData(0, 0, ${WIDTH}, ${HEIGHT}).data
    }))
    return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / one.length
  })()`)
}

/** Opens the page of a picture; the colour scheme is for those that choose their colours while they load. */
type Open = (colorScheme: 'light' | 'dark') => Promise<Page>

/** Fails unless the kept pictures of the name show the page as it is, in both colour schemes; or writes them anew. */
async function expectPictured(name: string, open: Open): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(colorScheme)
    await page.setViewportSize({ width: 1280, height: 740 })
    await page.emulateMedia({ colorScheme })
    await expect
      .poll(() => page.evaluate('document.getAnimations().filter((one) => one instanceof CSSTransition).length'))
      .toBe(0)
    // Images below the window are loaded when they are needed.
    await page.evaluate(`Promise.all([...document.images]
      .filter((image) => image.getBoundingClientRect().top < innerHeight).map((image) => image.decode()))`)
    const file = join(projectRoot, `.github/pictures/${name}-${colorScheme}.png`)
    const shown = await page.screenshot()
    if (process.env.PICTURES === 'write') writeFileSync(file, shown)
    const kept = readFileSync(file)
    // Width and height, in the header of a PNG.
    expect([kept.readUInt32BE(16), kept.readUInt32BE(20)]).toEqual([1280, 740])
    expect(kept.length).toBeLessThan(160_000)
    // A line of filters that is gone makes 4.6, another order of the products 2.7.
    expect(await differenceOf(page, kept, shown), `${name}, ${colorScheme}`).toBeLessThan(2)
  }
}

test('the pictures of README show the page as it is; npm run pictures makes them anew', async () => {
  await expectPictured('explore', () => explore.open('?currency=EUR&path=coffee/single-origin'))
})

/** The pages that the guide for merchandisers shows, some of them with `sent`, the document before. */
const merchandising: Readonly<Record<string, (sent: string) => Open>> = {
  price: () => async () => {
    const page = await explore.open('?currency=EUR&product=Kenya-Nyeri-AA')
    await page.setViewportSize({ width: 1280, height: 740 })
    await page.locator('.panel').evaluate((panel) => scrollTo(0, scrollY + panel.getBoundingClientRect().top))
    return page
  },
  campaign: (sent) => async (colorScheme) => {
    const page = await explore.browser.open()
    await page.emulateMedia({ colorScheme })
    const query = new URLSearchParams({ query: sent, role: 'admin' })
    await visit(page, () => page.goto(`${explore.base}/graphql?${query}`))
    await play(page)
    await parsed(page)
    return page
  },
  draft: () => () => explore.open('?view=releases&from=latest&to=draft'),
  scheduled: () => async () => {
    const page = await explore.open('?view=releases')
    await page.getByRole('row', { name: 'scheduled' }).getByRole('link', { name: 'with the latest' }).click()
    await page.locator('.changes').waitFor()
    await settle(page)
    return page
  },
}

test('the pictures of the guide for merchandisers show the pages at their place in it; npm run pictures makes them anew', async () => {
  const later = new Date(Math.ceil(Date.now() / 86_400_000 + 7) * 86_400_000).toISOString()
  const pictured: string[] = []
  let sent = ''
  for await (const step of playGuide('merchandising', (document) => explore.ask(document), later)) {
    if ('document' in step) sent = step.document
    else {
      const open = merchandising[step.picture]
      if (!open) throw new Error(`No page is known for the picture ${step.picture}`)
      await expectPictured(`merchandising-${step.picture}`, open(sent))
      pictured.push(step.picture)
    }
  }
  expect(pictured.sort()).toEqual(Object.keys(merchandising).sort())
})
