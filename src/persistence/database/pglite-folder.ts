/** Data folder of the embedded database, copied from a template where there is one. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../config/project-root.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'
import { PgliteEngine } from './pglite-engine.ts'
import { embeddedPool } from './pool.ts'

/**
 * A migrated database without rows, made in advance: initdb and the migrations take seconds, a copy a fifth of one. It
 * is optional.
 */
const template = join(projectRoot, '.build/pglite-template')
const stampFile = `${template}.stamp`

/**
 * Creates an empty database in `folder` unless it exists. It is created under another name and renamed when complete,
 * so that a crash leaves no partial database.
 */
export async function ensureDatabaseFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  if (hasTemplate()) {
    cpSync(template, draft, { recursive: true })
  } else {
    const engine = new PgliteEngine(draft)
    await engine.start()
    await engine.stop()
  }
  renameSync(draft, folder)
}

/** Makes the template unless there is one for these migrations and the installed PGlite. */
export async function makeTemplate(): Promise<void> {
  if (hasTemplate()) return
  const draft = `${template}.${process.pid}`
  mkdirSync(dirname(draft), { recursive: true })
  try {
    await makeMigrated(draft)
    rmSync(stampFile, { force: true })
    rmSync(template, { recursive: true, force: true })
    renameSync(draft, template)
    writeFileSync(stampFile, templateStamp())
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

async function makeMigrated(folder: string): Promise<void> {
  const engine = new PgliteEngine(folder)
  try {
    const { pool } = embeddedPool(engine, console.error)
    await migrate(pool)
    await pool.end()
  } finally {
    // Its thread would keep the process alive, and with it npm ci.
    await engine.stop()
  }
}

function hasTemplate(): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === templateStamp()
}

/** A hash of what the template is made from. */
function templateStamp(): string {
  const hash = createHash('sha256').update(readFileSync(join(packageFolder('@electric-sql/pglite'), 'package.json')))
  for (const { name, checksum } of readMigrations()) hash.update(`\n${name} ${checksum}`)
  return hash.digest('hex')
}

function packageFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
}
