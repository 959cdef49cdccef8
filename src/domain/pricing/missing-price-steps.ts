/** Steps of the explanation of a price that is missing (price.missing-price-explained). */
import { selectedQuantities } from './bundle.ts'
import { maxAmount, multiplyAmount } from './money.ts'
import { earliest, type PriceQuery, resolvePrice } from './price.ts'
import type { Explanation, PriceStep } from './price-step.ts'
import type { CompiledBundle, PriceableProduct } from './priceable-product.ts'
import type { ProductWithRecord } from './record-price.ts'
import type { Price } from './resolution.ts'

/** Without a price record and without components (price.none-without-record). */
export const noRecord: Explanation = {
  steps: [
    {
      kind: 'BOOK',
      name: null,
      outcome: 'NO_AMOUNT',
      reason: "No price book of the catalog has the product's SKU, nor that of its parent.",
      amount: null,
    },
  ],
  changesAt: null,
}

/**
 * The list price of a record that gives no price: it lacks the currency (price.book-chosen-by-sku), or its modifiers
 * lead beyond the largest amount (money.exact-or-no-price).
 */
export function missingListStep({ record }: ProductWithRecord, { currency }: PriceQuery): PriceStep {
  const list = record.list[currency]
  if (list !== undefined) {
    const reason = `With its modifiers an amount would be beyond ${maxAmount}, so there is no price in ${currency}.`
    return { kind: 'LIST', name: null, outcome: 'NO_PRICE', reason, amount: list.amount }
  }
  const reason = `The price in this book has no amount in ${currency}, and no lower book, parent, sale or sum adds one.`
  return { kind: 'LIST', name: null, outcome: 'NO_AMOUNT', reason, amount: null }
}

/** The parts of a bundle that has no sum, then why it has none. */
export function missingSum(product: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Explanation {
  const { now, currency, selection } = query
  const chosen = [...selectedQuantities(selection ?? bundle.selection)]
  const parts = chosen.map(([id, quantity]) => {
    const option = bundle.options.get(id)
    if (option === undefined)
      return { step: part(id, null, `Product ${id} is chosen, and is not live.`), price: null, changesAt: null }
    const optionQuery = { now, currency, quantity: query.quantity * quantity, bundleId: product.id }
    const { price, changesAt } = resolvePrice(option, optionQuery)
    const reason = price
      ? `One bundle would have ${quantity} of product ${id}, priced for the ${optionQuery.quantity} bought.`
      : `Product ${id} has no price in ${currency}.`
    return { step: part(id, price && { price, quantity }, reason), price, changesAt }
  })
  const sum = part(null, null, whyNoSum(parts.map(({ price }) => price)))
  return {
    steps: [...parts.map(({ step }) => step), sum],
    changesAt: parts.reduce<number | null>((next, { changesAt }) => earliest(next, changesAt), null),
  }
}

function part(name: string | null, priced: { price: Price; quantity: number } | null, reason: string): PriceStep {
  if (priced === null) return { kind: 'BUNDLE', name, outcome: 'NO_AMOUNT', reason, amount: null }
  return {
    kind: 'BUNDLE',
    name,
    outcome: 'NO_PRICE',
    reason,
    amount: multiplyAmount(priced.price.amount, priced.quantity),
  }
}

/** The rule by which prices of chosen options, null for one without, are no sum. */
function whyNoSum(prices: readonly (Price | null)[]): string {
  // bundle.empty-selection-has-no-price
  if (prices.length === 0) return 'Nothing of the bundle is chosen, so it has no price.'
  // bundle.currencies-of-all-options, bundle.live-options-only
  if (prices.includes(null)) return 'A chosen option has no price, so there is no sum.'
  // bundle.options-agree-on-tax
  if (new Set(prices.map((price) => price?.includesTax)).size > 1)
    return 'Some chosen options include tax and others do not, so there is no sum.'
  return `The sum would be beyond ${maxAmount}.`
}

/** The explanation of a choice that a bundle's components do not allow (bundle.wrong-choice-is-a-state). */
export const wrongChoice: readonly PriceStep[] = [
  part(null, null, 'The components of the bundle do not allow the choice; its `issues` say why.'),
]
