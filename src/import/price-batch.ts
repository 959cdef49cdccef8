/**
 * Price batches: many product prices in a number of statements that does not grow with them, since stores have hundreds
 * of thousands.
 *
 * Readers and rules are those of the API (import.batches-equal-single-objects). A conflict with another price fails the
 * whole batch; the caller then tries smaller batches until the price in conflict is alone.
 */
import { isDeepStrictEqual } from 'node:util'
import { conflict, type Violation } from '../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../domain/input/record.ts'
import { type PriceWrites, planPrice } from '../domain/pricing/price-upsert.ts'
import { type ProductPrice, readProductPrice } from '../domain/pricing/product-price.ts'
import { newId } from '../persistence/database/id.ts'
import { lockReferenced } from '../persistence/database/reference.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { findPriceIds } from '../persistence/pricing/product-price-keys.ts'
import { insertProductPrices, lockPrices, updateProductPrices } from '../persistence/pricing/product-price-write.ts'
import { type ImportKey, readBook, readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'
import type { GivenRow } from './parsed-object.ts'

/** What can be read from an object without the database; prepared while the database writes the previous batch. */
export interface PreparedPrice {
  readonly data: object
  readonly key: ImportKey
  readonly book: Reference | undefined
  readonly bookPath: string
  readonly violations: readonly Violation[]
  /** The data for a stored price, where it depends on that (sheet.absent-columns-stay). */
  readonly dataFor?: (stored: ProductPrice) => object
  /** The input read as a new price, since most prices are new. */
  readonly createInput: ReturnType<typeof readProductPrice>
}

/** The texts by which a price is known in its book. */
interface PriceTexts {
  readonly sku?: string | undefined
  readonly externalRef?: string | null | undefined
}

interface WriteOptions {
  readonly now: number
  readonly stopAtRefusal: boolean
}

/** An object with the id of its book. */
interface ResolvedPrice extends PreparedPrice {
  readonly bookId: string
}

/** Finds the places in a list of prices before which those with the same keys must have been written. */
export class PriceParts {
  private used = new Set<string>()

  /** Whether the next price begins a part, since one of the part before it has one of its keys. */
  begins(price: PreparedPrice): boolean {
    const keys = givenKeys(price, price.book ? nameOf(price.book) : '')
    const isRepeated = keys.some((key) => this.used.has(key))
    if (isRepeated) this.used = new Set()
    for (const key of keys) this.used.add(key)
    return isRepeated
  }
}

/** Reads an object's key, book and price; `unknown` are its unknown members. */
export function preparePrice(data: object, unknown: readonly Violation[] = []): PreparedPrice {
  const { book, path, violations } = readBook(data)
  const { key, violations: keyViolations } = readKey(data, 'sku')
  return {
    data,
    key,
    book,
    bookPath: path,
    violations: [...unknown, ...violations, ...keyViolations],
    createInput: readProductPrice(data, { create: true }),
  }
}

/** Reads a row of a sheet. Its key is the SKU alone, so that a row can change the external_ref. */
export function prepareRow(data: object, { violations, dataFor }: GivenRow): PreparedPrice {
  const prepared = preparePrice(data, violations)
  const { sku } = prepared.createInput.value ?? {}
  return { ...prepared, key: sku === undefined ? undefined : { by: 'natural', value: sku }, dataFor }
}

/**
 * Writes the objects' prices and returns the outcome of each, in order. With `stopAtRefusal` the outcomes end with the
 * first refused object and nothing after it is written. `now` is epoch milliseconds. Throws conflicts of the whole
 * batch. Three statements when all prices are new, seven at most otherwise, and as many again for each further part.
 */
export async function importPrices(
  tx: Transaction,
  objects: readonly PreparedPrice[],
  options: WriteOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const part of partsOf(objects)) {
    outcomes.push(...(await importPart(tx, part, options)))
    if (options.stopAtRefusal && outcomes.at(-1)?.kind === 'refused') break
  }
  return outcomes
}

function* partsOf(objects: readonly PreparedPrice[]): Generator<readonly PreparedPrice[]> {
  const parts = new PriceParts()
  let from = 0
  for (const [index, object] of objects.entries()) {
    if (!parts.begins(object)) continue
    yield objects.slice(from, index)
    from = index
  }
  yield objects.slice(from)
}

