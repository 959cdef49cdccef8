/**
 * Check of an import: what its batches would do, each in a transaction that is undone. What earlier objects of the file
 * would give counts as there: a batch begins with those of them that its objects name (job.check-equals-import).
 */
import { skuPriceChanges } from '../domain/imports/price-change.ts'
import { conflict, DomainError } from '../domain/input/errors.ts'
import type { JsonObject } from '../lib/json-object.ts'
import { type Author, changesOf, openChangeLog } from '../persistence/database/change-log.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import {
  type BookPriceChange,
  bookNames,
  type EarlierObject,
  findEarlier,
  findEarlierKeys,
  storeEarlier,
  storePriceChanges,
} from '../persistence/imports/import-check.ts'
import { priceTable } from '../persistence/pricing/product-price-write.ts'
import type { Services } from '../request/context.ts'
import type { ImportObject } from './batch.ts'
import { importContext } from './context.ts'
import { toObject } from './import-object.ts'
import { JobRefused } from './job-refused.ts'
import { writeWithoutRefused } from './node-products.ts'
import { keysOf, namedKeys } from './object-keys.ts'
import type { Outcome } from './outcome.ts'
import { type GivenRow, parseObject } from './parsed-object.ts'
import { importPrices, preparePrice } from './price-batch.ts'
import { type FindKeysIn, findStored, type RefusedProducts } from './refused-products.ts'
import { rowObjects, type SheetOptions } from './sheet/sheet.ts'
import { upsert } from './upsert.ts'

/** Earlier objects with which a batch may begin: what takes longer would lock rows for too long. */
const EARLIER_MAX = 2_000

interface CheckedJob {
  readonly jobId: string
  readonly author: Author
  /** How rows are read; null for JSON. */
  readonly sheet: SheetOptions | null
  readonly ignoreUnknown: boolean
  /** The products that were refused before. */
  readonly refusedProducts: RefusedProducts
}

/** The check of one job. Its methods are called for one batch after another. */
export class Check {
  /** What the last transaction found, until it is stored. */
  private earlier: readonly EarlierObject[] = []
  private prices: readonly BookPriceChange[] = []

  constructor(
    private readonly services: Services,
    private readonly job: CheckedJob,
  ) {}

  /** Writes the earlier objects that those of a batch name, and what these name. */
  readonly prepare = async (tx: Transaction, objects: readonly ImportObject[]): Promise<void> => {
    this.earlier = []
    this.prices = []
    const { jobId, author } = this.job
    const named = new Map<number, ImportObject>()
    for (let further = objects; further.length > 0; ) {
      const keys = further.flatMap(namedKeys)
      const found = await findEarlier(tx, jobId, { keys, known: [...named.keys()], max: EARLIER_MAX + 1 })
      if (named.size + found.length > EARLIER_MAX)
        throw conflict(
          'TOO_MANY',
          [],
          `names more than ${EARLIER_MAX} objects before it, with which a check can not begin: check smaller files, or start without`,
        )
      further = await this.read(found, objects)
      for (const object of further) named.set(object.place.objects, object)
    }
    if (named.size === 0) return
    try {
      await this.write(
        tx,
        [...named.values()].sort((one, other) => one.place.objects - other.place.objects),
      )
    } catch (error) {
      if (error instanceof DomainError) throw new JobRefused('The store has changed since the check began: check again')
      throw error
    }
    // What they change was told with their own batches.
    openChangeLog(tx, author)
  }

  /** Notes what a batch has taken, and the prices that it changes, before it is undone. */
  readonly record = async (
    tx: Transaction,
    objects: readonly ImportObject[],
    outcomes: readonly Outcome[],
  ): Promise<void> => {
    this.earlier = outcomes.flatMap(({ kind }, at): EarlierObject[] => {
      const object = objects[at]
      return object && (kind === 'created' || kind === 'updated') ? [earlierOf(object)] : []
    })
    const changes = changesOf(tx, priceTable)
    const books = [...new Set(changes.map(({ before, after }) => (after ?? before)?.priceBookId ?? ''))]
    const names = books.length > 0 ? await bookNames(tx, books) : new Map<string, string>()
    const now = Date.now()
    this.prices = changes.flatMap(({ before, after }) =>
      skuPriceChanges(before, after, now).map((change) => ({
        ...change,
        book: names.get((after ?? before)?.priceBookId ?? '') ?? '',
      })),
    )
  }

