/**
 * The data of the benchmark: its own database on the server of DATABASE_URL, filled with SQL, published, and dropped at
 * the end.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { createContext } from '../../src/request/context.ts'

export const PRODUCTS = 100_000

/** The id of the `number`th record of a kind, as data.sql makes it. */
export function made(kind: 'product' | 'node' | 'price' | 'book' | 'catalog', number: number): string {
  const digit = { product: '1', node: '2', price: '3', book: '5', catalog: '6' }[kind]
  return `${digit}0000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

export const catalogId = made('catalog', 1)
/** Hierarchies of these numbers have 200 products each; hierarchy 0 is the big one. */
export const SMALL_HIERARCHIES = { first: 2, last: 399 }
export const BIG_HIERARCHY = 0
export const PRODUCTS_PER_HIERARCHY = 200

export const hierarchyId = (hierarchy: number): string => made('node', hierarchy * 8)
/** The node that holds a hierarchy's products. */
export const leafId = (hierarchy: number): string => made('node', hierarchy * 8 + 4)

const server = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The address of the database `name` on the benchmark's server. */
export function addressOf(name: string): string {
  const address = new URL(server)
  address.pathname = `/${name}`
  return address.href
}

export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

export async function openAt(name: string): Promise<Database> {
  const config = { databaseUrl: addressOf(name), dataDir: '', poolMax: 4, statementTimeoutMs: 0 }
  return openDatabase(config, { warn: () => undefined })
}

/** Makes and fills a database; nothing is published yet. */
export async function buildDatabase(name: string, products = PRODUCTS): Promise<void> {
  await dropDatabase(name)
  await onServer(`CREATE DATABASE ${name}`)
  const database = await openAt(name)
  try {
    await migrate(database.pool)
    const sql = readFileSync(new URL('./data.sql', import.meta.url), 'utf8').replaceAll(':products', String(products))
    const client = await database.pool.connect()
    await client.query(sql)
    client.release()
    // VACUUM takes no transaction; without it the first readers pay for hint bits.
    await database.pool.query('VACUUM ANALYZE')
  } finally {
    await database.close()
  }
}

/** Publishes the catalog and answers the seconds it took. */
export async function publish(database: Database): Promise<number> {
  const log = pino({ level: 'silent' })
  const config = loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'x'.repeat(32), RELEASES_KEPT: '2' })
  const viewer = {
    subject: 'bench',
    role: 'admin' as const,
    accountId: null,
    channel: null,
    tags: [],
    expiresAt: Number.POSITIVE_INFINITY,
  }
  const services = { config, database, releases: new ReleaseCache(database), log }
  const start = performance.now()
  await publishRelease(createContext(services, { viewer, now: Date.now(), requestId: 'bench' }), { catalogId })
  return (performance.now() - start) / 1000
}
