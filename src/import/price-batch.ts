/**
 * Many product prices at once, since stores have hundreds of thousands: the statements do not grow with their number. The same readers and
 * rules as the API's; what the statements can't do for all together (a clash with another price) fails them all, and the caller tries
 * smaller batches until the one that clashes stands alone.
 */
import { conflict, type Violation } from '../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../domain/input/record.ts'
import {
  applyProductPricePatch,
  newProductPrice,
  type ProductPrice,
  productPriceViolations,
  readProductPrice,
} from '../domain/pricing/product-price.ts'
import { newId } from '../persistence/database/id.ts'
import { lockReferenced } from '../persistence/database/reference.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { findPriceIds } from '../persistence/pricing/product-price-keys.ts'
import { insertProductPrices, lockPrices, updateProductPrices } from '../persistence/pricing/product-price-write.ts'
import { type ImportKey, readBook, readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'

/** What an object says, as far as the store need not be asked; made while the database is busy with the batch before. */
export interface PreparedPrice {
  readonly data: object
  readonly key: ImportKey
  readonly book: Reference | undefined
  readonly bookPath: string
  readonly violations: readonly Violation[]
  /** As a new price, which most are. */
  readonly createInput: ReturnType<typeof readProductPrice>
}

/** An object whose book has been looked up. */
interface Head extends PreparedPrice {
  readonly bookId: string
}

export function preparePrice(data: object): PreparedPrice {
  const { book, path, violations } = readBook(data)
  const { key, violations: wrongKey } = readKey(data, 'sku')
  return {
    data,
    key,
    book,
    bookPath: path,
    violations: [...violations, ...wrongKey],
    createInput: readProductPrice(data, { create: true }),
  }
}

/**
 * Writes the objects' prices and answers an outcome for each, in order. With `stopAtRefusal` the answer ends with the first that is refused,
 * and nothing after it is written. Four statements when all are new, seven otherwise.
 */
export async function importPrices(
  tx: Transaction,
  objects: readonly PreparedPrice[],
  options: { readonly now: number; readonly stopAtRefusal: boolean },
): Promise<Outcome[]> {
  const heads = await readHeads(tx, objects)
  const stored = await findStored(tx, heads)
  assertDistinctKeys(heads, stored)
  const inserts: ProductPrice[] = []
  const updates: ProductPrice[] = []
  const outcomes: Outcome[] = []
  for (const [index, head] of heads.entries()) {
    const outcome = planWrite(head, stored.get(index), options.now, inserts, updates)
    outcomes.push(outcome)
    if (options.stopAtRefusal && outcome.kind === 'refused') break
  }
  await insertProductPrices(tx, inserts)
  await updateProductPrices(tx, updates)
  return outcomes
}

function planWrite(head: Head, stored: ProductPrice | undefined, now: number, inserts: ProductPrice[], updates: ProductPrice[]): Outcome {
  // What is sound for a new price means the same for a stored one; only what is not may still be a sound change.
  const ready = stored === undefined || head.createInput.violations.length === 0
  const { value, violations } = ready ? head.createInput : readProductPrice(head.data, { create: false })
  const all = [...head.violations, ...violations]
  if (all.length > 0 || !value) return { kind: 'refused', violations: all }
  const makeId = () => newId(now)
  if (stored === undefined) {
    const created = newProductPrice(head.bookId, value, now, makeId)
    inserts.push(head.key?.by === 'id' ? { ...created, id: head.key.value } : created)
    return { kind: 'created' }
  }
  const updated = applyProductPricePatch(stored, value, now, makeId)
  const merged = productPriceViolations(updated)
  if (merged.length > 0) return { kind: 'refused', violations: merged }
  if (updated === stored) return { kind: 'unchanged' }
  updates.push(updated)
  return { kind: 'updated' }
}

async function readHeads(tx: Transaction, objects: readonly PreparedPrice[]): Promise<Head[]> {
  const distinct = new Map<string, Reference>()
  for (const { book } of objects) if (book) distinct.set(nameOf(book), book)
  const found = await lockReferenced(tx, 'price book', [...distinct.values()])
  const resolved = new Map([...distinct].map(([name, book]) => [name, resolveReferences([book], found, [], 'price book')] as const))
  return objects.map((object) => {
    const meant = object.book && resolved.get(nameOf(object.book))
    const { data, key, book, bookPath, violations, createInput } = object
    const unknown = meant?.violations.map((violation) => ({ ...violation, path: [bookPath] })) ?? []
    const bookId = meant?.ids?.[0] ?? ''
    return { data, key, book, bookPath, createInput, bookId, violations: unknown.length > 0 ? [...unknown, ...violations] : violations }
  })
}

function nameOf(book: Reference): string {
  return 'id' in book ? `id ${book.id}` : `external_ref ${book.externalRef}`
}

/** The stored price that each sound object means, by the object's index, locked. */
async function findStored(tx: Transaction, heads: readonly Head[]): Promise<Map<number, ProductPrice>> {
  const ids = await findPriceIds(tx, heads)
  if (ids.size === 0) return new Map()
  const distinct = [...new Set(ids.values())]
  const prices = new Map((await lockPrices(tx, distinct)).map((price) => [price.id, price]))
  const stored = new Map<number, ProductPrice>()
  for (const [index, id] of ids) {
    const price = prices.get(id)
    if (price) stored.set(index, price)
  }
  return stored
}

/**
 * Objects that share a key, one that is given or one that a stored price has, can't go together: what the later one means, and whether it
 * may have its keys, depends on what the earlier one has done.
 */
function assertDistinctKeys(heads: readonly Head[], stored: ReadonlyMap<number, ProductPrice>): void {
  const taken = new Set<string>()
  for (const [index, { key, bookId, createInput }] of heads.entries()) {
    const { sku, externalRef } = createInput.value ?? {}
    const before = stored.get(index)
    const keys = new Set<string>()
    for (const text of [sku, before?.sku]) if (text != null) keys.add(`sku ${bookId} ${text}`)
    for (const text of [externalRef, before?.externalRef]) if (text != null) keys.add(`ref ${bookId} ${text}`)
    if (before) keys.add(before.id)
    if (key?.by === 'id') keys.add(key.value)
    for (const one of keys) {
      if (taken.has(one)) throw conflict('DUPLICATE', [], 'several objects mean one price')
      taken.add(one)
    }
  }
}
