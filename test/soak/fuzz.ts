/**
 * Fuzz test: sends many malformed requests at once and checks that none is answered 5xx and that nothing is stored
 * without a response that says so.
 */
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import type { Database } from '../../src/persistence/database/database.ts'
import { type KnownIds, MARKER, requests } from './fuzz-requests.ts'
import type { Client, HttpRequest, HttpResponse } from './http.ts'

const AT_ONCE = 40

export interface FuzzReport {
  readonly sent: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Throws at the first failed check, with the request and the seed. */
export async function fuzz(
  client: Client,
  database: Database,
  known: KnownIds,
  count: number,
  seed: number,
): Promise<FuzzReport> {
  const statuses: Record<string, number> = {}
  const texts = new Set<string>()
  const end = database.onStatement(({ text }) => texts.add(text))
  const before = await rowCounts(database)
  const made = { product_price: 0, subscription: 0, subscription_state: 0 }
  const once = async (sent: HttpRequest): Promise<void> => {
    const got = await client.send(sent)
    statuses[got.status] = (statuses[got.status] ?? 0) + 1
    assertPromises(sent, got)
    if (got.status === 201) made[sent.path.startsWith('/pcm') ? 'product_price' : 'subscription']++
    if (got.status === 204 && sent.path.includes('/states')) made.subscription_state++
    if (/"addProductPrice":\{"productPrice":\{"id"/.test(got.text)) made.product_price++
  }
  const many = fc.array(requests(known), { minLength: AT_ONCE, maxLength: AT_ONCE })
  try {
    await fc.assert(
      fc.asyncProperty(many, async (all) => {
        await Promise.all(all.map(once))
      }),
      // Earlier requests have changed the store, so the failing list can't be shortened: the first failure is reported
      // as it is.
      { numRuns: Math.ceil(count / AT_ONCE), seed, endOnFailure: true },
    )
  } finally {
    end()
  }
  const injected = [...texts].filter((text) => text.includes(MARKER))
  if (injected.length > 0) throw new Error(`a client's text is in a statement: ${injected[0]}`)
  await assertNothingLeft(database, before, made)
  return { sent: Math.ceil(count / AT_ONCE) * AT_ONCE, statuses }
}

function assertPromises(sent: HttpRequest, got: HttpResponse): void {
  const refuse = (what: string): never => {
    throw new Error(`${what}: ${JSON.stringify(sent)}\n${got.status} ${got.text.slice(0, 2000)}`)
  }
  if (got.status >= 500 || got.status < 200) refuse('a response with a server error')
  if (/INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE|\n {4}at |postgres|prisma/i.test(withoutEcho(got.text, sent)))
    refuse('a response that reveals internals')
  const type = String(got.headers['content-type'] ?? '')
  if (got.text !== '' && type.includes('json')) JSON.parse(got.text)
}

/** The response; empty when the request itself has the suspicious words, which the response may repeat. */
function withoutEcho(text: string, { path, body }: HttpRequest): string {
  return /postgres|prisma/i.test(path + String(body)) ? '' : text
}

const counted = [
  'price_book',
  'product_price',
  'sale',
  'subscription',
  'subscription_state',
  'subscription_product',
  'plan',
  'offering',
  'product',
  'catalog',
  'release',
  'label',
] as const

async function rowCounts({ pool }: Database): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(
    `SELECT ${counted.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`,
  )
  return rows[0] ?? {}
}

/** Checks that every row was reported, that no transaction is open or waits, and that no row is partial. */
async function assertNothingLeft(
  database: Database,
  before: Record<string, number>,
  made: Record<string, number>,
): Promise<void> {
  const after = await rowCounts(database)
  for (const table of counted.filter((one) => one !== 'sale')) {
    const expected = (before[table] ?? 0) + (made[table] ?? 0)
    if (after[table] !== expected) throw new Error(`${table} has ${after[table]} rows, ${expected} were reported`)
  }
  const { rows } = await database.pool.query<{ orphans: number }>(
    'SELECT count(*)::int AS orphans FROM sale s WHERE NOT EXISTS (SELECT FROM product_price p WHERE p.id = s.product_price_id)',
  )
  if (rows[0]?.orphans !== 0) throw new Error('there are sales without a price')
  const { pool } = database
  // What is read again in the background takes a moment.
  const until = performance.now() + 20_000
  while (pool.waitingCount > 0 || pool.totalCount !== pool.idleCount) {
    if (performance.now() > until) throw new Error('a connection was not given back')
    await pause(20)
  }
  const open = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()`,
  )
  if ((open.rowCount ?? 0) > 0) throw new Error('a transaction was left open')
}

/** Ids and cursors of the store for requests to name. */
export async function knownOf(
  client: Client,
  tokens: { admin: string; shopper: string },
  database: Database,
): Promise<KnownIds> {
  const tables = [
    'price_book',
    'product_price',
    'subscription_product',
    'subscription',
    'plan',
    'offering',
    'catalog',
    'catalog_node',
    'release',
    'product',
  ]
  const ids: string[] = []
  for (const table of tables) {
    const { rows } = await database.pool.query<{ id: string }>(`SELECT id::text FROM ${table} ORDER BY id LIMIT 4`)
    ids.push(...rows.map(({ id }) => id))
  }
  const query =
    '{ priceBooks { edges { cursor node { id prices(first: 2) { edges { cursor node { id } } } } } } plans { edges { cursor node { id } } } catalogs { nodes { id } } }'
  const got = await client.send({
    method: 'POST',
    path: '/graphql',
    headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const opaque = [...got.text.matchAll(/"(?:cursor|id)":"([^"]+)"/g)].map(([, text]) => text ?? '')
  if (opaque.length === 0) throw new Error(`no ids: ${got.text}`)
  return { ...tokens, ids, opaque }
}