  /** Finds keys of products that are stored, or that it has taken. */
  readonly findKeys: FindKeysIn = async (tx, keys) => {
    const stored = await findStored(tx, keys)
    const known = new Map(keys.map((key) => [key.replace(/^sku /, 'sku product ').toLowerCase(), key]))
    const taken = await findEarlierKeys(tx, this.job.jobId, [...known.keys()])
    return new Set([...stored, ...taken.map((key) => known.get(key) ?? '')])
  }

  /** Stores what the last transaction found. */
  async store(tx: Transaction): Promise<void> {
    const { jobId } = this.job
    const { earlier, prices } = this
    this.earlier = []
    this.prices = []
    await storeEarlier(tx, jobId, earlier)
    await storePriceChanges(tx, jobId, prices)
  }

  /** Earlier objects as they were read first. Rows have the header of the present ones, since a file has one. */
  private async read(
    found: readonly Omit<EarlierObject, 'keys'>[],
    present: readonly ImportObject[],
  ): Promise<ImportObject[]> {
    const { sheet, ignoreUnknown } = this.job
    const row = present[0]?.row
    const objects: ImportObject[] = []
    const add = (parsed: Parameters<typeof toObject>[0], number: number): void => {
      const object = toObject(parsed, { objects: number, hash: '' }, ignoreUnknown)
      if ('problems' in object) throw new Error(`object ${number}, which was taken, can't be read again`)
      objects.push(object)
    }
    if (sheet && row) {
      const header = { number: 1, cells: row.header, separator: row.separator }
      const rows = found.map(({ line, object }) => ({
        ...(JSON.parse(object, reviveMaps) as Pick<NonNullable<typeof row>, 'cells' | 'values' | 'dates'>),
        ...{ number: line, separator: row.separator },
      }))
      let at = 0
      for await (const parsed of rowObjects([header, ...rows], sheet)) add(parsed, found[at++]?.number ?? 0)
    } else
      for (const { number, line, object } of found) {
        const bytes = Buffer.from(object)
        add({ line, bytes, value: parseObject(bytes) as object }, number)
      }
    return objects
  }

  private async write(tx: Transaction, objects: readonly ImportObject[]): Promise<void> {
    const ctx = importContext(this.services, this.job.author)
    let prices: ImportObject[] = []
    let keys = new Set<string>()
    const writePrices = async (): Promise<void> => {
      const prepared = prices.map(({ price, data, unknown }) => price ?? preparePrice(data, unknown))
      prices = []
      keys = new Set()
      if (prepared.length > 0) await importPrices(tx, prepared, { now: ctx.now, stopAtRefusal: false })
    }
    for (const object of objects) {
      if (object.group === 'prices') {
        // Prices of one call must have keys of their own.
        const own = keysOf(object)
        if (own.some((key) => keys.has(key))) await writePrices()
        for (const key of own) keys.add(key)
        prices.push(object)
        continue
      }
      await writePrices()
      const { type, unknown } = object
      const write = (given: JsonObject, row?: GivenRow) => upsert(type, { ctx, tx, given, unknown }, row)
      await writeWithoutRefused(tx, object, this.job.refusedProducts, write)
    }
    await writePrices()
  }
}

function earlierOf(object: ImportObject): EarlierObject {
  const { found, place, row } = object
  const text = row
    ? JSON.stringify({ cells: row.cells, values: row.values, dates: row.dates }, replaceMaps)
    : found.bytes.toString('utf8')
  return { number: place.objects, line: found.line, object: text, keys: keysOf(object) }
}

function replaceMaps(_: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value
}

function reviveMaps(name: string, value: unknown): unknown {
  if (name === 'values') return new Map(value as [number, number | boolean][])
  return name === 'dates' ? new Set(value as number[]) : value
}
