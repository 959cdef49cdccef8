/** Overload test: the costliest accepted operations, alone and many at once, and their effect on other requests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { manyValues } from './bodies.ts'
import { type Attack, lists, misspelt, pauses, subscribe, suspendAnother } from './contention.ts'
import {
  type CostlySize,
  costlyCatalogId,
  costlyLines,
  everywhereId,
  everywhereProductId,
  treeId,
} from './costly-store.ts'
import { jsonHeaders } from './http.ts'
import { percentile99, shown, startProbe } from './probe.ts'
import { type Running, startProgram, startServer, type Workspace } from './program.ts'

export const fullSize: CostlySize = { products: 20_000, bundles: 60, branches: 20, leaves: 15 }

const inRelease = (body: string): string => `catalog(id: "${costlyCatalogId}") { release(id: "latest") { ${body} } }`
const aliases = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
const price = (currency: string): string => `price(currency: "${currency}") { amount { amount } }`

/** Operations that are accepted before they run; some exceed their allowed work while they run, and are aborted. */
const costly: Readonly<Record<string, string>> = {
  'options of bundles with their prices': inRelease(
    `hierarchy(id: "${treeId}") { products(first: 60) { nodes { name bundleConfiguration { componentProducts { productKey ${price('EUR')} } } } } }`,
  ),
  'a tree of three levels': inRelease(
    `hierarchy(id: "${treeId}") { children(first: 20) { nodes { name children(first: 15) { nodes { name products(first: 20) { nodes { id key name sku slug description createdAt updatedAt } } } } } } }`,
  ),
  'the same price under many names': inRelease(
    `hierarchy(id: "${treeId}") { products(first: 100) { nodes { ${aliases(190, price('USD'))} } } }`,
  ),
  'prices at many quantities': inRelease(
    `hierarchy(id: "${treeId}") { products(first: 100) { nodes { ${Array.from({ length: 150 }, (_, index) => `a${index}: price(currency: "USD", quantity: ${index + 1}) { amount { amount } }`).join(' ')} } } }`,
  ),
  'products around a product in very many nodes': inRelease(
    `product(by: { id: "${everywhereProductId}" }) { breadCrumbs { node { products(first: 10) { nodes { price { amount { amount } } } } } ancestors { products(first: 10) { nodes { name } } } } }`,
  ),
  'their breadcrumbs': inRelease(
    `product(by: { id: "${everywhereProductId}" }) { breadCrumbs { node { products(first: 10) { nodes { name breadCrumbs { node { name } } } } } } }`,
  ),
}

const page = `query Page { ${inRelease(`hierarchy(id: "${everywhereId}") { products(first: 25) { nodes { name sku ${price('USD')} breadCrumbs { node { name } } } } }`)} }`

const MEBI = 1024 * 1024
const CPU_MS_MAX = 500
const MEMORY_MIB_MAX = 700
const LIVE_MIB_MAX = 64
const PROBE_MS_MAX = 250
const PAGE_MS_MAX = 1_000
const CLIENTS = 200
const BODY_ROUNDS = 3
/** Searches of an operation that is accepted, with its lists. */
const SEARCHES_ACCEPTED = 20

async function importCostly(workspace: Workspace, size: CostlySize): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-soak-store-'))
  const store = join(folder, 'store.jsonl')
  writeFileSync(store, [...costlyLines(size)].join(''))
  const imported = startProgram('import/main', [store], workspace)
  if ((await imported.exit) !== 0) throw new Error(imported.printed())
  rmSync(folder, { recursive: true })
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
  readonly retryAfter: string | undefined
}

type Ask = (method: 'GET' | 'POST', path: string, query?: string) => Promise<Reply>

function asker(pool: Pool, token: string): Ask {
  return async (method, path, query) => {
    const began = performance.now()
    const {
      statusCode: status,
      headers,
      body,
    } = await pool.request({
      method,
      path,
      headers: jsonHeaders(token),
      ...(query !== undefined && { body: JSON.stringify({ query }) }),
    })
    const text = await body.text()
    return { status, text, milliseconds: performance.now() - began, retryAfter: headers['retry-after']?.toString() }
  }
}

