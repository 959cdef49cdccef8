/**
 * Product prices: the price of one SKU in one price book, with its sales (price-book.one-price-per-sku,
 * price-book.skus-compare-exactly).
 */
import { compareCodePoints } from '../../lib/code-point.ts'
import { freeName, schedule, toSchedule } from '../input/document.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { ATTRIBUTE_KEYS_MAX, SALE_BUNDLES_MAX, SALES_MAX, SKU_MAX } from '../input/limits.ts'
import { applyPatch, type StoredRecord } from '../input/patch.ts'
import { readPartly } from '../input/read-input.ts'
import { type PartialResult, type ReadResult, wholeResult } from '../input/reading.ts'
import { makeRecord, patchRecord } from '../input/record-change.ts'
import { defineRecord, type GivenPatch, type GivenRecord, type RecordOf } from '../input/record-definition.ts'
import { type CustomMember, externalRef, text } from '../input/record-members.ts'
import { readPart } from '../input/record-reader.ts'
import { replacedBy } from '../input/whole-member.ts'
import { tieredPrices, tieredPricesSchema } from './price-members.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { readSales, type SaleInput } from './sale-input.ts'

const { closed, list, map, nullable } = schema

/** A sale of one product price. Clients know it by its name, the database by its `id` (price.reasons-are-frozen). */
export interface Sale extends StoredRecord {
  readonly productPriceId: string
  /** Unique among the sales of the price. */
  readonly name: string
  /**
   * Epoch milliseconds, `validFrom` inclusive, `validTo` exclusive (sale.start-counts-end-does-not), null when open.
   * Both null is no schedule (sale.schedules-differ).
   */
  readonly validFrom: number | null
  readonly validTo: number | null
  /**
   * Product ids of the bundles inside which the sale applies; empty for a sale that applies everywhere
   * (sale.bundle-sale-stays-inside).
   */
  readonly bundleIds: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** Free attributes that a team attaches, by key; null is a value of its own. */
export type Attributes = Readonly<Record<string, string | null>>

const saleSchema = closed(
  {
    'bundle_ids?': nullable(list(schema.uuid, SALE_BUNDLES_MAX)),
    'schedule?': nullable(schedule),
    'currencies?': nullable(tieredPricesSchema),
  },
  'NewSale',
)

/** Sales, which an update replaces whole. Sales that were just read have no ids yet. */
const salesMember: CustomMember<readonly Sale[], readonly Sale[], 'optional', readonly SaleInput[], 'none'> = {
  kind: 'custom',
  presence: 'optional',
  column: 'none',
  max: SALES_MAX,
  schema: nullable(map(saleSchema, { keys: freeName, max: SALES_MAX })),
  read: readSales,
  merge: replacedBy<readonly Sale[]>([]),
  exported: (sales) =>
    Object.fromEntries(
      sales.map(({ name, bundleIds: bundle_ids, validFrom, validTo, currencies }) => {
        const isPermanent = validFrom === null && validTo === null
        return [name, { bundle_ids, schedule: isPermanent ? null : toSchedule(validFrom, validTo), currencies }]
      }),
    ),
}

/** Attributes, which an update replaces whole; null when never given. */
const attributesMember: CustomMember<Attributes | null, Attributes, 'optional', Attributes, 'json'> = {
  kind: 'custom',
  presence: 'optional',
  column: 'json',
  max: ATTRIBUTE_KEYS_MAX,
  schema: nullable(map(nullable(schema.text()), { max: ATTRIBUTE_KEYS_MAX })),
  read: readTexts,
  merge: replacedBy<Attributes | null>(null),
}

export const productPriceRecord = defineRecord('product-price', {
  /** Unique in the price book, compared exactly (price-book.one-price-per-sku, price-book.skus-compare-exactly). */
  sku: text({ min: 1, max: SKU_MAX, isName: true }),
  /** Required, but may be empty (price-book.price-may-be-empty). */
  currencies: tieredPrices,
  /** Ordered by name, in code point order. */
  sales: salesMember,
  /** Unique in the price book (price-book.external-ref-once-per-book). */
  externalRef: externalRef('within the book'),
  /** Hidden from shoppers (price-book.admin-attributes-hidden). */
  adminAttributes: attributesMember,
  shopperAttributes: attributesMember,
})

/** A stored product price. */
export type ProductPrice = RecordOf<typeof productPriceRecord.members> & { readonly priceBookId: string }

/** The input of a new price. */
export type NewProductPrice = GivenRecord<typeof productPriceRecord.members>

/** The input of an update. */
export type ProductPricePatch = GivenPatch<typeof productPriceRecord.members>

/** A stored price, and what it becomes. */
export interface PriceUpdate {
  readonly stored: ProductPrice
  readonly price: ProductPrice
}

/** Reads `data` of a product price: `{ type: 'product-price', attributes }`; with `create` that of a new one. */
export function readProductPrice(
  data: unknown,
  { create, stored }: { readonly create: boolean; readonly stored?: ProductPrice | undefined },
): PartialResult<ProductPricePatch> {
  return readPart(productPriceRecord, data, { isNew: create, stored })
}

/** A price that was read with `create`, if it has no violations: it then has everything that a new one requires. */
export function newPriceResult(read: PartialResult<ProductPricePatch>): ReadResult<NewProductPrice> {
  return wholeResult(read) as ReadResult<NewProductPrice>
}

/** The SKU in `data` of a product price, by which a stored one is found; undefined when it can't be read. */
export function readSku(data: unknown): string | undefined {
  const rule = { min: 1, max: SKU_MAX }
  return readPartly(data, (reader) => reader.object('attributes')?.text('sku', rule) ?? undefined).value
}

function readTexts(attributes: InputReader, name: string): Attributes | null | undefined {
  const texts = attributes.map(name, (values, key) => values.text(key, { nullable: true }) ?? null, {
    nullable: true,
    max: ATTRIBUTE_KEYS_MAX,
  })
  return texts && Object.fromEntries([...texts].sort(([left], [right]) => compareCodePoints(left, right)))
}

/**
 * A new price from the input of a create. `newId` makes the ids of the price and of each of its sales; `now` is in
 * epoch milliseconds.
 */
export function newProductPrice(
  priceBookId: string,
  given: NewProductPrice,
  now: number,
  newId: () => string,
): ProductPrice {
  const id = newId()
  const sales = given.sales && replaceSales({ id, sales: [] }, given.sales, now, newId)
  return { ...makeRecord(productPriceRecord, { ...given, sales }, id, now), priceBookId }
}

/** The price after the patch; the same object when nothing changes. */
export function applyProductPricePatch(
  stored: ProductPrice,
  patch: ProductPricePatch,
  now: number,
  newId: () => string,
): ProductPrice {
  const sales = patch.sales && replaceSales(stored, patch.sales, now, newId)
  return patchRecord(productPriceRecord, stored, { ...patch, sales }, now)
}

/** The given sales. A sale whose name is stored keeps its id, and is the stored object when nothing changes. */
function replaceSales(
  { id: productPriceId, sales: stored }: Pick<ProductPrice, 'id' | 'sales'>,
  given: readonly SaleInput[],
  now: number,
  newId: () => string,
): Sale[] {
  const byName = new Map(stored.map((sale) => [sale.name, sale]))
  const next = given.map((sale): Sale => {
    const old = byName.get(sale.name)
    return old ? applyPatch(old, sale, now) : { id: newId(), productPriceId, ...sale, createdAt: now, updatedAt: now }
  })
  return sortSales(next)
}

/** A copy of `sales` ordered by name, in code point order. */
export function sortSales(sales: readonly Sale[]): Sale[] {
  return [...sales].sort((left, right) => compareCodePoints(left.name, right.name))
}
