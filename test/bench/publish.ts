/**
 * What publishing costs as a store grows, and that a page does not grow with it:
 *
 *     npx tsx test/bench/publish.ts [products ...]     on the server of DATABASE_URL; 1000 10000 100000 by default
 *
 * Each size gets a database of its own, which is dropped at the end.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { listHierarchyProducts } from '../../src/operations/catalog/page.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import type { PublishProgress } from '../../src/persistence/catalog/publish/run.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { type Context, createContext, type Services } from '../../src/request/context.ts'
import { toCatalogProduct } from '../../src/rest/catalog/catalog-product.ts'

const server = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = 'commerce_graph_publish'
const catalogId = '60000000-0000-7000-8000-000000000001'
const hierarchyId = '20000000-0000-7000-8000-000000000001'
const PAGES = 300

function addressOf(database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A request, in a process that has seen nothing yet unless `services` come from one. */
function newContext(database: Database, services?: Services): Context {
  const config = loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'x'.repeat(32), RELEASES_KEPT: '2' })
  const viewer = {
    subject: 'bench',
    role: 'admin' as const,
    accountId: null,
    channel: null,
    tags: [],
    expiresAt: Number.POSITIVE_INFINITY,
  }
  const fresh = { config, database, releases: new ReleaseCache(database), log: pino({ level: 'silent' }) }
  return createContext(services ?? fresh, { viewer, now: Date.now(), requestId: 'bench' })
}

async function publish(database: Database, title: string): Promise<number> {
  const start = performance.now()
  let last = start
  let step = ''
  const slow: string[] = []
  const onProgress = (progress: PublishProgress): void => {
    const now = performance.now()
    if (now - last > 250) slow.push(`${step} ${seconds(now - last)}`)
    last = now
    step = progress.step
    if (process.stdout.isTTY)
      process.stdout.write(`\r\u001b[K  ${title}: ${progress.done} of ${progress.totalSteps}, ${progress.step}`)
  }
  await publishRelease(newContext(database), { catalogId }, {}, onProgress)
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K')
  console.log(`  ${title}: ${seconds(performance.now() - start)}${slow.length > 0 ? ` (${slow.join(', ')})` : ''}`)
  return performance.now() - start
}

/**
 * A page of 25 as the facade makes it, in a process of its own: statements and milliseconds of the first, and the
 * median of others.
 */
async function pages(database: Database): Promise<void> {
  const ctx = newContext(database)
  let statements = 0
  const end = database.onStatement(() => statements++)
  const page = async (offset: number): Promise<number> => {
    const start = performance.now()
    const input = { catalogId, releaseId: 'latest', hierarchyId, clauses: [], page: { limit: 25, offset } }
    const request = newContext(database, ctx)
    const { items } = await listHierarchyProducts(request, input)
    JSON.stringify(items.map((item) => (item.kind === 'product' ? toCatalogProduct(item, request) : null)))
    return performance.now() - start
  }
  const first = await page(0)
  console.log(`  first page of a process: ${statements} statements, ${first.toFixed(1)} ms`)
  const { allProducts: all } =
    (await ctx.releases.resolve(catalogId, 'latest', { now: Date.now(), readsAll: false, proof: null })) ?? {}
  statements = 0
  const times: number[] = []
  for (let turn = 0; turn < PAGES; turn++)
    times.push(await page((turn * 997) % Math.min(10_000, (all?.documents.length ?? 50) / 2)))
  times.sort((left, right) => left - right)
  console.log(
    `  further pages: ${(statements / PAGES).toFixed(2)} statements, median ${times[PAGES / 2]?.toFixed(2)} ms`,
  )
  end()
}

async function measure(products: number): Promise<void> {
  console.log(`${products} products, ${Math.floor(products / 50) + 2} nodes`)
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`)
  const config = { databaseUrl: addressOf(name), dataDir: '', poolMax: 4, statementTimeoutMs: 0 }
  const database = await openDatabase(config, { warn: () => undefined })
  try {
    await migrate(database.pool)
    const sql = readFileSync(new URL('./publish.sql', import.meta.url), 'utf8').replaceAll(
      ':products',
      String(products),
    )
    await database.pool.query(sql)
    const { rows } = await database.pool.query('SELECT count(*) AS count FROM product_price')
    console.log(`  ${rows[0].count} prices`)
    const first = await publish(database, 'first publish')
    console.log(`  ${((first * 1000) / products).toFixed(0)} µs per product`)
    await publish(database, 'the same again')
    await database.pool.query(`UPDATE product SET description = 'changed' WHERE abs(hashtext(id::text)) % 100 = 0`)
    await publish(database, 'after 1% changed')
    await pages(database)
    console.log(`  memory of this process: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`)
  } finally {
    await database.close()
    await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

const sizes = process.argv.slice(2).map(Number)
for (const size of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) await measure(size)
