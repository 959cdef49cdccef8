/**
 * How soon /explore can be used: loads of its first view from the demo store in Chromium, each in a new profile, from
 * the begin of the navigation until the products are shown and a click on the tree is answered.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../support/browser.ts'
import { startProgram } from '../support/program.ts'
import { calmly } from './calm.ts'
import { markdown } from './report.ts'

const LOADS = 5

/** What a load reports, in milliseconds since the navigation began. */
interface Load {
  /** When the script of the page began to run. */
  readonly script: number
  /** When the first products were there. */
  readonly shown: number
  /** When the page had answered a click, made as soon as products and tree were there. */
  readonly answered: number
  readonly bytes: number
}

/** Runs in the page: opens a branch of the tree once products and tree are there, and notes the instants. */
const observer = `
  const noted = (globalThis.noted = {})
  const note = (name) => (noted[name] ??= performance.now())
  new MutationObserver(() => {
    if (document.querySelector('#root > *')) note('script')
    const toggle = document.querySelector('.menu .toggle[aria-expanded]')
    if (document.querySelector('.card')) note('shown')
    if (!noted.shown || !toggle) return
    if (toggle.getAttribute('aria-expanded') === 'true') note('answered')
    else if (!noted.clicked) note('clicked'), toggle.click()
  }).observe(document, { subtree: true, childList: true, attributes: true })`

export async function measureExplore(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-explore-'))
  const program = startProgram(['npm', 'start'], { DATA_DIR: join(folder, 'data') })
  const browser = await openBrowser()
  try {
    const [, base = ''] = await program.says(/Address +(\S+)/)
    const load = async (): Promise<Load> => {
      const page = await browser.open()
      await page.addInitScript(observer)
      await page.goto(`${base}/explore`, { waitUntil: 'commit' })
      await page.locator('.menu .toggle[aria-expanded="true"]').waitFor()
      const noted = (await page.evaluate('noted')) as Omit<Load, 'bytes'>
      const sizes = `performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)`
      const bytes = (await page.evaluate(sizes)) as number
      await browser.leave(null)
      return { ...noted, bytes }
    }
    const first = await load()
    const loads: Load[] = []
    for (let count = 0; count < LOADS; count++) loads.push(await calmly(load))
    const of = (name: keyof Load): number[] => loads.map((one) => one[name]).sort((left, right) => left - right)
    const row = (title: string, name: keyof Load): string[] => {
      const sorted = of(name).map(Math.round)
      return [
        title,
        `${sorted[Math.floor(LOADS / 2)]} ms`,
        `${sorted[0]} to ${sorted.at(-1)} ms`,
        `${Math.round(first[name])} ms`,
      ]
    }
    return [
      `The first view of /explore on the demo store, ${LOADS} loads in new profiles after a first one; ${Math.round((of('bytes')[0] ?? 0) / 1000)} kB.`,
      '',
      ...markdown(
        ['since the navigation began', 'median', 'all', 'first'],
        [
          row('first rendering', 'script'),
          row('products shown', 'shown'),
          row('click on the tree answered', 'answered'),
        ],
      ),
    ]
  } finally {
    await browser.close()
    program.child.kill('SIGTERM')
    await program.exit
    rmSync(folder, { recursive: true, force: true })
  }
}
