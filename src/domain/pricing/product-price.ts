/**
 * Product prices: the price of one SKU in one price book, with its sales (price-book.one-price-per-sku,
 * price-book.skus-compare-exactly).
 */
import { compareCodePoints } from '../../lib/code-point.ts'
import type { Violation } from '../input/errors.ts'
import { type InputReader, type ReadResult, readInput } from '../input/input-reader.ts'
import { ATTRIBUTE_KEYS_MAX, EXTERNAL_REF_MAX, SKU_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { readRecordType } from '../input/record.ts'
import { currencyCountViolations } from './flat-price-map.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { readSales, type SaleInput } from './sale-input.ts'
import { type CurrenciesPatch, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/** A sale of one product price. Clients see its name, the database its `id` (price.reasons-are-frozen). */
export interface Sale extends StoredRecord {
  readonly productPriceId: string
  /** Unique among the sales of the price. */
  readonly name: string
  /**
   * Epoch milliseconds, `validFrom` inclusive, `validTo` exclusive (sale.start-counts-end-does-not), null when open. Both null is no
   * schedule (sale.schedules-differ).
   */
  readonly validFrom: number | null
  readonly validTo: number | null
  /**
   * Product ids of the bundles inside which the sale applies; empty for a sale that applies everywhere (sale.bundle-sale-stays-inside).
   */
  readonly bundleIds: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** Free attributes that a team attaches, by key; null is a value of its own. */
export type Attributes = Readonly<Record<string, string | null>>

/** A stored product price. */
export interface ProductPrice extends StoredRecord {
  readonly priceBookId: string
  /** Unique in the price book, compared exactly (price-book.one-price-per-sku, price-book.skus-compare-exactly). */
  readonly sku: string
  /** Unique in the price book (price-book.external-ref-once-per-book). */
  readonly externalRef: string | null
  readonly currencies: CurrencyPriceRecords
  /** Ordered by name, in code point order. */
  readonly sales: readonly Sale[]
  /** Hidden from shoppers (price-book.admin-attributes-hidden); null when never given. */
  readonly adminAttributes: Attributes | null
  readonly shopperAttributes: Attributes | null
}

/** A stored price, and what it becomes. */
export interface PriceUpdate {
  readonly stored: ProductPrice
  readonly price: ProductPrice
}

/** A partial update. Currencies merge at every depth (patch.maps-merge-at-every-depth); sales and attributes are replaced whole. */
export interface ProductPricePatch extends PatchOf<ProductPrice, 'sku' | 'externalRef' | 'adminAttributes' | 'shopperAttributes'> {
  readonly currencies: CurrenciesPatch | null | undefined
  readonly sales: readonly SaleInput[] | null | undefined
}

/**
 * Reads `data` of a product price: `{ type: 'product-price', attributes }`. With `create` the required attributes must be given,
 * `currencies` maybe without any (price-book.price-may-be-empty); otherwise it is a partial update.
 */
export function readProductPrice(
  data: unknown,
  rule: { readonly create: boolean; readonly stored?: ProductPrice | undefined },
): ReadResult<ProductPricePatch> {
  return readInput(
    data,
    (reader) => {
      readRecordType(reader, 'product-price')
      const attributes = reader.object('attributes', { required: true })
      return attributes ? readAttributes(attributes, rule) : undefined
    },
    { isNew: rule.create, stored: rule.stored },
  )
}

/** The SKU in `data` of a product price, by which a stored one is found; undefined when it can't be read. */
export function readSku(data: unknown): string | undefined {
  const rule = { min: 1, max: SKU_MAX }
  return readInput(data, (reader) => reader.object('attributes')?.text('sku', rule) ?? undefined).value
}

/** In the order of a product price's fields. */
function readAttributes(attributes: InputReader, { create }: { create: boolean }): ProductPricePatch {
  return {
    sku: attributes.text('sku', { required: create, min: 1, max: SKU_MAX, isName: true }) ?? undefined,
    currencies: readCurrencies(attributes, { required: create, nullable: !create, entryNullable: !create }),
    sales: readSales(attributes, 'sales'),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    adminAttributes: readTexts(attributes, 'admin_attributes'),
    shopperAttributes: readTexts(attributes, 'shopper_attributes'),
  }
}

function readTexts(attributes: InputReader, name: string): Attributes | null | undefined {
  const texts = attributes.map(name, (values, key) => values.text(key, { nullable: true }) ?? null, {
    nullable: true,
    max: ATTRIBUTE_KEYS_MAX,
  })
  return texts && Object.fromEntries([...texts].sort(([left], [right]) => compareCodePoints(left, right)))
}

/**
 * A new price from the input of a create. `newId` makes the ids of the price and of each of its sales; `now` is in epoch milliseconds.
 */
export function newProductPrice(priceBookId: string, patch: ProductPricePatch, now: number, newId: () => string): ProductPrice {
  const id = newId()
  return {
    id,
    priceBookId,
    sku: patch.sku ?? '',
    externalRef: patch.externalRef ?? null,
    currencies: patchCurrencies({}, patch.currencies),
    sales: replaceSales({ id, sales: [] }, patch.sales ?? [], now, newId),
    adminAttributes: patch.adminAttributes ?? null,
    shopperAttributes: patch.shopperAttributes ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The price after the patch; the same object when nothing changes. */
export function applyProductPricePatch(stored: ProductPrice, patch: ProductPricePatch, now: number, newId: () => string): ProductPrice {
  const currencies = patchCurrencies(stored.currencies, patch.currencies)
  const sales = patch.sales === undefined ? stored.sales : replaceSales(stored, patch.sales ?? [], now, newId)
  return applyPatch(stored, { ...patch, currencies, sales }, now)
}

/** The rules that the merged price breaks: too many currencies. */
export function productPriceViolations({ currencies }: ProductPrice): Violation[] {
  return currencyCountViolations('currencies', currencies)
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
