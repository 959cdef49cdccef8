/** A headless Chromium that can reach nothing but this machine, and tells what its pages asked for and complained of. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

export interface Browser {
  /** A page of a visitor who has never been here. */
  open(): Promise<Page>
  /** Every address that a page asked for, data and blobs apart. */
  readonly requests: string[]
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: string[]
  /** Takes a picture for people to look at. */
  shoot(page: Page, name: string): Promise<void>
  /** Closes all pages, after a picture of each when `picture` is a name. */
  leave(picture: string | null): Promise<void>
  close(): Promise<void>
}

/** With a new profile; pictures go into SCREENSHOTS, else into a new temporary folder that is told. */
export async function openBrowser(): Promise<Browser> {
  const pictures = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'commerce-graph-pictures-'))
  console.log(`pictures: ${pictures}`)
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags })
  const requests: string[] = []
  const complaints: string[] = []
  const shoot: Browser['shoot'] = async (page, name) =>
    void (await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }))
  return {
    requests,
    complaints,
    async open() {
      const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
      context.setDefaultTimeout(60_000)
      context.on('request', (request) => /^(data|blob):/.test(request.url()) || requests.push(request.url()))
      context.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
      context.on('weberror', (error) => complaints.push(String(error.error())))
      return context.newPage()
    },
    shoot,
    async leave(picture) {
      for (const context of browser.contexts()) {
        if (picture !== null) for (const page of context.pages()) await shoot(page, picture)
        await context.close()
      }
    },
    close: () => browser.close(),
  }
}
