/**
 * Browser: a headless Chromium without access beyond this machine, which records the requests and errors of its pages.
 */
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

/** An open browser. */
export interface Browser {
  /** A page in a new profile. */
  open(): Promise<Page>
  /** Every address that pages have requested, except data and blob URLs. */
  readonly requests: string[]
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: string[]
  /** Takes a screenshot. */
  shoot(page: Page, name: string): Promise<void>
  /** Closes all pages, after a screenshot of each when `picture` is a name. */
  leave(picture: string | null): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a browser with a new profile. Screenshots are written to SCREENSHOTS, else to a new temporary folder that is
 * logged.
 */
export async function openBrowser(): Promise<Browser> {
  const pictures = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'commerce-graph-pictures-'))
  console.log(`pictures: ${pictures}`)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: flags,
  })
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
      context.on(
        'console',
        (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
      )
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
