/** Explanation of a price: CatalogPrice.explanation (price.explained-by-every-candidate). */
import { explainPrice } from '../../domain/pricing/price-explanation.ts'
import type { PriceStep } from '../../domain/pricing/price-step.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { type Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'

const PriceStepKindEnum = wordEnum('PriceStepKind', 'The kinds of candidates for a price, in the order in which they are weighed.', {
  BOOK: 'A price book.',
  LIST: 'The list price.',
  SALE: 'A sale.',
  TIER: 'A quantity tier, of the list price or of the sale that wins.',
  MODIFIER: "A price modifier of a child's options.",
  BUNDLE: 'The part of one option in a summed bundle, and last the sum.',
})

const PriceStepOutcomeEnum = wordEnum('PriceStepOutcome', 'What became of a candidate for a price.', {
  APPLIED: 'It took part in the price; the last one that did gives the amount.',
  OUTRANKED: 'Another candidate goes before it.',
  YIELDED: 'It would win among its kind, and gives way to a candidate of another kind.',
  NOT_RUNNING: 'The sale has not begun, or has ended.',
  NOT_REACHED: 'The quantity is below the tier.',
  OTHER_BUNDLE: 'The sale applies inside certain bundles only, and the price is not inside one of them.',
  NO_AMOUNT: 'It has no amount in the currency.',
})

const PriceStepRef = builder.objectRef<Omit<PriceStep, 'amount'> & { readonly amount: Money | null }>('PriceStep').implement({
  description: 'One candidate for a price, and what became of it.',
  right: 'anyone',
  fields: (t) => ({
    kind: t.expose('kind', { type: PriceStepKindEnum, description: 'What kind of candidate it is.' }),
    name: t.exposeString('name', {
      nullable: true,
      description:
        "The name of the sale, tier or modifier; the UUID of the price book or of the option's product; null for the list price and a sum.",
    }),
    outcome: t.expose('outcome', { type: PriceStepOutcomeEnum, description: 'What became of it.' }),
    reason: t.exposeString('reason', {
      description: 'Why, as one sentence: `Sale "march" goes before sale "quarter": its period is shorter.`',
    }),
    amount: t.expose('amount', {
      type: MoneyRef,
      nullable: true,
      description: 'The amount after a modifier that applied, the part of an option, or what the candidate gives by itself; null for none.',
    }),
  }),
})

builder.objectField(CatalogPriceRef, 'explanation', (t) =>
  t.field({
    type: [PriceStepRef],
    description:
      'Every candidate for the price, also those that lost, in the order in which they are weighed. Sales that have not begun are shown to administrators only.',
    resolve: explanationOf,
  }),
)

function explanationOf({ subject, at, quantity, price: { currency } }: CatalogPrice, _: object, { work, cachePolicy, viewer }: Context) {
  const { priceable, selection, bundleId } = subject
  work.spend(priceable.resolutionCost * PRICE_POINTS)
  const withFutureSales = viewer.role === 'admin'
  const { steps, changesAt } = explainPrice(priceable, { now: at, currency, quantity, bundleId, selection, withFutureSales })
  cachePolicy.expireAt(changesAt)
  return steps.map((step) => ({ ...step, amount: toMoney(step.amount, currency) }))
}
