/** Mixed load on a server of its own: what it bears, how it behaves a little below that, and what it does with far more. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { projectRoot } from '../../src/root.ts'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { jsonHeaders } from './http.ts'
import { type Place, type Running, startProgram, startServer } from './program.ts'

const catalog = 'c0ffee00-0009-4000-8000-000000000001'
const hierarchy = 'c0ffee00-0007-4000-8000-000000000001'
const listedBook = 'c0ffee00-0001-4000-8000-000000000001'
/** Another one, so that listing does not become dearer by what is added meanwhile. */
const filledBook = 'c0ffee00-0001-4000-8000-000000000002'
const products = [1, 2, 3].map((number) => `c0ffee00-000b-4000-8000-00000000000${number}`)
const listing = `/pcm/catalogs/${catalog}/releases/latest/hierarchies/${hierarchy}/products`
const page = `query($after: String) { catalog(id: "${catalog}") { release(id: "latest") { products(first: 10, after: $after) { nodes { name sku price(currency: "USD") { amount } } pageInfo { endCursor } } } } }`

/** The demo store, imported before the server starts. */
export async function startLoaded(place: Place): Promise<Running> {
  const imported = startProgram('import/main', [join(projectRoot, 'prisma/demo.jsonl')], place)
  if ((await imported.exit) !== 0) throw new Error(imported.printed())
  // What a collection of garbage leaves is what memory is judged by.
  return startServer(place, {}, 'main', ['--trace-gc'])
}

type Kind = 'graph page' | 'REST page' | 'price list' | 'add price' | 'update product'

