/** Load test: mixed load on a server, at its maximum, somewhat below it, and far above it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { projectRoot } from '../../src/config/project-root.ts'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { measureStolenTime, STOLEN_TIME_MAX } from '../support/processors.ts'
import { jsonHeaders } from './http.ts'
import { type Running, startServer, type Workspace } from './program.ts'
import { hierarchyIdOf, importStore, PRODUCTS_PER_HIERARCHY, storeBookId, storeId } from './store.ts'

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
      key name sku slug
      price { amount { amount currency formatted } originalAmount { amount currency formatted } sale { name validTo } }
      breadCrumbs { node { key name } ancestors { key name } }
    }
  } } } }
}`

/**
 * A server with the demo store and a store of `hierarchies` hierarchies of 200 products each, with `flags` for Node.
 */
export async function startLoaded(
  workspace: Workspace,
  hierarchies: number,
  flags: readonly string[],
): Promise<Loaded> {
  await importStore(workspace, hierarchies, [join(projectRoot, 'prisma/demo.jsonl')])
  const server = await startServer(workspace, {}, 'main', flags)
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

interface LoadRequest {
  readonly kind: Kind
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** A server and the requests that it gets. */
export interface Loaded {
  readonly server: Running
  readonly next: () => LoadRequest
}

/** Of twenty requests seventeen read, mostly pages that are not cached, and three write. */
function mix({ admin, shopper }: Running, cursors: readonly (readonly (string | null)[])[]): () => LoadRequest {
  let number = 0
  let pages = 0
  let lists = 0
  const write = jsonHeaders(admin)
  return () => {
    const turn = number++ % 20
    if (turn === 0 || turn === 10) {
      const body = JSON.stringify({
        data: {
          type: 'product-price',
          attributes: { sku: `LOAD-${process.pid}-${Date.now()}-${number}`, currencies: {} },
        },
      })
      return { kind: 'add price', method: 'POST', path: `/pcm/pricebooks/${filledBook}/prices`, headers: write, body }
    }
    if (turn === 5) {
      const product = products[Math.floor(number / 20) % products.length]
      const body = JSON.stringify({
        data: { id: product, type: 'subscription_product', attributes: { description: `At ${number}` } },
      })
      return {
        kind: 'update product',
        method: 'PUT',
        path: `/v2/subscriptions/products/${product}`,
        headers: write,
        body,
      }
    }
    if (turn === 2 || turn === 7 || turn === 12) {
      const path = `/pcm/pricebooks/${storeBookId}/prices?page[limit]=${PAGE_LENGTH}&page[offset]=${(lists++ * STEP) % PRODUCTS_PER_HIERARCHY}`
      return { kind: 'price list', method: 'GET', path, headers: write }
    }
    // A step without a common divisor with the number of pages visits each once per round.
    pages += 7_919
    const hierarchy = pages % cursors.length
    const starts = cursors[hierarchy] as readonly (string | null)[]
    const start = Math.floor(pages / cursors.length) % starts.length
    const { currency, language } = tongues[
      Math.floor(pages / cursors.length / starts.length) % tongues.length
    ] as (typeof tongues)[number]
    const headers = { ...jsonHeaders(shopper), 'x-moltin-currency': currency, 'accept-language': language }
    if (turn % 2 === 1) {
      const body = JSON.stringify({
        query: page,
        variables: { hierarchy: hierarchyIdOf(hierarchy), after: starts[start] },
      })
      return { kind: 'graph page', method: 'POST', path: '/graphql', headers, body }
    }
    const path = `/pcm/catalogs/${storeId}/releases/latest/hierarchies/${hierarchyIdOf(hierarchy)}/products`
    return {
      kind: 'REST page',
      method: 'GET',
      path: `${path}?page[limit]=${PAGE_LENGTH}&page[offset]=${start * STEP}`,
      headers,
    }
  }
}

/** Response times of successes, in milliseconds. */
interface Times {
  readonly p50: number
  readonly p99: number
}

export interface Measured {
  /** Successes per second. */
  readonly rate: number
  readonly shed: number
  readonly errors: readonly string[]
  /** Milliseconds of each success. */
  readonly all: readonly number[]
  readonly kinds: ReadonlyMap<Kind, readonly number[]>
  /** Resident bytes of the server, once a second. */
  readonly memory: readonly number[]
  /** The share of processor time that other machines on the same host took. */
  readonly stolen: number
}

/** Connections that stay open between rounds, since opening hundreds delays other requests. */
export function connectionsTo({ base }: Running, connections: number): Pool {
  // Takes half the processor time of node:http, since the clients share the machine with the server.
  return new Pool(base, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 })
}

/** Listings that are validated by the contract's schema; validating all would distort the measurement. */
const HELD = 50

/** Runs clients that each send the next request after a response; 503 counts as shed. */
export async function drive(
  { server, next }: Loaded,
  seconds: number,
  clients: number,
  given: Pool | null = null,
): Promise<Measured> {
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
  // The last responses arrive after the end.
  return { rate: all.length / ((ended - start) / 1000), shed, errors, all, kinds, memory, stolen }
}

function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** 20,000 products. */
const HIERARCHIES = 100

const MEBI = 1024 * 1024
const HEAP_GROWTH_MIB = 5

/** MiB of heap after each full garbage collection. */
function heapsLeft(printed: string): number[] {
  return [...printed.matchAll(/Mark-Compact [\d.]+ \([\d.]+\) -> ([\d.]+) /g)].map(([, left]) => Number(left))
}

/** The growth of the minimum from the second to the last third; NaN when there are too few values. */
function growthOf(numbers: readonly number[]): number {
  const third = Math.floor(numbers.length / 3)
  return third < 1 ? Number.NaN : Math.min(...numbers.slice(-third)) - Math.min(...numbers.slice(third, 2 * third))
}

const shown = ({ p50, p99 }: Times): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(p99 / p50).toFixed(1)} times`

const CONNECTIONS = 32
const PROBE_SECONDS = 2
const STEADY_SECONDS = 6
/** The share of the maximum load, and the number of clients that reaches it, adjusted after each round. */
const SHARE = 0.8
const FIRST_CLIENTS = 5
/** Rounds without stolen time that are needed, within three times as many rounds. */
const TELLING_ROUNDS = 3

interface Round {
  readonly most: Measured
  readonly steady: Measured
}

/** Alternates between the maximum load and four fifths of it, since the maximum changes from minute to minute. */
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

/** The rounds without stolen time whose load was about four fifths of the maximum. */
const telling = (rounds: readonly Round[]): readonly Round[] =>
  rounds.filter(
    ({ most, steady }) =>
      most.stolen <= STOLEN_TIME_MAX &&
      steady.stolen <= STOLEN_TIME_MAX &&
      Math.abs(steady.rate / most.rate - SHARE) <= 0.1,
  )

/** The response times of rounds, by kind of request. */
function timesByKind(rounds: readonly Round[]): Map<Kind, Times> {
  const kinds = [...new Set(rounds.flatMap(({ steady }) => [...steady.kinds.keys()]))]
  return new Map(kinds.map((kind) => [kind, timesOf(rounds.flatMap(({ steady }) => steady.kinds.get(kind) ?? []))]))
}

/** Throws when a promised figure is not met. */
export async function load(workspace: Workspace, seconds: number, progress: (line: string) => void): Promise<void> {
  // Memory is judged by what full garbage collections leave.
  const loaded = await startLoaded(workspace, HIERARCHIES, ['--trace-gc'])
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
      ...[...times]
        .filter(([, { p50, p99 }]) => p99 > 4 * p50)
        .map(([kind]) => `${kind}: p99 is more than 4 times p50`),
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
