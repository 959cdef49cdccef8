/**
 * What a page costs by where and how it is asked for, in p50 of one connection: offset 10,000 against 0, filters
 * against none.
 */
import { releasePath, shopperHeaders, startOurs } from './contenders/our-server.ts'
import { addressOf, BIG_HIERARCHY, hierarchyId, made } from './data.ts'
import { driveOnce, type LoadRequest } from './load.ts'
import { everyTongue, PAGE_LENGTH } from './pages.ts'
import { markdown, shown } from './report.ts'

/** Each in every currency and language: so many different requests that few are known answers. */
const VARIANTS = 2_000

interface Step {
  readonly name: string
  readonly goal: string
  readonly query: (variant: number) => string
}

/** Products of the big hierarchy have numbers from 79,800 on. */
const inBig = (variant: number): number => 80_000 + variant * 7
const page = (offset: number): string => `page[limit]=${PAGE_LENGTH}&page[offset]=${offset}`

const steps: readonly Step[] = [
  { name: 'offset 0 to 1,999', goal: '1', query: (variant) => page(variant) },
  { name: 'offset 8,001 to 10,000', goal: '1.2', query: (variant) => page(10_000 - variant) },
  { name: 'eq(sku)', goal: '2', query: (variant) => `filter=eq(sku,SKU-${String(inBig(variant)).padStart(6, '0')})` },
  { name: 'eq(slug)', goal: '2', query: (variant) => `filter=eq(slug,product-${inBig(variant)})` },
  { name: 'in(id)', goal: '2', query: (variant) => `filter=in(id,${made('product', inBig(variant))})` },
  {
    name: 'eq(tags), 20 to 1,000 matches, 50 tags',
    goal: '2',
    query: (variant) => `filter=eq(tags,u${(variant % 50) * 20})&${page(0)}`,
  },
  { name: 'the same, 1,000 tags', goal: '2', query: (variant) => `filter=eq(tags,u${variant % 1000})&${page(0)}` },
]

export async function measureSteps(name: string, seconds: number): Promise<string[]> {
  const running = await startOurs(addressOf(name))
  try {
    const rows: string[][] = []
    let plain = Number.NaN
    for (const { name: step, goal, query } of steps) {
      const requests = Array.from({ length: VARIANTS }, (_, variant) =>
        everyTongue.map(
          ({ currency, language }): LoadRequest => ({
            method: 'GET',
            path: `${releasePath}/hierarchies/${hierarchyId(BIG_HIERARCHY)}/products?${query(variant)}`,
            headers: shopperHeaders(currency, language),
          }),
        ),
      ).flat()
      // Once, since another try would ask for what the first one has found.
      const { p50 } = await driveOnce({ url: running.url, connections: 1, seconds: Math.min(seconds, 3), requests })
      if (Number.isNaN(plain)) plain = p50
      rows.push([step, `${shown(p50)} ms`, shown(p50 / plain), goal])
    }
    return [
      'A page of the REST listing by what is asked, one connection.',
      '',
      ...markdown(['', 'p50', 'ratio', 'at most'], rows),
    ]
  } finally {
    await running.stop()
  }
}
