/**
 * Explanation of a price: every candidate, also those that lost (price.explained-by-every-candidate). It calls the
 * functions that find the price, so that no rule is implemented twice.
 */
import { missingListStep, missingSum, noRecord } from './missing-price-steps.ts'
import { modifierSteps } from './modifier-steps.ts'
import { multiplyAmount } from './money.ts'
import { optionQueries, type PriceQuery, resolvePrice } from './price.ts'
import type { Explanation, PriceStep } from './price-step.ts'
import type { CompiledBundle, PriceableProduct } from './priceable-product.ts'
import { hasRecord, type ProductWithRecord } from './record-price.ts'
import { saleSteps } from './sale-steps.ts'
import { tierSteps } from './tier-steps.ts'
import { type WeighedRecord, weighRecord } from './weighed-record.ts'

/** The query of a price, and whether sales that have not begun are shown (price.future-sales-for-admins). */
export interface ExplanationQuery extends PriceQuery {
  readonly withFutureSales: boolean
}

/** The candidates of the price that `resolvePrice` gives for the query, or why it gives none. */
export function explainPrice(product: PriceableProduct, query: ExplanationQuery): Explanation {
  if (hasRecord(product)) return explainRecord(product, query)
  return product.bundle === null ? noRecord : explainSum(product, product.bundle, query)
}

function explainRecord(product: ProductWithRecord, query: ExplanationQuery): Explanation {
  const weighed = weighRecord(product, query)
  if (weighed === null) {
    const steps = [bookStep(product), missingListStep(product, query)]
    return { steps, changesAt: resolvePrice(product, query).changesAt }
  }
  const steps = [
    bookStep(product),
    listStep(weighed),
    ...saleSteps(weighed, query.withFutureSales),
    ...tierSteps(weighed),
    ...modifierSteps(weighed),
    ...(product.bundle === null ? [] : [unsummed]),
  ]
  // A sale's start and end change its own step, also where they don't change the price.
  const bounds = product.record.sales.flatMap(({ from, to }) => [from, to])
  const next = Math.min(...bounds.filter((bound) => bound > query.now))
  return { steps, changesAt: Number.isFinite(next) ? next : null }
}

function bookStep({ inherited, record: { book } }: ProductWithRecord): PriceStep {
  const reason = inherited
    ? `No price book has the product's own SKU; price book ${book} is the first that has its parent's.`
    : `Price book ${book} is the first of the catalog's books that has the product's SKU.`
  return { kind: 'BOOK', name: book, outcome: 'APPLIED', reason, amount: null }
}

function listStep({ list, plain, replacing, query }: WeighedRecord): PriceStep {
  const step = { kind: 'LIST', name: null, amount: list.amount } as const
  if (plain.sale !== null)
    return { ...step, outcome: 'OUTRANKED', reason: `Sale "${plain.sale.name}" goes before the list price.` }
  if (replacing !== null)
    return { ...step, outcome: 'OUTRANKED', reason: `Modifier "${replacing}" replaces the list price.` }
  return {
    ...step,
    outcome: 'APPLIED',
    reason: `No sale supplies the price in ${query.currency}, so the list price does.`,
  }
}

const unsummed: PriceStep = {
  kind: 'BUNDLE',
  name: null,
  outcome: 'OUTRANKED',
  reason: 'The bundle has a price of its own, so the prices of its options are not added up.',
  amount: null,
}

/** The parts of a summed bundle, then their sum. */
function explainSum(product: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Explanation {
  const { price, changesAt } = resolvePrice(product, query)
  if (price === null) return missingSum(product, bundle, query)
  const parts = optionQueries(product, bundle, query).map(({ option, quantity, query: optionQuery }): PriceStep => {
    const each = resolvePrice(option, optionQuery).price?.amount ?? 0
    const reason = `One bundle has ${quantity} of product ${option.id}, priced for the ${quantity * query.quantity} bought.`
    return { kind: 'BUNDLE', name: option.id, outcome: 'APPLIED', reason, amount: multiplyAmount(each, quantity) }
  })
  const reason = 'The bundle has no price of its own, so the prices of its chosen options are added up.'
  return {
    steps: [...parts, { kind: 'BUNDLE', name: null, outcome: 'APPLIED', reason, amount: price.amount }],
    changesAt,
  }
}
