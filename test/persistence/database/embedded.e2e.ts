import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/persistence/database/database.ts'
import { migrate } from '../../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../../src/persistence/database/open-database.ts'
import { PgliteEngine } from '../../../src/persistence/database/pglite-engine.ts'
import { ensureDatabaseFolder } from '../../../src/persistence/database/pglite-folder.ts'
import { embeddedPool } from '../../../src/persistence/database/pool.ts'
import { describeStartupError } from '../../../src/server/startup-error.ts'
import { mountSmallDisk, unmountSmallDisk } from '../../support/small-disk.ts'

let dataDir: string
const open: Database[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-'))
})
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

async function openHere(): Promise<Database> {
  const database = await openDatabase(
    { databaseUrl: null, dataDir, poolMax: 10, statementTimeoutMs: 1_000 },
    { warn: () => {} },
  )
  open.push(database)
  return database
}

// Opening a database takes most of a second, and many times that on a busy machine.
describe('the embedded database', () => {
  it('the embedded database keeps committed rows after a close and after a crash of its thread, and unlocks its folder when it closes', async () => {
    const first = await openHere()
    await migrate(first.pool)
    await first.prisma.storeFact.create({ data: { name: 'before the close' } })
    await expect(openHere()).rejects.toThrow(`${dataDir} is in use by process ${process.pid} since`)
    await first.close()
    expect(readdirSync(dataDir)).toEqual(['pglite'])

    const second = await openHere()
    expect(await migrate(second.pool)).toEqual([])
    await second.prisma.storeFact.create({ data: { name: 'before the crash' } })
    const returned = takeLogAway()
    await second.pool.query('SELECT pg_switch_wal()')
    const lost = second.pool.query("INSERT INTO store_fact (name) VALUES ('lost')")
    await expect(lost).rejects.toMatchObject({
      code: 'ECONNRESET',
      message: expect.stringMatching(/^The embedded database stopped, with \d+ MB left on its disk$/),
    })
    await expect(second.prisma.storeFact.count()).rejects.toThrow()
    returned()
    expect(
      (
        await second.prisma.storeFact.findMany({ where: { name: { startsWith: 'before' } }, orderBy: { name: 'asc' } })
      ).map(({ name }) => name),
    ).toEqual(['before the close', 'before the crash'])
  })

  it('the embedded database does not block the event loop while a statement runs', async () => {
    const database = await openHere()
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await database.pool.query('SELECT count(*) FROM generate_series(1, 3000000)')
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })

  it('http.ready-is-apart: the embedded database is alive while a statement runs, for as long as one may take', async () => {
    const database = await openHere()
    expect(database.isAlive?.()).toBe(true)
    const long = database.pool.query('SELECT count(*) FROM generate_series(1, 20000000)')
    expect(database.isAlive?.()).toBe(true)
    await expect.poll(() => database.isAlive?.(), { timeout: 60_000 }).toBe(false)
    await long
    expect(database.isAlive?.()).toBe(true)
    await database.close()
    expect(database.isAlive?.()).toBe(false)
  })

  it('the embedded database does not retain the results of statements in memory', async () => {
    const { pool } = await openHere()
    const answer = async () =>
      (await pool.query<{ text: string }>(`SELECT repeat('x', 1000000) AS text`)).rows[0]?.text.length
    for (let n = 0; n < 50; n++) await answer()
    collectGarbage()
    const before = process.memoryUsage.rss()
    for (let n = 0; n < 400; n++) expect(await answer()).toBe(1_000_000)
    // What other files of this worker left in the heap lets V8 collect later.
    collectGarbage()
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(250)
  })

  it('the embedded database runs a checkpoint outside of transactions when its write-ahead log is long', async () => {
    const { pool } = await openHere()
    const length = async () => {
      const asked =
        'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int AS length FROM pg_control_checkpoint()'
      return (await pool.query<{ length: number }>(asked)).rows[0]?.length ?? 0
    }
    await pool.query('BEGIN')
    // Each begins a new file of 16 MiB.
    for (let n = 0; n < 9; n++) await pool.query(`SELECT pg_logical_emit_message(false, '', 'x'), pg_switch_wal()`)
    await pause(2_500)
    expect(await length()).toBeGreaterThan(128 * 2 ** 20)
    await pool.query('COMMIT')
    await expect.poll(length, { timeout: 60_000 }).toBeLessThan(2 ** 20)
  })

  it('the embedded database vacuums tables of which most is dead or new, between transactions', async () => {
    const engine = new PgliteEngine(join(dataDir, 'pglite'), 100)
    await ensureDatabaseFolder(join(dataDir, 'pglite'))
    const { pool } = embeddedPool(engine, () => {})
    const known = async () => {
      const { rows } = await pool.query<{ name: string; state: string }>(
        "SELECT relname AS name, CASE relpages WHEN 0 THEN 'no pages' ELSE 'pages' END || ', ' || reltuples || ' rows' AS state FROM pg_class WHERE relname ~ '^(emptied|filled|few|kept)$' ORDER BY relname IN ('few', 'kept'), 1",
      )
      return rows.map(({ name, state }) => `${name}: ${state}`)
    }
    await pool.query(`
      CREATE TABLE emptied AS SELECT n FROM generate_series(1, 5000) n; DELETE FROM emptied; ANALYZE emptied;
      CREATE TABLE few AS SELECT n FROM generate_series(1, 40) n;
      CREATE TABLE kept WITH (autovacuum_enabled = false) AS SELECT n FROM generate_series(1, 5000) n`)
    await pool.query('BEGIN')
    await pool.query('CREATE TABLE filled AS SELECT n FROM generate_series(1, 5000) n')
    await pause(3_000)
    const others = ['few: no pages, -1 rows', 'kept: no pages, -1 rows']
    expect(await known()).toEqual(['emptied: pages, 0 rows', 'filled: no pages, -1 rows', ...others])
    await pool.query('COMMIT')
    await expect.poll(known).toEqual(['emptied: no pages, 0 rows', 'filled: pages, 5000 rows', ...others])
    await pool.end()
    await engine.stop()
  })

  it('the embedded database recovers from an interrupted first start, and names a folder that it can not open', async () => {
    const draft = new PgliteEngine(join(dataDir, 'pglite.new'))
    await draft.start()
    await draft.stop()
    const database = await openHere()
    expect(await database.query('test-fresh', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await database.close()
    expect(existsSync(join(dataDir, 'pglite.new'))).toBe(false)

    writeFileSync(join(dataDir, 'pglite/PG_VERSION'), '9\n')
    await expect(openHere()).rejects.toThrow(`The embedded database in ${join(dataDir, 'pglite')} could not be opened`)
    expect(readFileSync(join(dataDir, 'pglite/PG_VERSION'), 'utf8')).toBe('9\n')
    expect(existsSync(join(dataDir, 'lock'))).toBe(false)
  })

  it('the embedded database rejects statements after it is closed, and may be closed twice', async () => {
    const database = await openHere()
    await Promise.all([database.close(), database.close()])
    await expect(database.query('test-closed', 'SELECT 1')).rejects.toThrow('after calling end')
  })
})

const disk = mountSmallDisk(20)

describe.runIf(disk)('[needs the right to mount] a disk that is full', () => {
  afterAll(() => disk && unmountSmallDisk(disk))

  it('a full disk is named by the error of a first start, which PGlite alone does not explain', async () => {
    // Without the template, whose copy names a full disk itself.
    const sentences = await new PgliteEngine(join(disk ?? '', 'data')).start().then(() => '', describeStartupError)
    expect(sentences).toMatch(/The embedded database stopped, with 0 MB left on its disk: .*(ErrnoError|Aborted)/s)
  })
})

/**
 * Makes the database fail as a broken disk does: without its write-ahead log it panics. Returns what brings the log
 * back.
 */
function takeLogAway(): () => void {
  const [from, to] = [join(dataDir, 'pglite/pg_wal'), join(dataDir, 'wal')]
  renameSync(from, to)
  return () => renameSync(to, from)
}
