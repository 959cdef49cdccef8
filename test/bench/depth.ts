/**
 * The authoring graph, eight edges deep, against PostGraphile's: products, their families, prices, books, sales, nodes
 * and their parents.
 */
import { adminHeaders, startOurs } from './contenders/our-server.ts'
import { postgraphile } from './contenders/postgraphile.ts'
import { addressOf, made } from './data.ts'
import { drive, type LoadRequest, type LoadResult } from './load.ts'
import { ask, connectionCounts, warm } from './measure.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'

const ours = `query Deep($id: ID!) {
  product(id: $id) {
    sku
    parent {
      sku
      children(first: 4) {
        nodes {
          sku name
          prices { priceBook { name } sales { name schedule { validFrom validTo } } }
          nodes(first: 5) { nodes { name parent { name parent { name parent { name hierarchy { name children(first: 1) { nodes { name } } } } } } } }
        }
      }
    }
  }
}`

const theirs = `query Deep($id: UUID!) {
  productByRowId(rowId: $id) {
    sku
    productByParentId {
      sku
      productsByParentId(first: 4) {
        nodes {
          sku name
          productPricesBySku { nodes { priceBookByPriceBookId { name } salesByProductPriceId { nodes { name validFrom validTo } } } }
          nodeProductsByProductId(first: 5) { nodes { catalogNodeByNodeId { name catalogNodeByParentId { name catalogNodeByParentId {
            name catalogNodeByParentId { name catalogNodeByParentId { name catalogNodesByParentId(first: 1) { nodes { name } } } } } } } } }
        }
      }
    }
  }
}`

/**
 * How many questions there are: a few again and again, as screens that people look at are, and so many that few come
 * twice.
 */
const loads = [
  { name: 'hot', questions: 100 },
  { name: 'spread', questions: 5_000 },
]

function requests(query: string, headers: Record<string, string>, questions: number): LoadRequest[] {
  return Array.from({ length: questions }, (_, index) => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id: made('product', (index + 1) * 10 + 1) } }),
  }))
}

/** Every name and instant of a response, in any order, which must be the same on both sides. */
function valuesOf(text: string): string[] {
  const { data, errors } = JSON.parse(text, (key, value: unknown) =>
    key.startsWith('valid') ? Date.parse(String(value)) : value,
  )
  if (errors) throw new Error(text.slice(0, 500))
  return (
    JSON.stringify(data)
      .match(/"(Node|Product|SKU|Retail|season)[^"]*"|\d{13}/g)
      ?.sort() ?? []
  )
}

interface Driven {
  /** By load and, within it, by number of connections. */
  readonly results: readonly LoadResult[]
  readonly sample: readonly string[]
}

async function run(running: Running, query: string, headers: Record<string, string>, seconds: number): Promise<Driven> {
  try {
    const results: LoadResult[] = []
    let sample: string[] = []
    for (const { questions } of loads) {
      const load = requests(query, headers, questions)
      sample = valuesOf((await ask(running.url, load[0] as LoadRequest)).text)
      await warm({ url: running.url, requests: load }, seconds)
      for (const connections of connectionCounts)
        results.push(await drive({ url: running.url, connections, seconds, requests: load }))
    }
    return { results, sample }
  } finally {
    await running.stop()
  }
}

export async function measureDepth(name: string, seconds: number): Promise<string[]> {
  const server = await startOurs(addressOf(name))
  const own = await run(server, ours, await adminHeaders(server), seconds)
  const other = await postgraphile.start(addressOf(name))
  if (!other) return []
  const its = await run(other, theirs, {}, seconds)
  if (own.sample.join() !== its.sample.join()) throw new Error(`the deep answers differ:\n${own.sample}\n${its.sample}`)
  const ways = loads.flatMap(({ name: load }) =>
    connectionCounts.map((connections) => `${load}, ${connections} connections`),
  )
  const rows = ways.flatMap((way, at) => {
    const reference = its.results[at]?.perSecond ?? Number.NaN
    return [own, its].map(({ results }, whose) => {
      const { perSecond = Number.NaN, p50 = Number.NaN, p99 = Number.NaN } = results[at] ?? {}
      const title = `${whose === 0 ? 'ours, authoring graph' : 'PostGraphile 5'}, ${way}`
      return [title, `${Math.round(perSecond)}/s`, shown(perSecond / reference), `${shown(p50)}/${shown(p99)} ms`]
    })
  })
  const questions = loads.map((load) => `${load.name} ${load.questions} questions`).join(', ')
  return [
    `Eight edges deep through what is authored; ${questions} (goal: 3).`,
    '',
    ...markdown(['', 'requests', 'ratio', 'p50/p99'], rows),
  ]
}
