/** Mixed load on a server of its own: what it bears, how it behaves a little below that, and what it does with far more. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { projectRoot } from '../../src/config/project-root.ts'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { measureStolenTime, STOLEN_TIME_MAX } from '../support/processors.ts'
import { jsonHeaders } from './http.ts'
import { type Place, type Running, startProgram, startServer } from './program.ts'
import { hierarchyIdOf, linesOf, PRODUCTS_PER_HIERARCHY, storeBookId, storeId } from './store.ts'

const filledBook = 'c0ffee00-0001-4000-8000-000000000002'
const products = [1, 2, 3].map((number) => `c0ffee00-000b-4000-8000-00000000000${number}`)
const tongues = ['USD', 'EUR', 'GBP'].flatMap((currency) => ['en', 'de'].map((language) => ({ currency, language })))
const PAGE_LENGTH = 25
/** Pages begin at every fifth product of a hierarchy. */
const STEP = 5
const page = `query Page($hierarchy: ID!, $after: String) {
  catalog(id: "${storeId}") { release(id: "latest") { hierarchy(id: $hierarchy) { products(first: ${PAGE_LENGTH}, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      productId name sku slug
      price { amount sale { name } saleExpires }
      displayPrice { withTax { amount currency formatted } }
      originalDisplayPrice { withTax { amount currency formatted } }
      breadCrumbs { node { nodeId name } ancestors { nodeId name } }
    }
  } } } }
}`

/** A server with the demo's store and one of 200 products in each of so many hierarchies. */
export async function startLoaded(place: Place, hierarchies: number): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-soak-store-'))
  const store = join(folder, 'store.jsonl')
  writeFileSync(store, [...linesOf(hierarchies)].join(''))
  for (const file of [join(projectRoot, 'prisma/demo.jsonl'), store]) {
    const imported = startProgram('import/main', [file], place)
    if ((await imported.exit) !== 0) throw new Error(imported.printed())
  }
  rmSync(folder, { recursive: true })
  // What a collection of garbage leaves is what memory is judged by.
  const server = await startServer(place, {}, 'main', ['--trace-gc'])
  const cursors = await Promise.all(Array.from({ length: hierarchies }, (_, hierarchy) => cursorsOf(server, hierarchy)))
  return { server, next: mix(server, cursors) }
}

/** Every fifth cursor of a hierarchy, null for its begin. */
async function cursorsOf({ gql }: Running, hierarchy: number): Promise<readonly (string | null)[]> {
  const query = `query($hierarchy: ID!) {
    catalog(id: "${storeId}") { release(id: "latest") { hierarchy(id: $hierarchy) { products(first: 100) { edges { cursor } } } } }
  }`
  const { data } = await gql(query, { hierarchy: hierarchyIdOf(hierarchy) })
  const cursors = data.catalog.release.hierarchy.products.edges.map(({ cursor }: { cursor: string }) => cursor)
  return [null, ...cursors.filter((_: string, index: number) => index % STEP === STEP - 1)]
}

type Kind = 'graph page' | 'REST page' | 'price list' | 'add price' | 'update product'

