/**
 * Weighed record: the inputs of a price record's explanation, namely the query, the price before and after modifiers,
 * and the winning sale.
 */
import type { CurrencyPrice } from './list-price.ts'
import type { PriceQuery } from './price.ts'
import { type ProductWithRecord, type RecordPrice, resolveRecordPrice, winningSaleAt } from './record-price.ts'
import type { CompiledSale } from './sale.ts'

/** A price record, weighed for one query. */
export interface WeighedRecord {
  readonly product: ProductWithRecord
  readonly query: PriceQuery
  /** The list price in the currency of the query. */
  readonly list: CurrencyPrice
  /** The sale that wins at the instant, whether or not it supplies the amount. */
  readonly winner: CompiledSale | null
  /** The price before modifiers, with the sale and tier that supplied it. */
  readonly plain: RecordPrice
  /** The name of the modifier that replaces the plain price (modifier.equals-replaces-base); null for none. */
  readonly replacing: string | null
}

/** Weighs the record by the functions that find the price; null when there is none. */
export function weighRecord(product: ProductWithRecord, query: PriceQuery): WeighedRecord | null {
  const { currency, quantity } = query
  const list = product.record.list[currency]
  const winner = winningSaleAt(product, query)
  const plain = resolveRecordPrice({ ...product, modifiers: [] }, currency, quantity, winner)
  const price = resolveRecordPrice(product, currency, quantity, winner)
  if (list === undefined || plain === null || price === null) return null
  const first = price.modifiers[0]
  return { product, query, list, winner, plain, replacing: first?.type === 'price_equals' ? first.name : null }
}
