/**
 * Products that an import gave and that are not stored: those that it refused. A node that lists them is taken without
 * them (import.refused-products-left-out).
 */
import { isUuid } from '../domain/input/formats.ts'
import { isStorable } from '../domain/input/text.ts'
import { isObject } from '../lib/json-object.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { storedProductKeys } from '../persistence/products/product-keys.ts'
import type { ParsedObject } from './parsed-object.ts'
import type { Writing } from './writing.ts'

/** Refused products that are known; nodes that list further ones are refused. */
const PRODUCTS_MAX = 100_000
/** Products of a part that was imported before that are looked up at once. */
const LOOKED_UP = 1_000

interface GivenProduct {
  readonly keys: readonly string[]
  readonly at: string
}

/** Finds which keys of products are there, as far as the import is concerned. */
export type FindKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>
export type FindKeysIn = (tx: Transaction, ...args: Parameters<FindKeys>) => ReturnType<FindKeys>

/** The refused products of one import, over all of its files. */
export class RefusedProducts {
  private readonly places = new Map<string, string>()
  private count = 0
  private waiting: GivenProduct[] = []

  /** Whether none is known. */
  get isEmpty(): boolean {
    return this.count === 0
  }

  /** Where the product with one of the keys was refused, such as `store.jsonl:3`; undefined for any other one. */
  placeOf(keys: readonly string[]): string | undefined {
    return keys.map((key) => this.places.get(key)).find((place) => place !== undefined)
  }

  /** Notes an object that was refused. */
  add(found: ParsedObject, file: string): void {
    const given = productOf(found, file)
    if (given) this.note(given)
  }

  /**
   * Notes an object of a part that was imported before: a product that is not there was refused. `find` is called for
   * many at once; `settle` ends that part.
   */
  async pass(found: ParsedObject, file: string, find: FindKeys): Promise<void> {
    const given = productOf(found, file)
    if (given && this.waiting.push(given) >= LOOKED_UP) await this.settle(find)
  }

  /** As `pass`, for all objects of a file. */
  async passAll(objects: AsyncIterable<ParsedObject>, file: string, find: FindKeys): Promise<void> {
    for await (const found of objects) await this.pass(found, file, find)
    await this.settle(find)
  }

  async settle(find: FindKeys): Promise<void> {
    if (this.waiting.length === 0) return
    const there = await find(this.waiting.flatMap(({ keys }) => keys))
    for (const given of this.waiting) if (!given.keys.some((key) => there.has(key))) this.note(given)
    this.waiting = []
  }

  private note({ keys, at }: GivenProduct): void {
    if (this.count >= PRODUCTS_MAX) return
    this.count++
    for (const key of keys) this.places.set(key, at)
  }
}

/** Finds keys by a transaction of its own. */
export function findBy({ write }: Writing, find: FindKeysIn = findStored): FindKeys {
  return (keys) => write((tx) => find(tx, keys))
}

/** The keys of products that are stored. */
export const findStored: FindKeysIn = async (tx, keys) => {
  const of = (kind: string): string[] =>
    keys.flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : [])).filter(isStorable)
  return storedProductKeys(tx, { ids: of('id'), skus: of('sku'), externalRefs: of('ref') })
}

/** The keys by which nodes may name the product that an object gives; undefined where it gives none. */
function productOf(found: ParsedObject, file: string): GivenProduct | undefined {
  const { line, row } = found
  const at = found.at ?? (row ? `${file} row ${line}` : `${file}:${line}`)
  if (!('value' in found)) return found.productId === undefined ? undefined : { keys: [`id ${found.productId}`], at }
  const { data } = found.value as { readonly data?: unknown }
  if (!isObject(data) || data.type !== 'product') return undefined
  const attributes = isObject(data.attributes) ? data.attributes : {}
  const keys = [...keyOf('id', data.id), ...keyOf('sku', attributes.sku), ...keyOf('ref', attributes.external_ref)]
  return keys.length > 0 ? { keys, at } : undefined
}

/** The key of a product as a text with what it is before it; none for a value that is no key. */
export function keyOf(kind: 'id' | 'sku' | 'ref', value: unknown): string[] {
  if (typeof value !== 'string') return []
  if (kind === 'id') return isUuid(value) ? [`id ${value.toLowerCase()}`] : []
  return [`${kind} ${value}`]
}