let asked = 0
/** Makes texts unique, so that no operation uses the cache of another. */
const different = (query: string): string => `query Q${asked++} { ${query} }`

/** Milliseconds of processor time of the server's threads. */
function processorTime({ child }: Running): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentMebibytes({ child }: Running): number {
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024) / MEBI
}

/** The processor time of each operation alone, the minimum of several runs, since other work is counted as well. */
async function alone(server: Running, ask: Ask, progress: (line: string) => void): Promise<string[]> {
  const broken: string[] = []
  for (const [name, query] of Object.entries(costly)) {
    const times: number[] = []
    for (let run = 0; run < 8; run++) {
      const before = processorTime(server)
      const { status, text } = await ask('POST', '/graphql', different(query))
      times.push(processorTime(server) - before)
      if (status !== 200 || (text.includes('"errors"') && !text.includes('QUERY_TOO_COSTLY')))
        broken.push(`${name}: ${status} ${text.slice(0, 200)}`)
    }
    const least = Math.min(...times)
    progress(`alone, ${name}: ${least} ms of processor, ${residentMebibytes(server).toFixed(0)} MiB resident`)
    if (least > CPU_MS_MAX) broken.push(`${name} takes ${least} ms of processor`)
  }
  return broken
}

/** The maximum live memory of each operation alone, beyond that of the idle server. */
async function memoryAlone(workspace: Workspace, progress: (line: string) => void): Promise<string[]> {
  const preloaded = fileURLToPath(new URL('./live-memory.mjs', import.meta.url))
  const server = await startServer(workspace, {}, 'main', ['--expose-gc', '--import', preloaded])
  const pool = new Pool(server.base)
  const ask = asker(pool, server.shopper)
  const broken: string[] = []
  const printed = (from: number): number[] =>
    [
      ...server
        .printed()
        .slice(from)
        .matchAll(/live (\d+) MiB/g),
    ].map(([, live]) => Number(live))
  for (const [name, query] of Object.entries(costly)) {
    // The first run fills caches and compiles the operation.
    await ask('POST', '/graphql', different(query))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = printed(0).at(-1) ?? Number.NaN
    const from = server.printed().length
    await ask('POST', '/graphql', different(query))
    const live = Math.max(before, ...printed(from)) - before
    progress(`alone, ${name}: ${live} MiB alive at most`)
    if (!(live <= LIVE_MIB_MAX)) broken.push(`${name} keeps ${live} MiB alive`)
  }
  await pool.destroy()
  await server.kill()
  return broken
}

/** Many clients that send requests for so many seconds. */
interface Crowd {
  readonly name: string
  readonly seconds: number
  /** Client number n begins with the n-th. */
  readonly attacks: readonly Attack[]
}