interface Asked {
  readonly kind: Kind
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Of twenty requests seventeen read: pages of several kinds, and three write. */
function mix({ admin, shopper }: Running): () => Asked {
  let number = 0
  const read = jsonHeaders(shopper)
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
    if (turn < 5)
      return { kind: 'graph page', method: 'POST', path: '/graphql', headers: read, body: JSON.stringify({ query: page, variables: {} }) }
    if (turn < 8) {
      const path = `/pcm/pricebooks/${listedBook}/prices?page[limit]=20&page[offset]=${number % 40}`
      return { kind: 'price list', method: 'GET', path, headers: write }
    }
    return { kind: 'REST page', method: 'GET', path: `${listing}?page[limit]=10&page[offset]=${number % 30}`, headers: read }
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
  readonly all: Times
  readonly kinds: ReadonlyMap<Kind, Times>
  /** Resident bytes of the server, once a second. */
  readonly memory: readonly number[]
}

/** In which connections are opened: nobody is served while hundreds are, and what waits then is no sign of how the rest goes. */
const OPENING_SECONDS = 5

/**
 * As fast as so many connections go (`rate` null), or at a steady rate whatever the answers, whose times count after the opening. 503 counts
 * as shed.
 */
export async function drive(server: Running, seconds: number, connections: number, rate: number | null): Promise<Measured> {
  // Takes half of what node:http does: the clients share the machine with what is measured.
  const client = new Pool(server.base, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
  const next = mix(server)
  const all: number[] = []
  const kinds = new Map<Kind, number[]>()
  const errors: string[] = []
  const memory: number[] = []
  /** Listings held to the contract: one of each page, since holding all would be what is measured. */
  const listings = new Set<string>()
  let shed = 0
  const from = performance.now() + (rate === null ? 0 : OPENING_SECONDS * 1000)
  const until = from + seconds * 1000
  const once = async (began = performance.now()): Promise<void> => {
    const asked = next()
    try {
      const { statusCode: status, body } = await client.request(asked)
      const text = await body.text()
      if (status === 200 && asked.kind === 'REST page' && !listings.has(asked.path)) {
        listings.add(asked.path)
        assertHierarchyListing(JSON.parse(text))
      }
      if (status < 300 && !text.includes('"errors"')) {
        const times = kinds.get(asked.kind) ?? []
        kinds.set(asked.kind, times)
        for (const kept of began < from ? [] : [all, times]) kept.push(performance.now() - began)
      } else if (status === 503) shed++
      else errors.push(`${status} ${text.slice(0, 200)}`)
    } catch (error) {
      errors.push(String(error))
    }
  }
  const sampler = setInterval(() => memory.push(residentBytes(server.child.pid ?? 0)), 1_000)
  const asking = rate === null ? ceaselessly(until, once) : steadily(rate, until, once)
  await Promise.all(Array.from({ length: connections }, () => asking()))
  clearInterval(sampler)
  await client.destroy()
  return {
    rate: all.length / seconds,
    shed,
    errors,
    all: timesOf(all),
    kinds: new Map([...kinds].map(([kind, times]) => [kind, timesOf(times)])),
    memory,
  }
}

function timesOf(milliseconds: number[]): Times {
  const sorted = milliseconds.sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

type Worker = () => Promise<void>

const ceaselessly =
  (until: number, once: () => Promise<void>): Worker =>
  async () => {
    while (performance.now() < until) await once()
  }

/** Whoever is free takes the next request when it is due; one that is taken late waits from when it was due. */
function steadily(rate: number, until: number, once: (due: number) => Promise<void>): Worker {
  const began = performance.now()
  let taken = 0
  return async () => {
    for (;;) {
      const due = began + (taken++ / rate) * 1000
      if (due >= until) return
      const early = due - performance.now()
      if (early > 0) await pause(early)
      await once(due)
    }
  }
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/**
 * What a request may wait for one of another kind: a page out of memory takes less than a millisecond, and whatever it comes behind on the
 * one thread (a write, a long answer, a collection of garbage) some ten to twenty.
 */
const PASSING_MS = 25

const shown = ({ p50, p99 }: Times): string => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} times`

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

/** Throws when a promise of the README's table does not hold. */
export async function load(place: Place, seconds: number, progress: (line: string) => void): Promise<void> {
  const server = await startLoaded(place)
  try {
    await drive(server, 10, 32, null)
    const most = await drive(server, 20, 32, null)
    progress(`bears ${most.rate.toFixed(0)} requests/s (${shown(most.all)}, ${most.errors.length} errors)`)

    const said = server.printed().length
    const steady = await drive(server, seconds, 256, most.rate * 0.8)
    const growth = growthOf(heapsLeft(server.printed().slice(said)))
    progress(
      `at 80 % for ${seconds} s: ${steady.rate.toFixed(0)}/s, ${steady.errors.length} errors, ${steady.shed} shed, ` +
        `resident ${(Math.max(...steady.memory) / MEBI).toFixed(0)} MiB at most, heap after collections ${growth.toFixed(1)} MiB more in the last third than in the second`,
    )
    for (const [kind, times] of steady.kinds) progress(`  ${kind}: ${shown(times)}`)
    const over = await drive(server, 15, 3_000, null)
    progress(
      `3,000 clients at once: ${over.rate.toFixed(0)}/s served (${((100 * over.rate) / most.rate).toFixed(0)} %), ${over.shed} shed with 503, ${over.errors.length} errors, ${shown(over.all)}`,
    )
    const after = await drive(server, 5, 16, null)
    progress(`afterwards: ${after.rate.toFixed(0)}/s, ${after.errors.length + after.shed} refused`)

    const broken = [
      ...[most, steady, over, after].flatMap(({ errors }) => errors.slice(0, 1)),
      ...[...steady.kinds]
        .filter(([, { p50, p99 }]) => p99 > Math.max(4 * p50, PASSING_MS))
        .map(([kind]) => `${kind}: p99 is more than 4 times p50 and than ${PASSING_MS} ms`),
      ...(growth <= HEAP_GROWTH_MIB ? [] : ['memory grows, or too few collections tell']),
      ...(over.shed === 0 ? ['nothing was shed'] : []),
      ...(over.rate < 0.7 * most.rate ? ['overload costs more than it should'] : []),
    ]
    if (broken.length > 0) throw new Error(broken.join('\n'))
  } finally {
    await server.kill()
  }
}