interface Asked {
  readonly kind: Kind
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** A server and how it is asked. */
export interface Loaded {
  readonly server: Running
  readonly next: () => Asked
}

/** Of twenty requests seventeen read, mostly what has not been asked for lately, and three write. */
function mix({ admin, shopper }: Running, cursors: readonly (readonly (string | null)[])[]): () => Asked {
  let number = 0
  let pages = 0
  let lists = 0
  const write = jsonHeaders(admin)
  return () => {
    const turn = number++ % 20
    if (turn === 0 || turn === 10) {
      const body = JSON.stringify({
        data: { type: 'product-price', attributes: { sku: `LOAD-${process.pid}-${Date.now()}-${number}`, currencies: {} } },
      })
      return { kind: 'add price', method: 'POST', path: `/pcm/pricebooks/${filledBook}/prices`, headers: write, body }
    }
    if (turn === 5) {
      const product = products[Math.floor(number / 20) % products.length]
      const body = JSON.stringify({ data: { id: product, type: 'subscription_product', attributes: { description: `At ${number}` } } })
      return { kind: 'update product', method: 'PUT', path: `/v2/subscriptions/products/${product}`, headers: write, body }
    }
    if (turn === 2 || turn === 7 || turn === 12) {
      const path = `/pcm/pricebooks/${storeBookId}/prices?page[limit]=${PAGE_LENGTH}&page[offset]=${(lists++ * STEP) % PRODUCTS_PER_HIERARCHY}`
      return { kind: 'price list', method: 'GET', path, headers: write }
    }
    // Steps without a common divisor with the number of pages come to each once in a round.
    pages += 7_919
    const hierarchy = pages % cursors.length
    const starts = cursors[hierarchy] as readonly (string | null)[]
    const start = Math.floor(pages / cursors.length) % starts.length
    const { currency, language } = tongues[Math.floor(pages / cursors.length / starts.length) % tongues.length] as (typeof tongues)[number]
    const headers = { ...jsonHeaders(shopper), 'x-moltin-currency': currency, 'accept-language': language }
    if (turn % 2 === 1) {
      const body = JSON.stringify({ query: page, variables: { hierarchy: hierarchyIdOf(hierarchy), after: starts[start] } })
      return { kind: 'graph page', method: 'POST', path: '/graphql', headers, body }
    }
    const path = `/pcm/catalogs/${storeId}/releases/latest/hierarchies/${hierarchyIdOf(hierarchy)}/products`
    return { kind: 'REST page', method: 'GET', path: `${path}?page[limit]=${PAGE_LENGTH}&page[offset]=${start * STEP}`, headers }
  }
}

/** Milliseconds of answers of success. */
interface Times {
  readonly p50: number
  readonly p99: number
}

export interface Measured {
  /** Answers of success per second. */
  readonly rate: number
  readonly shed: number
  readonly errors: readonly string[]
  /** Milliseconds of each answer of success. */
  readonly all: readonly number[]
  readonly kinds: ReadonlyMap<Kind, readonly number[]>
  /** Resident bytes of the server, once a second. */
  readonly memory: readonly number[]
  /** Of the processors' time, what other machines on the same host had that would have been ours. */
  readonly stolen: number
}

/** Connections that stay open from one drive to the next: opening hundreds holds up whoever is to be served. */
export function connectionsTo({ base }: Running, connections: number): Pool {
  // Takes half of what node:http does: the clients share the machine with what is measured.
  return new Pool(base, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
}

/** So many listings are held to the contract; holding all would be what is measured. */
const HELD = 50

/** So many clients that ask again when they are answered, on connections of their own or on those given. 503 counts as shed. */
export async function drive({ server, next }: Loaded, seconds: number, clients: number, given: Pool | null = null): Promise<Measured> {
  const client = given ?? connectionsTo(server, clients)
  const all: number[] = []
  const kinds = new Map<Kind, number[]>()
  const errors: string[] = []
  const memory: number[] = []
  let held = 0
  let shed = 0
  const start = performance.now()
  const until = start + seconds * 1000
  const once = async (): Promise<void> => {
    const asked = next()
    const began = performance.now()
    try {
      const { statusCode: status, body } = await client.request(asked)
      const text = await body.text()
      if (status === 200 && asked.kind === 'REST page' && held++ < HELD) assertHierarchyListing(JSON.parse(text))
      if (status < 300 && !text.includes('"errors"')) {
        const times = kinds.get(asked.kind) ?? []
        kinds.set(asked.kind, times)
        for (const kept of [all, times]) kept.push(performance.now() - began)
      } else if (status === 503) shed++
      else errors.push(`${status} ${text.slice(0, 200)}`)
    } catch (error) {
      errors.push(String(error))
    }
  }
  const sampler = setInterval(() => memory.push(residentBytes(server.child.pid ?? 0)), 1_000)
  const ask = async (): Promise<void> => {
    while (performance.now() < until) await once()
  }
  const { stolen } = await measureStolenTime(() => Promise.all(Array.from({ length: clients }, ask)))
  const ended = performance.now()
  clearInterval(sampler)
  if (!given) await client.destroy()
  // The last answers come after the time.
  return { rate: all.length / ((ended - start) / 1000), shed, errors, all, kinds, memory, stolen }
}

function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** 20,000 products. */
const HIERARCHIES = 100

const MEBI = 1024 * 1024
const HEAP_GROWTH_MIB = 5

/** Mebibytes of heap that each full collection left. */
function heapsLeft(printed: string): number[] {
  return [...printed.matchAll(/Mark-Compact [\d.]+ \([\d.]+\) -> ([\d.]+) /g)].map(([, left]) => Number(left))
}

/** By how much the least of the last third is more than that of the second; NaN when there are too few. */
function growthOf(numbers: readonly number[]): number {
  const third = Math.floor(numbers.length / 3)
  return third < 1 ? Number.NaN : Math.min(...numbers.slice(-third)) - Math.min(...numbers.slice(third, 2 * third))
}

const shown = ({ p50, p99 }: Times): string => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} times`

const CONNECTIONS = 32
const PROBE_SECONDS = 2
const STEADY_SECONDS = 6
/** How much of the most is taken; as few clients as take that, found from round to round. */
const SHARE = 0.8
const FIRST_CLIENTS = 5
/** So many rounds must tell of the server's times, if it takes three times as long. */
const TELLING_ROUNDS = 3

interface Round {
  readonly most: Measured
  readonly steady: Measured
}

/** What the machine bears, and then four fifths of that, by turns, since what it bears differs from minute to minute. */
async function rounds(loaded: Loaded, seconds: number, progress: (line: string) => void): Promise<Round[]> {
  const pool = connectionsTo(loaded.server, CONNECTIONS)
  await drive(loaded, 15, CONNECTIONS, pool)
  const done: Round[] = []
  let clients = FIRST_CLIENTS
  for (;;) {
    const spent = done.length * (PROBE_SECONDS + STEADY_SECONDS)
    if (spent >= (telling(done).length >= TELLING_ROUNDS ? seconds : 3 * seconds)) break
    const most = await drive(loaded, PROBE_SECONDS, CONNECTIONS, pool)
    const steady = await drive(loaded, STEADY_SECONDS, clients, pool)
    done.push({ most, steady })
    const share = steady.rate / most.rate
    progress(
      `bears ${most.rate.toFixed(0)}/s; ${clients} clients, ${steady.rate.toFixed(0)}/s (${percent(share)}): ${shown(timesOf(steady.all))}, ` +
        `${percent(steady.stolen)} of the processors taken by others`,
    )
    clients = Math.max(1, clients + Math.sign(Math.round((SHARE - share) * 20)))
  }
  await pool.destroy()
  return done
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Those in which the processors were ours, and about four fifths of them in use. */
const telling = (rounds: readonly Round[]): readonly Round[] =>
  rounds.filter(
    ({ most, steady }) =>
      most.stolen <= STOLEN_TIME_MAX && steady.stolen <= STOLEN_TIME_MAX && Math.abs(steady.rate / most.rate - SHARE) <= 0.1,
  )

/** All times of the rounds, by kind. */
function timesByKind(rounds: readonly Round[]): Map<Kind, Times> {
  const kinds = [...new Set(rounds.flatMap(({ steady }) => [...steady.kinds.keys()]))]
  return new Map(kinds.map((kind) => [kind, timesOf(rounds.flatMap(({ steady }) => steady.kinds.get(kind) ?? []))]))
}

/** Throws when a promise of the README's table does not hold. */
export async function load(place: Place, seconds: number, progress: (line: string) => void): Promise<void> {
  const loaded = await startLoaded(place, HIERARCHIES)
  const { server } = loaded
  try {
    const done = await rounds(loaded, seconds, progress)
    const growth = growthOf(heapsLeft(server.printed()))
    const times = timesByKind(telling(done))
    const memory = Math.max(...done.flatMap(({ steady }) => steady.memory)) / MEBI
    progress(
      `resident ${memory.toFixed(0)} MiB at most, heap after collections ${growth.toFixed(1)} MiB more in the last third than in the second`,
    )
    for (const [kind, told] of times) progress(`  ${kind}: ${shown(told)}`)

    const most = await drive(loaded, 5, CONNECTIONS)
    const over = await drive(loaded, 15, 3_000)
    const after = await drive(loaded, 5, CONNECTIONS)
    const full = Math.min(most.rate, after.rate)
    progress(
      `3,000 clients at once: ${over.rate.toFixed(0)}/s served (${percent(over.rate / full)}), ${over.shed} shed with 503, ${over.errors.length} errors, ${shown(timesOf(over.all))}`,
    )
    const asked = [...done.flatMap(({ most, steady }) => [most, steady]), most, after]
    const broken = [
      ...[...asked, over].flatMap(({ errors }) => errors.slice(0, 1)),
      ...(asked.some(({ shed }) => shed > 0) ? ['requests were shed that it bears'] : []),
      ...[...times].filter(([, { p50, p99 }]) => p99 > 4 * p50).map(([kind]) => `${kind}: p99 is more than 4 times p50`),
      ...(times.size === 0
        ? [
            `no round at ${percent(SHARE)} in which others had less than ${percent(STOLEN_TIME_MAX)} of the processors: nothing can be told of p99`,
          ]
        : []),
      ...(growth <= HEAP_GROWTH_MIB ? [] : ['memory grows, or too few collections tell']),
      ...(over.shed === 0 ? ['nothing was shed'] : []),
      ...(over.rate < 0.7 * full ? ['overload costs more than it should'] : []),
    ]
    if (broken.length > 0) throw new Error(broken.join('\n'))
  } finally {
    await server.kill()
  }
}
