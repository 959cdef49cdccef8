/** What axe finds wrong in a page that is open in a browser. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** A violation: its rule, how bad it is, and each element with what would mend it. */
export type Violation = readonly [rule: string, impact: axe.ImpactValue | undefined, elements: unknown[]]

/** The violations in the part of the page that a CSS selector names. The page gets axe once, which takes a second. */
export async function violationsIn(page: Page, part = 'html'): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // Without the details of what is right axe takes half the time.
  const options = { resultTypes: ['violations'] }
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`,
  )) as axe.AxeResults
  return violations.map(({ id, impact, nodes }) => [
    id,
    impact,
    nodes.map(({ html, failureSummary }) => [html, failureSummary]),
  ])
}
