/** Scratch space of a run: a folder, and on a server a database, both removed afterwards. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { urlOf } from '../support/database-address.ts'
import type { Workspace } from './program.ts'

export async function withWorkspace<T>(
  databaseUrl: string | null,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-soak-'))
  const dataDir = join(folder, 'data')
  if (databaseUrl === null) {
    try {
      return await work({ dataDir, databaseUrl })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const name = `commerce_graph_soak_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  try {
    return await work({ dataDir, databaseUrl: urlOf(databaseUrl, name) })
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
