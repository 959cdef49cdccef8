/**
 * Quantity steps: the price of one unit by the quantity that is bought. A step lasts as long as the price stays the
 * same (price.steps-by-quantity).
 */
import { sumChanges } from './bundle-changes.ts'
import { earliest, optionQueries, type PriceQuery } from './price.ts'
import type { CompiledBundle, PriceableProduct } from './priceable-product.ts'
import { contextBundle, hasRecord, type ProductWithRecord, resolveRecordPrice, winningSaleAt } from './record-price.ts'
import type { Price } from './resolution.ts'
import { nextSaleChange } from './sale.ts'

/** The price from a quantity on. */
export interface QuantityStep {
  readonly quantity: number
  readonly price: Pick<Price, 'amount' | 'includesTax' | 'list' | 'sale' | 'tier'> | null
}

export interface QuantitySteps {
  /** By rising quantity, the first from 1. Neighbours differ in the amount, the tax flag, the sale or the tier. */
  readonly steps: readonly QuantityStep[]
  /** An instant until which the steps stay the same, epoch milliseconds; null for ever. */
  readonly changesAt: number | null
}

/** The steps of the price at the instant of the query, whose quantity has no effect. */
export function quantitySteps(product: PriceableProduct, query: Omit<PriceQuery, 'quantity'>): QuantitySteps {
  const { steps, changesAt } = allSteps(product, query)
  return { steps: steps.filter((step, at) => at === 0 || differs(step.price, steps[at - 1]?.price ?? null)), changesAt }
}

function allSteps(product: PriceableProduct, query: Omit<PriceQuery, 'quantity'>): QuantitySteps {
  if (hasRecord(product)) return recordSteps(product, query)
  if (product.bundle !== null) return sumSteps(product, product.bundle, query)
  return { steps: [{ quantity: 1, price: null }], changesAt: null }
}

/** A step from each quantity at which a tier begins: of the list price, the winning sale or a modifier. */
function recordSteps(product: ProductWithRecord, query: Omit<PriceQuery, 'quantity'>): QuantitySteps {
  const { currency, now, bundleId } = query
  const { list, sales } = product.record
  const sale = winningSaleAt(product, { now, bundleId, quantity: 1 })
  const prices = [list, sale?.prices, ...product.modifiers.map((modifier) => modifier.prices)]
  const minimums = prices.flatMap((one) => one?.[currency]?.tiers ?? []).map(({ minimum }) => minimum)
  const quantities = [...new Set([1, ...minimums])].sort((one, other) => one - other)
  const steps = quantities.map((quantity): QuantityStep => {
    const found = resolveRecordPrice(product, currency, quantity, sale)
    if (found === null) return { quantity, price: null }
    const { amount, includesTax, tier } = found
    const listPrice = { amount: found.listAmount, includesTax: found.listIncludesTax }
    return { quantity, price: { amount, includesTax, tier, list: listPrice, sale: found.sale?.summary ?? null } }
  })
  return { steps, changesAt: nextSaleChange(sales, sale, now, contextBundle(product, bundleId)) }
}

/**
 * The steps of a sum, from those of its options. An option begins a step with the bundle that takes enough units of it.
 */
function sumSteps(
  product: PriceableProduct,
  bundle: CompiledBundle,
  query: Omit<PriceQuery, 'quantity'>,
): QuantitySteps {
  let changesAt: number | null = null
  const options = optionQueries(product, bundle, { ...query, quantity: 1 }).map(({ option, quantity, query: of }) => {
    const found = allSteps(option, of)
    changesAt = earliest(changesAt, found.changesAt)
    // A quotient of safe integers is never rounded up to the next one.
    return {
      quantity,
      changes: found.steps.map(({ quantity: from, price }) => ({ at: Math.ceil(from / quantity), price })),
    }
  })
  const steps = sumChanges(options).map(({ at, price }) => ({
    quantity: at,
    price: price && { ...price, sale: null, tier: null },
  }))
  return { steps: steps.length === 0 ? [{ quantity: 1, price: null }] : steps, changesAt }
}

function differs(one: QuantityStep['price'], other: QuantityStep['price']): boolean {
  if (one === null || other === null) return one !== other
  return (
    one.amount !== other.amount ||
    one.includesTax !== other.includesTax ||
    one.sale?.name !== other.sale?.name ||
    one.tier !== other.tier
  )
}
