/** Product prices with their sales (price-book.one-price-per-sku, price-book.skus-compare-exactly). */

import { compareCodePoints } from '../../lib/code-point.ts'
import type { Violation } from '../input/errors.ts'
import { type InputReader, readInput } from '../input/input-reader.ts'
import { ATTRIBUTE_KEYS_MAX, EXTERNAL_REF_MAX, SKU_MAX } from '../input/limits.ts'
import { applyPatch } from '../input/patch.ts'
import { currencyCountViolations } from './flat-price-map.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { readSales, type SaleInput } from './sale-input.ts'
import { type CurrenciesPatch, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/** A sale of one product price; `id` is ours, the contract knows it by its name (price.reasons-are-frozen). */
export interface Sale {
  readonly id: string
  readonly productPriceId: string
  /** Unique among the sales of the price. */
  readonly name: string
  /**
   * Epoch milliseconds, `validFrom` inclusive, `validTo` exclusive (sale.start-counts-end-does-not); null: open. Both null: no schedule
   * (sale.schedules-differ).
   */
  readonly validFrom: number | null
  readonly validTo: number | null
  /** Product ids of bundles; empty: an ordinary sale (sale.bundle-sale-stays-inside). */
  readonly bundleIds: readonly string[]
  readonly currencies: CurrencyPriceRecords
  readonly createdAt: number
  readonly updatedAt: number
}

/** Values that a team attaches; null is a value. */
export type Attributes = Readonly<Record<string, string | null>>

export interface ProductPrice {
  readonly id: string
  readonly priceBookId: string
  /** Unique inside the book, compared exactly (price-book.one-price-per-sku, price-book.skus-compare-exactly). */
  readonly sku: string
  /** Unique inside the book (price-book.external-ref-once-per-book). */
  readonly externalRef: string | null
  readonly currencies: CurrencyPriceRecords
  /** By name in code point order. */
  readonly sales: readonly Sale[]
  /** Never for a shopper (price-book.admin-attributes-hidden); null: never given. */
  readonly adminAttributes: Attributes | null
  readonly shopperAttributes: Attributes | null
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * Absent keeps, null clears, a value sets. Currencies merge at every depth (patch.maps-merge-at-every-depth); sales and attributes are
 * replaced whole.
 */
export interface ProductPricePatch {
  readonly sku: string | undefined
  readonly currencies: CurrenciesPatch | null | undefined
  readonly sales: readonly SaleInput[] | null | undefined
  readonly externalRef: string | null | undefined
  readonly adminAttributes: Attributes | null | undefined
  readonly shopperAttributes: Attributes | null | undefined
}

/** Reads `data` of a product price; with `create` false that of a partial update. */
export function readProductPrice(
  data: unknown,
  rule: { create: boolean },
): { value: ProductPricePatch | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    reader.oneOf('type', ['product-price'], { required: true })
    const attributes = reader.object('attributes', { required: true })
    return attributes ? readAttributes(attributes, rule) : undefined
  })
}

/** In the order of a product price's fields. */
function readAttributes(attributes: InputReader, { create }: { create: boolean }): ProductPricePatch {
  return {
    sku: attributes.text('sku', { required: create, min: 1, max: SKU_MAX }) ?? undefined,
    currencies: readCurrencies(attributes, 'currencies', { required: create, nullable: !create, entryNullable: !create }),
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

/** A price made of what a create gave. `newId` names the price and each of its sales. */
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

/** The price after the patch; the same object when nothing changes, otherwise with an `updatedAt` that rose (record.updated-at-rises). */
export function applyProductPricePatch(stored: ProductPrice, patch: ProductPricePatch, now: number, newId: () => string): ProductPrice {
  const currencies = patchCurrencies(stored.currencies, patch.currencies)
  const sales = patch.sales === undefined ? stored.sales : replaceSales(stored, patch.sales ?? [], now, newId)
  return applyPatch(stored, { ...patch, currencies, sales }, now)
}

/** What the merged price breaks. */
export function productPriceViolations({ currencies }: ProductPrice): Violation[] {
  return currencyCountViolations('currencies', currencies)
}

/** The sales given; one whose name was there keeps its identity, and is the stored one when it is equal to it. */
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

/** In the order of the name. */
export function sortSales(sales: readonly Sale[]): Sale[] {
  return [...sales].sort((left, right) => compareCodePoints(left.name, right.name))
}