async function importPart(tx: Transaction, objects: readonly PreparedPrice[], options: WriteOptions) {
  const resolved = await resolveBooks(tx, objects)
  const stored = await findStored(tx, resolved)
  assertDistinctKeys(resolved, stored)
  const { now, stopAtRefusal } = options
  const writes: PriceWrites = { inserts: [], updates: [] }
  const outcomes: Outcome[] = []
  for (const [index, price] of resolved.entries()) {
    const target = {
      bookId: price.bookId,
      stored: stored.get(index),
      id: price.key?.by === 'id' ? price.key.value : undefined,
    }
    const read = readChange(price, target.stored)
    const { outcome: kind, violations } = planPrice(read, target, { now, newId: () => newId(now), writes })
    outcomes.push(kind === 'refused' ? { kind, violations } : { kind })
    if (stopAtRefusal && kind === 'refused') break
  }
  await insertProductPrices(tx, writes.inserts)
  await updateProductPrices(tx, writes.updates)
  return outcomes
}

/** Reads an object as a change of the stored price, or as a new one; without a value when there are violations. */
function readChange({ createInput, data, dataFor, violations }: ResolvedPrice, stored: ProductPrice | undefined) {
  const changed = (stored && dataFor?.(stored)) ?? data
  // An input that is valid for a new price means the same for a stored one; an invalid one may still be a valid change.
  const isReady = !stored || (createInput.violations.length === 0 && isDeepStrictEqual(changed, data))
  const read = isReady ? createInput : readProductPrice(changed, { create: false, stored })
  const all = [...violations, ...read.violations]
  return { value: all.length > 0 ? undefined : read.value, violations: all }
}

async function resolveBooks(tx: Transaction, objects: readonly PreparedPrice[]): Promise<ResolvedPrice[]> {
  const distinct = new Map<string, Reference>()
  for (const { book } of objects) if (book) distinct.set(nameOf(book), book)
  const found = await lockReferenced(tx, 'price book', [...distinct.values()])
  const resolved = new Map(
    [...distinct].map(([name, book]) => [name, resolveReferences([book], found, [], 'price book')] as const),
  )
  return objects.map((object) => {
    const reference = object.book && resolved.get(nameOf(object.book))
    const unknown = reference?.violations.map((violation) => ({ ...violation, path: [object.bookPath] })) ?? []
    return { ...object, bookId: reference?.ids?.[0] ?? '', violations: [...unknown, ...object.violations] }
  })
}

function nameOf(book: Reference): string {
  return 'id' in book ? `id ${book.id}` : `external_ref ${book.externalRef}`
}

/** The stored price with the key of each valid object, by the object's index, locked. */
async function findStored(tx: Transaction, prices: readonly ResolvedPrice[]): Promise<Map<number, ProductPrice>> {
  const ids = await findPriceIds(tx, prices)
  if (ids.size === 0) return new Map()
  const distinct = [...new Set(ids.values())]
  const locked = new Map((await lockPrices(tx, distinct)).map((price) => [price.id, price]))
  const stored = new Map<number, ProductPrice>()
  for (const [index, id] of ids) {
    const price = locked.get(id)
    if (price) stored.set(index, price)
  }
  return stored
}

/**
 * Throws a conflict when two objects share a key, their own or that of their stored prices. What the later one means,
 * and whether its keys are free, then depends on what the earlier one has written.
 */
function assertDistinctKeys(prices: readonly ResolvedPrice[], stored: ReadonlyMap<number, ProductPrice>): void {
  const usedKeys = new Set<string>()
  for (const [index, price] of prices.entries()) {
    const { bookId } = price
    const before = stored.get(index)
    const ofStored = before ? [before.id, ...textKeys(before, bookId)] : []
    for (const text of new Set([...givenKeys(price, bookId), ...ofStored])) {
      if (usedKeys.has(text)) throw conflict('DUPLICATE', [], 'several objects mean one price')
      usedKeys.add(text)
    }
  }
}

/** The keys that an object gives, with its book. */
function givenKeys({ key, createInput }: PreparedPrice, book: string): string[] {
  return [...(key?.by === 'id' ? [key.value] : []), ...textKeys(createInput.value ?? {}, book)]
}

function textKeys({ sku, externalRef }: PriceTexts, book: string): string[] {
  return [
    ...(sku == null ? [] : [`sku ${book} ${sku}`]),
    ...(externalRef == null ? [] : [`ref ${book} ${externalRef}`]),
  ]
}
