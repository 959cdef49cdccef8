/**
 * Publish run: the steps of selection, documents, prices and listings in one transaction on one connection, under the
 * publish lock.
 *
 * SQL, since a publish writes sets that it selects, whatever their size, on a connection of its own.
 */
import type pg from 'pg'
import { analyserOf } from '../../../domain/catalog/search-text.ts'
import type { Queryable } from '../../database/query.ts'
import { rowLock, withIds } from '../../database/row-lock.ts'
import { StatementQueue } from '../../database/statement-queue.ts'
import { refreshChanged } from '../../planner-statistics.ts'
import { documentSteps } from './documents.ts'
import { listingSteps } from './listings.ts'
import { cutNewPrices, simplePrices } from './price-spans.ts'
import { INDEX_WAITING, indexRelease } from './search-texts.ts'
import { createTables, type PublishStep, type ReleaseBuild, selectionSteps } from './selection.ts'
import { saveWarnings } from './warnings.ts'

const steps: readonly PublishStep[] = [...selectionSteps, ...documentSteps, simplePrices, ...listingSteps]

/**
 * What this process computes, after the steps in SQL: all at once, so that the database has work while this process
 * thinks about another part. They read and write nothing of each other.
 */
const computed = {
  name: 'texts, prices and warnings',
  tasks: ({ id, now, storeLanguage }: PublishedRelease): ((on: Queryable) => Promise<void>)[] => [
    (on) => indexRelease(on, id, analyserOf(storeLanguage), { isPublish: true }),
    cutNewPrices,
    (on) => saveWarnings(on, id, now),
  ],
}

type PublishedRelease = ReleaseBuild & { readonly storeLanguage: string }

/** The running step of a publish, and how many of its steps are done. */
export interface PublishProgress {
  readonly step: string
  readonly done: number
  readonly totalSteps: number
}

/** Memory of one sort or hash; beyond it PostgreSQL uses disk, so that the memory of a large publish is bounded. */
const WORK_MEMORY = '64MB'

// Merge joins are off as well: with nested loops off, the planner underestimates the sort of 100,000 wide rows.
const onlyHashJoins = 'SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off'
const anyJoins = 'SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT'

/**
 * Builds a release in one REPEATABLE READ transaction. `before` and `alongside` run in the same transaction;
 * `alongside` makes the release the catalog's latest or its draft. False without such a catalog. Throws transient
 * failures (failures.ts), after which nothing is stored. There are as many statements as steps, whatever the catalog's
 * size, and two for each batch of prices and of warnings computed here, and four for each batch of texts.
 */
export async function buildRelease(
  client: pg.PoolClient,
  release: PublishedRelease,
  onProgress: (progress: PublishProgress) => void,
  alongside: (client: pg.PoolClient) => Promise<void>,
  before: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<boolean> {
  const totalSteps = steps.length + 1
  await refreshChanged(client)
  const build = async (): Promise<boolean> => {
    const { text, values: ids } = rowLock('catalog', withIds([release.catalogId]), 'NO KEY UPDATE')
    if ((await client.query(text, ids)).rowCount === 0) return false
    await before(client)
    // The plans need only the number of rows and roughly that of distinct values; finer statistics cost a tenth of a
    // republish.
    await client.query(
      `SET LOCAL work_mem = '${WORK_MEMORY}'; SET LOCAL gin_pending_list_limit = '${INDEX_WAITING}';
       SET LOCAL default_statistics_target = 10; ${createTables}`,
    )
    for (const [done, { name, sql, fills, hashed }] of steps.entries()) {
      onProgress({ step: name, done, totalSteps })
      const { text, parameters } = bind(sql, release)
      if (hashed) await client.query(onlyHashJoins)
      await client.query(text, parameters)
      if (hashed) await client.query(anyJoins)
      if (fills) await client.query(`ANALYZE ${fills}`)
    }
    onProgress({ step: computed.name, done: steps.length, totalSteps })
    await new StatementQueue(client).run(computed.tasks(release))
    await alongside(client)
    return true
  }
  const isBuilt = await inClientTransaction(client, build, 'BEGIN ISOLATION LEVEL REPEATABLE READ')
  if (isBuilt) onProgress({ step: 'done', done: totalSteps, totalSteps })
  return isBuilt
}

/** Replaces each `:name` by a numbered parameter with a type. */
function bind(sql: string, { id, catalogId, now }: ReleaseBuild): { text: string; parameters: unknown[] } {
  const values = { release: id, catalog: catalogId, now: new Date(now) }
  const parameters: unknown[] = []
  const names = new Map<string, string>()
  const text = sql.replace(/(?<!:):(release|catalog|now)\b/g, (_, name: 'release' | 'catalog' | 'now') => {
    const parameter = names.get(name) ?? `$${parameters.push(values[name])}::${name === 'now' ? 'timestamptz' : 'uuid'}`
    names.set(name, parameter)
    return parameter
  })
  return { text, parameters }
}

/** Runs steps for a release, in the caller's transaction. One statement for each. */
export async function runSteps(client: Queryable, todo: readonly PublishStep[], release: ReleaseBuild): Promise<void> {
  for (const { sql } of todo) {
    const { text, parameters } = bind(sql, release)
    await client.query(text, parameters)
  }
}

/**
 * Runs `work` in a transaction of a connection that was taken with the publish lock. PostgreSQL compiles no statement,
 * since that would take longer than most of them. Two statements beside its own.
 */
export async function inClientTransaction<T>(
  client: pg.PoolClient,
  work: () => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  await client.query(`${begin}; SET LOCAL jit = off`)
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