/** Runs what a crowd sends, and meanwhile watches /health, /ready and a page. */
async function together(
  server: Running,
  { name, seconds, attacks }: Crowd,
  progress: (line: string) => void,
): Promise<string[]> {
  const broken: string[] = []
  const heavy = new Pool(server.base, { connections: CLIENTS, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
  const until = performance.now() + seconds * 1_000
  const counts: Record<string, number> = {}
  let memory = 0
  const attack = async (client: number): Promise<void> => {
    for (let turn = client; performance.now() < until; turn++) {
      const { token, query } = attacks[turn % attacks.length] as Attack
      const { status, text, retryAfter } = await asker(heavy, token)('POST', '/graphql', query(client, turn))
      const { errors } = JSON.parse(text) as {
        readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
      }
      const code = errors?.[0]?.extensions.code ?? 'answered'
      counts[`${status} ${code}`] = (counts[`${status} ${code}`] ?? 0) + 1
      const clean =
        status === 503
          ? retryAfter !== undefined && code === 'SERVICE_UNAVAILABLE'
          : status === 200 && (code === 'answered' || code === 'QUERY_TOO_COSTLY')
      if (!clean) broken.push(`${status} ${text.slice(0, 200)}`)
    }
  }
  const probes = {
    '/health': startProbe({ url: `${server.base}/health`, isFresh: true }),
    '/ready': startProbe({ url: `${server.base}/ready`, isFresh: true }),
    'a page': startProbe({
      url: `${server.base}/graphql`,
      method: 'POST',
      headers: jsonHeaders(server.admin),
      body: JSON.stringify({ query: page }),
    }),
  }
  const sampler = setInterval(() => {
    memory = Math.max(memory, residentMebibytes(server))
  }, 100)
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => attack(client)))
  clearInterval(sampler)
  await heavy.close()
  progress(
    `${name}, ${CLIENTS} at once for ${seconds} s: ${JSON.stringify(counts)}; ${memory.toFixed(0)} MiB resident at most`,
  )
  for (const [what, probe] of Object.entries(probes)) {
    const { times, failure } = await probe.stop()
    progress(`  ${what}: ${shown(times)}`)
    const [p99, most] = [percentile99(times), what === 'a page' ? PAGE_MS_MAX : PROBE_MS_MAX]
    if (!(p99 <= most)) broken.push(`${name}: ${what} took ${p99.toFixed(0)} ms (p99), ${most} are allowed`)
    if (failure) broken.push(`${name}: ${failure}`)
  }
  if (memory > MEMORY_MIB_MAX) broken.push(`${memory.toFixed(0)} MiB are more than ${MEMORY_MIB_MAX}`)
  return broken
}

/** The kinds of contention alone, then with the costliest operations and lists. */
async function crowds(
  workspace: Workspace,
  server: Running,
  seconds: number,
  progress: (line: string) => void,
): Promise<string[]> {
  const subscriber = await subscribe(server)
  const { shopper } = server
  const pages = Object.values(costly).map((query): Attack => ({ token: shopper, query: () => different(query) }))
  const searches = [misspelt(shopper, 40), misspelt(shopper, SEARCHES_ACCEPTED)]
  const broken: string[] = []
  const crowd = async (name: string, share: number, attacks: readonly Attack[], suspended = false): Promise<void> => {
    const isSuspended = suspended && workspace.databaseUrl !== null
    const until = performance.now() + seconds * share * 1_000
    const other = isSuspended ? suspendAnother(workspace, subscriber, until) : Promise.resolve(0)
    broken.push(...(await together(server, { name, seconds: seconds * share, attacks }, progress)))
    if (isSuspended) progress(`  another server was suspended with a row locked ${await other} times`)
  }
  await crowd('pauses of one subscription', 1 / 3, [pauses(subscriber)])
  await crowd('misspelt searches', 1 / 3, searches)
  if (workspace.databaseUrl !== null) await crowd('pauses beside a suspended server', 1 / 3, [pauses(subscriber)], true)
  await crowd('the costliest operations', 1, pages)
  await crowd('all of it', 1, [...pages, ...searches, lists(shopper), pauses(subscriber)], true)
  return broken
}

/** Throws when a limit is exceeded. */
export async function overload(
  workspace: Workspace,
  seconds: number,
  progress: (line: string) => void,
  size = fullSize,
): Promise<void> {
  await importCostly(workspace, size)
  const kept = await memoryAlone(workspace, progress)
  const server = await startServer(workspace)
  const pool = new Pool(server.base)
  try {
    const broken = [
      ...kept,
      ...(await alone(server, asker(pool, server.shopper), progress)),
      ...(await crowds(workspace, server, seconds, progress)),
      ...(await manyValues(server, progress, PROBE_MS_MAX, BODY_ROUNDS)),
    ]
    if (server.child.exitCode !== null) broken.push('the server ended')
    if (broken.length > 0) throw new Error([...new Set(broken)].slice(0, 20).join('\n'))
  } finally {
    await pool.destroy()
    await server.kill()
  }
}
