/** Price builders: short notations for price records of releases. Amounts are minor units, instants RFC 3339 texts. */
import { parseInstant } from '../../src/domain/input/instant.ts'
import { compileProduct } from '../../src/domain/pricing/compile-product.ts'
import { type PriceQuery, resolvePrice } from '../../src/domain/pricing/price.ts'
import type {
  BundleComponents,
  CurrencyPriceRecord,
  CurrencyPriceRecords,
  ModifierType,
  ReleaseModifier,
  ReleasePriceRecord,
  ReleasePricing,
  ReleaseSale,
  TierRecord,
} from '../../src/domain/pricing/price-record.ts'
import type { Resolution } from '../../src/domain/pricing/resolution.ts'

export function at(text: string): number {
  const ms = parseInstant(text)
  if (ms === null) throw new Error(`no instant: ${text}`)
  return ms
}

/** Tiers as name -> [minimum_quantity, amount]. */
export function price(
  amount: number | null,
  tiers?: Record<string, [number, number | null]>,
  includesTax = false,
): CurrencyPriceRecord {
  if (tiers === undefined) return { amount, includes_tax: includesTax }
  const entries = Object.entries(tiers).map(([name, [minimum_quantity, tier]]): [string, TierRecord] => [
    name,
    { minimum_quantity, amount: tier },
  ])
  return { amount, includes_tax: includesTax, tiers: Object.fromEntries(entries) }
}

export const gross = (amount: number) => price(amount, undefined, true)

export const usd = (amount: number | null, tiers?: Record<string, [number, number | null]>): CurrencyPriceRecords => ({
  USD: price(amount, tiers),
})

export function sale(
  name: string,
  from: string | null,
  to: string | null,
  currencies: CurrencyPriceRecords,
  bundles: string[] = [],
): ReleaseSale {
  return { name, from: from === null ? null : at(from), to: to === null ? null : at(to), bundles, currencies }
}

export function priceRecord(
  currencies: CurrencyPriceRecords,
  sales: ReleaseSale[] = [],
  book = 'book',
): ReleasePriceRecord {
  return { id: `${book}-row`, book, currencies, sales, shopper_attributes: null }
}

export function product(own: ReleasePriceRecord | null, id = 'product'): ReleasePricing {
  return { id, own, base: null }
}

export const modifier = (name: string, type: ModifierType, currencies: CurrencyPriceRecords): ReleaseModifier => ({
  name,
  type,
  currencies,
})
export const plus = (name: string, amount: number) => modifier(name, 'price_increment', usd(amount))
export const minus = (name: string, amount: number) => modifier(name, 'price_decrement', usd(amount))
export const equals = (name: string, amount: number) => modifier(name, 'price_equals', usd(amount))

/** A child without a price record of its own; it names all modifiers unless names are given. */
export function child(
  base: ReleasePriceRecord | null,
  modifiers: ReleaseModifier[],
  names = modifiers.map((one) => one.name),
  id = 'child',
): ReleasePricing {
  return { id, own: null, base, modifier_names: names, modifiers }
}

/**
 * A bundle `bundle` with one component `main` that selects all of `products` by default, or with the components given.
 */
export function bundle(
  products: ReleasePricing[],
  components?: BundleComponents,
  own: ReleasePriceRecord | null = null,
  id = 'bundle',
): ReleasePricing {
  const all = {
    main: {
      name: 'Main',
      min: products.length,
      max: null,
      options: products.map((item) => ({ id: item.id, quantity: 1 })),
    },
  }
  const options = Object.fromEntries(products.map((item) => [item.id, item]))
  return { id, own, base: null, components: components ?? all, options }
}

export type Query = Partial<Omit<PriceQuery, 'now'>> & { now?: string }

/** Resolves a price, by default in USD for quantity 1 in the middle of March 2026. */
export function resolve(item: ReleasePricing, query: Query = {}): Resolution {
  const { now = '2026-03-15T00:00:00Z', ...rest } = query
  return resolvePrice(compileProduct(item), { now: at(now), currency: 'USD', quantity: 1, ...rest })
}

/** The amount alone; null without a price. */
export function amountOf(item: ReleasePricing, query: Query = {}): number | null {
  return resolve(item, query).price?.amount ?? null
}
