/** Global setup: creates the databases of a test run and removes them afterwards. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { serverPool } from '../../src/persistence/database/pool.ts'
import { urlOf } from './database-address.ts'
import { serveEmbedded } from './database-server.ts'

/** Creates a database for each worker, on PostgreSQL when DATABASE_URL is set, else embedded. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Number(project.config.maxWorkers)
  const url = process.env.DATABASE_URL
  if (!url) {
    const { folder, stop } = serveEmbedded(workers)
    project.provide('databases', { kind: 'embedded', folder })
    return stop
  }
  const name = `commerce_graph_test_${randomBytes(6).toString('hex')}`
  project.provide('databases', { kind: 'server', url, name })
  return createDatabases(url, name, workers)
}

/** Creates a migrated template and a copy for each worker, which are dropped after the run; they need no durability. */
async function createDatabases(url: string, name: string, workers: number): Promise<() => Promise<void>> {
  const all = [name, ...Array.from({ length: workers }, (_, index) => `${name}_${index + 1}`)]
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  const { pool } = serverPool({ url: urlOf(url, name), max: 1, statementTimeoutMs: 0, onError: console.error })
  await migrate(pool)
  await pool.end()
  for (const copy of all.slice(1)) {
    await admin.query(`CREATE DATABASE ${copy} TEMPLATE ${name}`)
    await admin.query(`ALTER DATABASE ${copy} SET synchronous_commit = off`)
  }
  return async () => {
    for (const database of all) await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await admin.end()
  }
}
