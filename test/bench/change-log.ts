/**
 * What the change log costs a write. Three ways send the same writes in turns, each on a copy of the database: the program as it is; the
 * same program with the log as it was before it had authors and states, filled by triggers with the ids of what changed; and without a log.
 */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { calmly } from './calm.ts'
import { startOurs } from './contenders/our-server.ts'
import { addressOf, dropDatabase, made, onServer, openAt } from './data.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'
import { addSales, ms, type Send, sender } from './running-the-shop.ts'
import { processorClock } from './storefront/processor-time.ts'

/** Turns that count, after one that does not. */
const TURNS = 9
const BULK = 1_000
const BOOK_PRICES = 5_000

interface Way {
  readonly database: Database
  readonly running: Running
  readonly send: Send
  readonly name: string
}

interface Write {
  readonly name: string
  /** Calls in one measurement. */
  readonly calls: number
  /** What must be there before the calls; not measured. */
  readonly prepare?: (way: Way, turn: number) => Promise<unknown>
  /** `number` is another one for each call. */
  readonly call: (send: Send, number: number) => Promise<unknown>
}

const book = made('book', 1)
const sku = (number: number): string => `SKU-${String(number).padStart(6, '0')}`
const pricesOf = (amount: number) => ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, price: { amount } }))
const mutation = (name: string, type: string, selected: string) => `mutation ($input: ${type}!) { ${name}(input: $input) { ${selected} } }`

const updatePrice = mutation('updateProductPrice', 'UpdateProductPriceInput', 'productPrice { id } userErrors { message }')
const addPrice = mutation('addProductPrice', 'AddProductPriceInput', 'productPrice { id } userErrors { message }')
const upsertPrices = mutation('upsertProductPrices', 'UpsertProductPricesInput', 'results { outcome } userErrors { message }')
const deleteBook = mutation('deletePriceBook', 'DeletePriceBookInput', 'priceBook { id } userErrors { message }')
/** The book that is deleted with its prices. */
const goneBook = made('book', 2)

const writes: readonly Write[] = [
  {
    name: 'one price changed',
    calls: 150,
    call: (send, number) => send(updatePrice, { input: { id: made('price', 10 + number), prices: pricesOf(number) } }),
  },
  {
    name: 'one price added',
    calls: 150,
    call: (send, number) => send(addPrice, { input: { priceBookId: book, sku: `ADDED-${number}`, prices: pricesOf(number) } }),
  },
  {
    name: `${BULK} rows upserted, half of them new`,
    calls: 2,
    call: (send, number) => {
      const row = (_: unknown, at: number) => {
        const place = number * BULK + at
        return { sku: at % 2 ? sku(10 + place) : `UPSERTED-${place}`, prices: pricesOf(number) }
      }
      return send(upsertPrices, { input: { priceBookId: book, rows: Array.from({ length: BULK }, row) } })
    },
  },
  {
    name: `addSales on ${BULK} prices`,
    calls: 2,
    call: (send, number) => {
      const skus = Array.from({ length: BULK }, (_, at) => sku(10 + number * BULK + at))
      const schedule = { validFrom: '2031-01-01T00:00:00Z' }
      return send(addSales, { input: { priceBookId: book, name: 'log', skus, change: { percentOff: 10 }, schedule } })
    },
  },
  {
    name: `a book deleted with ${BOOK_PRICES} prices, which have a sale each`,
    calls: 1,
    prepare: ({ database }) =>
      database.pool.query(`
        WITH book AS (INSERT INTO price_book (id, name, created_at, updated_at) VALUES ('${goneBook}', 'Gone', now(), now()) RETURNING id),
        price AS (
          INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at)
          SELECT gen_random_uuid(), '${goneBook}', sku, currencies, now(), now() FROM product_price
          WHERE price_book_id = '${book}' AND sku LIKE 'SKU-%' ORDER BY id LIMIT ${BOOK_PRICES} RETURNING id, currencies)
        INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, bundle_ids, currencies, created_at, updated_at)
        SELECT gen_random_uuid(), id, '${goneBook}', 'season', now(), '{}', currencies, now(), now() FROM price`),
    call: (send) => send(deleteBook, { input: { id: goneBook } }),
  },
]

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
    ways.push({ database, running, send: await sender(running), name: copy })
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
      await write.prepare?.(way, first)
      costs.set(way, await costOf(way, write, first))
    }
    return costs
  }
  await turn(ways)
  const turns: Map<Way, Cost>[] = []
  for (let count = 0; count < TURNS; count++) turns.push(await calmly(() => turn(count % 2 ? [...ways].reverse() : ways)))
  return ways.map((way) => turns.map((costs) => costs.get(way) as Cost))
}

async function costOf({ running, name, send }: Way, { calls, call }: Write, first: number): Promise<Cost> {
  const worked = await processorClock(running, name)
  const [workedBefore, begun] = [worked(), performance.now()]
  for (let count = 0; count < calls; count++) await call(send, first + count)
  return { passed: (performance.now() - begun) / calls, worked: (worked() - workedBefore) / calls }
}

function rowOf({ name }: Write, [log = [], notes = [], none = []]: Cost[][]): string[] {
  const ratios = (of: keyof Cost, others: readonly Cost[]): string => {
    const sorted = log.map((cost, turn) => cost[of] / (others[turn]?.[of] ?? Number.NaN)).sort((left, right) => left - right)
    return `${shown(sorted[0] as number)}, ${shown(median(sorted))}`
  }
  const passed = median(log.map((cost) => cost.passed).sort((left, right) => left - right))
  return [name, ms(passed / 1000), ...[notes, none].flatMap((others) => [ratios('passed', others), ratios('worked', others)]), '1.3']
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] as number

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
  const silent = ['logChange', 'logDetails', 'writeChangeLog', 'logChangeOn', 'logFound'].map((one) => `export const ${one} = () => {}`)
  writeFileSync(module, [`export * from './written-log.ts'`, ...silent].join('\n'))
  return folder
}

/** Throws unless the ways logged what their names say: an entry for every write, a note for every call, and nothing. */
async function assertLogged(ways: readonly Way[]): Promise<void> {
  const counts = await Promise.all(ways.map(({ database }) => database.pool.query('SELECT count(*)::int AS count FROM change')))
  const [log, notes, none] = counts.map(({ rows }) => rows[0].count as number) as [number, number, number]
  if (none > 0 || notes === 0 || log < 2 * notes) throw new Error(`entries of the three ways: ${log}, ${notes}, ${none}`)
}
