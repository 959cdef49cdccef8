/**
 * What the change log costs a write. Three ways send the same writes in turns, each on a copy of the database: the
 * program as it is; the same program with the log as it was before it had authors and states, filled by triggers with
 * the ids of what changed; and without a log.
 */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import { calmly } from './calm.ts'
import { startOurs } from './contenders/our-server.ts'
import { addressOf, dropDatabase, onServer, openAt } from './data.ts'
import { type Way, type Write, writes } from './logged-writes.ts'
import { median } from './median.ts'
import { markdown, shown } from './report.ts'
import { ms, sender } from './running-the-shop.ts'
import { processorClock } from './storefront/processor-time.ts'

/** Turns that count, after one that does not. */
const TURNS = 9

/** Of one turn: milliseconds that passed, and of processor time, of server and database. */
interface Cost {
  readonly passed: number
  readonly worked: number
}

export async function measureChangeLog(name: string): Promise<string[]> {
  const folder = withoutLog()
  const ways: Way[] = []
  const open = async (suffix: string, program: string | undefined, change: string) => {
    const copy = `${name}_${suffix}`
    await dropDatabase(copy)
    await onServer(`CREATE DATABASE ${copy} TEMPLATE ${name}`)
    const database = await openAt(copy)
    await database.pool.query(change)
    const running = await startOurs(addressOf(copy), program)
    ways.push({ database, running, send: await sender(running), name: copy, made: new Map() })
  }
  try {
    await open('log', undefined, 'TRUNCATE change')
    await open('notes', folder, `DROP TABLE change; ${logOfBefore()}`)
    await open('none', folder, 'TRUNCATE change')
    const rows: string[][] = []
    for (const write of writes) rows.push(rowOf(write, await measureWrite(ways, write)))
    await assertLogged(ways)
    return [
      `Writes with the change log against the same writes without: ${TURNS} turns of each way, in changing order; ratios of pairs, least and median.`,
      '',
      ...markdown(
        [
          '',
          'with the log',
          'against the log without authors and states',
          'its processor time',
          'against none',
          'its processor time',
          'goal',
        ],
        rows,
      ),
    ]
  } finally {
    for (const { database, running } of ways) {
      await running.stop()
      await database.close()
    }
    for (const suffix of ['log', 'notes', 'none']) await dropDatabase(`${name}_${suffix}`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The costs of each turn, by way. */
async function measureWrite(ways: readonly Way[], write: Write): Promise<Cost[][]> {
  let number = 0
  const turn = async (order: readonly Way[]): Promise<Map<Way, Cost>> => {
    const first = number
    number += write.calls
    const costs = new Map<Way, Cost>()
    for (const way of order) {
      await write.prepare?.(way)
      costs.set(way, await costOf(way, write, first))
    }
    return costs
  }
  await turn(ways)
  const turns: Map<Way, Cost>[] = []
  for (let count = 0; count < TURNS; count++)
    turns.push(await calmly(() => turn(count % 2 ? [...ways].reverse() : ways)))
  return ways.map((way) => turns.map((costs) => costs.get(way) as Cost))
}

async function costOf(way: Way, { calls, call }: Write, first: number): Promise<Cost> {
  const { running, name } = way
  const worked = await processorClock(running, name)
  const [workedBefore, begun] = [worked(), performance.now()]
  for (let count = 0; count < calls; count++) await call(way, first + count)
  return { passed: (performance.now() - begun) / calls, worked: (worked() - workedBefore) / calls }
}

function rowOf({ name }: Write, [log = [], notes = [], none = []]: Cost[][]): string[] {
  const ratios = (of: keyof Cost, others: readonly Cost[]): string => {
    const paired = log.map((cost, turn) => cost[of] / (others[turn]?.[of] ?? Number.NaN))
    return `${shown(Math.min(...paired))}, ${shown(median(paired))}`
  }
  const passed = median(log.map((cost) => cost.passed))
  return [
    name,
    ms(passed / 1000),
    ...[notes, none].flatMap((others) => [ratios('passed', others), ratios('worked', others)]),
    '1.3',
  ]
}

/** The statements that made the log as it was: the migration of then. */
function logOfBefore(): string {
  return readFileSync(join(projectRoot, 'prisma/migrations/20261121090730_changes/migration.sql'), 'utf8')
}

/** A copy of the program whose transactions write no change log; the rest of its module stays. */
function withoutLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
  for (const part of ['.config', 'package.json', 'package-lock.json', 'prisma', 'src'])
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const module = join(folder, 'src/persistence/database/change-log.ts')
  renameSync(module, module.replace('change-log', 'written-log'))
  const silent = ['logChange', 'logDetails', 'writeChangeLog', 'logChangeOn', 'logFound'].map(
    (one) => `export const ${one} = () => {}`,
  )
  writeFileSync(module, [`export * from './written-log.ts'`, ...silent].join('\n'))
  return folder
}

/** Throws unless the ways logged what their names say: an entry for every write, a note for every call, and nothing. */
async function assertLogged(ways: readonly Way[]): Promise<void> {
  const counts = await Promise.all(
    ways.map(({ database }) => database.pool.query('SELECT count(*)::int AS count FROM change')),
  )
  const [log, notes, none] = counts.map(({ rows }) => rows[0].count as number) as [number, number, number]
  if (none > 0 || notes === 0 || log < 2 * notes)
    throw new Error(`entries of the three ways: ${log}, ${notes}, ${none}`)
}
