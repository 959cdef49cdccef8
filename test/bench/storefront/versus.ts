/**
 * Ours and Vendure on the same products, one after the other for each load and again the other way round, so that both
 * meet the same machine.
 */
import { isDeepStrictEqual } from 'node:util'
import { dropDatabase } from '../data.ts'
import { driveOnce, type LoadResult } from '../load.ts'
import { ask, connectionCounts } from '../measure.ts'
import type { Running } from '../process.ts'
import { markdown, shown } from '../report.ts'
import { ourShop } from './ours.ts'
import { processorTime } from './processor-time.ts'
import type { Question, Shop } from './question.ts'
import { pagesOf, productsOf, searches, tagPages, USD, wholePagesOf } from './questions.ts'
import { buildStore, readStore } from './store.ts'
import { buildVendure } from './vendure.ts'

export const STORE_PRODUCTS = 20_000
/** How many answers of each kind are compared. */
const COMPARED = 15
/** Requests sent alone, of which the quickest decides how long the load must be. */
const TRIED = 3
/**
 * The load before the first one that counts, in lengths of those: for shops that have run for some time, not for their
 * first seconds.
 */
const WARM_UP = 5
/** What takes longer alone is slow; its load is so many requests. */
const SLOW_MS = 400
const SLOW_REQUESTS = 30
/** How much processor time is measured. */
const TIMED_MS = 5_000
/** The longest load otherwise, in seconds. */
const LOAD_MAX = 30

interface Row {
  readonly name: string
  readonly goal: string
  readonly questions: readonly Question[]
}

export interface Open {
  readonly shop: Shop
  readonly running: Running
  readonly database: string
}

function rowsOf(products: number): Row[] {
  const pages = pagesOf('category', products, USD)
  return [
    { name: 'category page, one', goal: '20', questions: pages.slice(0, 1) },
    { name: 'category pages, whole ones', goal: '20', questions: wholePagesOf(products, USD) },
    { name: 'category pages, from any product on', goal: '20', questions: pages },
    { name: 'tag pages', goal: '20', questions: tagPages(products, USD) },
    { name: 'by price', goal: '10', questions: pagesOf('price', products, USD) },
    { name: 'with facets', goal: '10', questions: pagesOf('facets', products, USD) },
    { name: 'by price with facets', goal: '10', questions: pagesOf('sorted', products, USD) },
    { name: 'text search', goal: '10', questions: searches(USD) },
    { name: 'product pages, of a tenth of the products', goal: '20', questions: productsOf(products / 10, USD) },
    { name: 'product pages, of all', goal: '20', questions: productsOf(products, USD) },
  ]
}

async function compare([left, right]: readonly [Open, Open], questions: readonly Question[]): Promise<void> {
  for (const question of questions.slice(0, COMPARED)) {
    const answers = await Promise.all(
      [left, right].map(async ({ shop, running }) =>
        shop.read(JSON.parse((await ask(running.url, shop.request(question))).text)),
      ),
    )
    // Each ranks what a text finds in its own way.
    const compared = question.kind === 'search' ? answers.map(({ total }) => total) : answers
    if (!isDeepStrictEqual(compared[0], compared[1]))
      throw new Error(
        `the shops differ in ${JSON.stringify(question)}:\n${answers.map((answer) => JSON.stringify(answer)).join('\n')}`,
      )
  }
}

/**
 * One load of one shop, long enough for each connection; of a shop that takes long to respond, a number of requests.
 */
export async function load(
  { shop, running }: Open,
  questions: readonly Question[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const requests = questions.map((question) => shop.request(question))
  const alone: number[] = []
  for (const request of requests.slice(-TRIED)) alone.push((await ask(running.url, request)).milliseconds)
  const milliseconds = Math.min(...alone)
  if (milliseconds > SLOW_MS)
    return driveOnce({ url: running.url, connections, seconds, requests, amount: Math.max(connections, SLOW_REQUESTS) })
  const needed = Math.ceil((1.5 * connections * milliseconds) / 1000)
  return driveOnce({ url: running.url, connections, seconds: Math.max(seconds, Math.min(needed, LOAD_MAX)), requests })
}

async function measureRow(
  shops: readonly [Open, Open],
  { name, goal, questions }: Row,
  seconds: number,
): Promise<string[][]> {
  await compare(shops, questions)
  for (const shop of shops) await load(shop, questions, 10, WARM_UP * seconds)
  const lines: string[][] = []
  for (const connections of connectionCounts) {
    const results: [LoadResult[], LoadResult[]] = [[], []]
    for (const order of [[0, 1] as const, [1, 0] as const]) {
      for (const whose of order) results[whose].push(await load(shops[whose], questions, connections, seconds))
    }
    const [own, its] = results.map(mean) as [LoadResult, LoadResult]
    console.log(`${name}, ${connections}: ${shown(own.perSecond)}/s and ${shown(its.perSecond)}/s`)
    const figuresOf = ({ perSecond, p50, p99 }: LoadResult): string =>
      `${shown(perSecond)}/s ${shown(p50)}/${shown(p99)}`
    lines.push([`${name}, ${connections}`, figuresOf(own), figuresOf(its), shown(own.perSecond / its.perSecond), goal])
  }
  const [ownTime, itsTime] = [await timeOf(shops[0], questions), await timeOf(shops[1], questions)]
  const time = (ms: number): string => `${shown(ms)} ms`
  lines.push([`${name}, processor time a request`, time(ownTime), time(itsTime), shown(itsTime / ownTime), ''])
  return lines
}

/** Processor time a request, over about as long for each shop. */
async function timeOf({ shop, running, database }: Open, questions: readonly Question[]): Promise<number> {
  const requests = questions.map((question) => shop.request(question))
  const first = await processorTime(running, database, requests, SLOW_REQUESTS)
  return processorTime(running, database, requests, Math.max(SLOW_REQUESTS, Math.round(TIMED_MS / Math.max(first, 1))))
}

export function mean(results: readonly LoadResult[]): LoadResult {
  const of = (key: keyof LoadResult): number => results.reduce((sum, result) => sum + result[key], 0) / results.length
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}

/** The table of both; `name` begins the names of their databases. */
export async function measureVersus(name: string, seconds: number, products = STORE_PRODUCTS): Promise<string[]> {
  const [own, its] = [`${name}_store`, `${name}_vendure`]
  const running: Running[] = []
  try {
    console.log(`Building ${products} products for both shops ...`)
    await buildStore(own, products)
    const vendure = await buildVendure(its, await readStore(own))
    if (!vendure) return []
    const open = async (shop: Shop, database: string): Promise<Open> => {
      const started = await shop.start()
      if (!started) throw new Error(`${shop.name} did not start`)
      running.push(started)
      return { shop, running: started, database }
    }
    const shops = [await open(ourShop(own), own), await open(vendure, its)] as const
    const lines: string[][] = []
    for (const row of rowsOf(products)) lines.push(...(await measureRow(shops, row, seconds)))
    const [mine, theirs] = running.map((one) => one.memory())
    return [
      `${products} products in both shops; requests a second and p50/p99 in ms by question and connections, each measured twice in turns.`,
      '',
      ...markdown(['', 'ours', vendure.name, 'ratio', 'goal'], lines),
      '',
      `Resident memory at the end: ours ${mine} MB, ${vendure.name} ${theirs} MB.`,
    ]
  } finally {
    for (const one of running) await one.stop()
    await dropDatabase(own)
    await dropDatabase(its)
  }
}
