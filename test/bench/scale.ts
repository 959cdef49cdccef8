/**
 * What publishing and a page cost in a release of 1,000 products and in one of 1,000,000; a page in p50 of one
 * connection.
 */
import { ourRest } from './contenders/our-rest.ts'
import { startOurs } from './contenders/our-server.ts'
import { addressOf, buildDatabase, dropDatabase, openAt, PRODUCTS_PER_HIERARCHY, publish } from './data.ts'
import { driveOnce } from './load.ts'
import { allPages, everyTongue, type PageSpec, shuffle } from './pages.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'

const SMALL = 1_000
const BIG = 1_000_000
/** Hierarchies that are whole in the small release as well. */
const SHARED = [2, 3, 4]
const SECONDS = 5

/** The same pages of both releases: 4,500 questions, so that few are asked for again while it lasts. */
const sharedPages = shuffle(
  SHARED.flatMap((hierarchy) =>
    Array.from({ length: PRODUCTS_PER_HIERARCHY }, (_, offset) =>
      everyTongue.map((tongue): PageSpec => ({ hierarchy, offset, ...tongue })),
    ).flat(),
  ),
)

async function pageIn({ url }: Running, pages: readonly PageSpec[]): Promise<number> {
  const load = { url, connections: 1, requests: pages.map((page) => ourRest.request(page)) }
  await driveOnce({ ...load, seconds: 2 })
  return (await driveOnce({ ...load, seconds: SECONDS })).p50
}

interface Size {
  readonly publishing: number
  readonly shared: number
  readonly any: number
}

async function measureSize(name: string, products: number): Promise<Size> {
  console.log(`Building ${products} products in ${name} ...`)
  await buildDatabase(name, products)
  try {
    const database = await openAt(name)
    const publishing = await publish(database)
    await database.pool.query('VACUUM ANALYZE')
    await database.close()
    const running = await startOurs(addressOf(name))
    const shared = await pageIn(running, sharedPages)
    const any = products === BIG ? await pageIn(running, allPages()) : Number.NaN
    await running.stop()
    return { publishing, shared, any }
  } finally {
    await dropDatabase(name)
  }
}

export async function measureScale(name: string): Promise<string[]> {
  const small = await measureSize(`${name}_small`, SMALL)
  const big = await measureSize(`${name}_big`, BIG)
  return [
    'A release of 1,000,000 products against one of 1,000; pages of the REST listing, one connection.',
    '',
    ...markdown(
      ['', '1,000', '1,000,000', 'ratio', 'at most'],
      [
        [
          'publish',
          `${shown(small.publishing)} s`,
          `${shown(big.publishing)} s`,
          shown(big.publishing / small.publishing),
          'linear',
        ],
        [
          'the same pages',
          `${shown(small.shared)} ms`,
          `${shown(big.shared)} ms`,
          shown(big.shared / small.shared),
          '1.2',
        ],
        [
          'any of 86,000 pages, whose documents memory does not hold',
          '',
          `${shown(big.any)} ms`,
          shown(big.any / small.shared),
          '-',
        ],
      ],
    ),
  ]
}
