/** Publishing as one transaction on one connection: the statements of selection, documents and listings in their order. */
import type pg from 'pg'
import { rowLock, withIds } from '../../database/row-lock.ts'
import { documentSteps } from './documents.ts'
import { listingSteps } from './listings.ts'
import { createTables, type PublishStep, selectionSteps } from './selection.ts'
import { saveWarnings } from './warnings.ts'

const steps: readonly PublishStep[] = [...selectionSteps, ...documentSteps, ...listingSteps]

/** What a publish does now, and how many of its steps are done. */
export interface PublishProgress {
  readonly step: string
  readonly done: number
  readonly totalSteps: number
}

/** One lock for all catalogs, since documents are shared: publishes run one after another, on whatever server. */
const PUBLISH_LOCK = 7_077_888

/** Memory of one sort or hash while publishing; beyond it PostgreSQL spills to disk, so that a big release stays bounded. */
const WORK_MEMORY = '64MB'

// Merge joins too: what nested loops cost when they are forbidden hides what a sort of 100,000 wide rows costs.
const onlyHashJoins = 'SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off'
const anyJoins = 'SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT'

/**
 * Runs `work` while no other publish runs. The lock belongs to the connection and is taken before any transaction begins: a snapshot taken
 * while waiting would be old. Embedded there is one connection, so the pool's queue serialises, and the lock is free at once.
 */
export async function withPublishLock<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withLock(pool, 'SELECT pg_advisory_lock($1)::text IS NOT NULL AS locked', work) as Promise<T>
}

/** The same, but does nothing when a publish runs. */
export async function tryPublishLock<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T | undefined> {
  return withLock(pool, 'SELECT pg_try_advisory_lock($1) AS locked', work)
}

async function withLock<T>(pool: pg.Pool, lock: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect()
  let usable = false
  try {
    const session = await client.query<{ statement_timeout: string }>('SHOW statement_timeout')
    await client.query('SET statement_timeout = 0')
    const { rows } = await client.query<{ locked: boolean }>(lock, [PUBLISH_LOCK])
    const locked = rows[0]?.locked === true
    try {
      return locked ? await work(client) : undefined
    } finally {
      if (locked) await client.query('SELECT pg_advisory_unlock($1)', [PUBLISH_LOCK])
      await client.query('SELECT set_config($1, $2, false)', ['statement_timeout', session.rows[0]?.statement_timeout ?? '0'])
      usable = true
    }
  } finally {
    // A connection that could not be put right is closed, and its lock goes with it.
    client.release(!usable)
  }
}

/**
 * Fills a release in one REPEATABLE READ transaction and moves the catalog's pointer last; `alongside` writes in the same transaction.
 * All or nothing.
 */
export async function buildRelease(
  client: pg.PoolClient,
  release: { readonly id: string; readonly catalogId: string; readonly now: number },
  onProgress: (progress: PublishProgress) => void,
  alongside: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<void> {
  const values = { release: release.id, catalog: release.catalogId, now: new Date(release.now) }
  const totalSteps = steps.length + 1
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  try {
    const { text, values: ids } = rowLock('catalog', withIds([release.catalogId]), 'NO KEY UPDATE')
    await client.query(text, ids)
    // How many rows and about how many values there are is all that the plans need; a closer look costs a tenth of a republish.
    await client.query(
      `SET LOCAL jit = off; SET LOCAL work_mem = '${WORK_MEMORY}'; SET LOCAL default_statistics_target = 10; ${createTables}`,
    )
    for (const [done, { name, sql, fills, hashed }] of steps.entries()) {
      onProgress({ step: name, done, totalSteps })
      const { text, parameters } = bind(sql, values)
      if (hashed) await client.query(onlyHashJoins)
      await client.query(text, parameters)
      if (hashed) await client.query(anyJoins)
      if (fills) await client.query(`ANALYZE ${fills}`)
    }
    onProgress({ step: 'warnings', done: steps.length, totalSteps })
    await saveWarnings(client, release.id, release.now)
    await alongside(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
  onProgress({ step: 'done', done: totalSteps, totalSteps })
}

/** `:name` as a numbered, typed parameter. */
function bind(sql: string, values: { release: string; catalog: string; now: Date }): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const places = new Map<string, string>()
  const text = sql.replace(/(?<!:):(release|catalog|now)\b/g, (_, name: 'release' | 'catalog' | 'now') => {
    const place = places.get(name) ?? `$${parameters.push(values[name])}::${name === 'now' ? 'timestamptz' : 'uuid'}`
    places.set(name, place)
    return place
  })
  return { text, parameters }
}
