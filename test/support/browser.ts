/**
 * Browser: a headless Chromium without access beyond this machine, which records the requests and errors of its pages.
 */
import { existsSync, mkdtempSync } from 'node:fs'
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

/** Without the windows of a browser, which nobody sees: it takes half of Chromium's processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const CHROMIUM = '/usr/bin/chromium'

/** An open browser. */
export interface Browser {
  /** A page in a new profile. */
  open(): Promise<Page>
  /** Every address that pages have requested, except data and blob URLs. */
  readonly requests: string[]
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: string[]
  /** Takes a screenshot for who looks at them, where SCREENSHOTS names a folder. */
  shoot(page: Page, name: string): Promise<void>
  /** Closes all pages, after a screenshot of each when `picture` is a name. */
  leave(picture: string | null): Promise<void>
  close(): Promise<void>
}

/** Opens a browser with a new profile. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM),
    args: flags,
  })
  const requests: string[] = []
  const complaints: string[] = []
  const shoot = async (page: Page, name: string, folder = process.env.SCREENSHOTS): Promise<void> => {
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
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
    shoot: (page, name) => shoot(page, name),
    async leave(picture) {
      const folder = picture === null ? '' : failures()
      for (const context of browser.contexts()) {
        if (picture !== null) for (const page of context.pages()) await shoot(page, picture, folder)
        await context.close()
      }
    },
    close: () => browser.close(),
  }
}

/** Where the pages of failed tests are shown: SCREENSHOTS, else a new temporary folder that is logged. */
function failures(): string {
  const folder = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'commerce-graph-pictures-'))
  console.log(`pictures: ${folder}`)
  return folder
}
