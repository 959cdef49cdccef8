/**
 * Explanation of a price: CatalogPrice.explanation (price.explained-by-every-candidate), and `priceExplanation` of all
 * that may lack a price (price.missing-price-explained).
 */
import type { ReleaseLabels } from '../../domain/catalog/label.ts'
import { wrongChoice } from '../../domain/pricing/missing-price-steps.ts'
import type { PriceQuery } from '../../domain/pricing/price.ts'
import { explainPrice } from '../../domain/pricing/price-explanation.ts'
import type { PriceStep } from '../../domain/pricing/price-step.ts'
import { type PriceSubject, shownPrice } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { type Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { currencyArgs, displayCurrency } from '../pricing/price.ts'
import { builder } from '../schema/builder.ts'
import { type Labelled, labelIn } from '../schema/label.ts'
import { localeArgs } from '../schema/locale.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { BundleConfigurationRef, subjectOf } from './bundle-configuration.ts'
import { ComponentProductRef } from './catalog-bundle.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'
import { CatalogProductRef } from './catalog-refs.ts'
import { instantArgs, type PriceArguments, quantityArgs, readPriceArguments } from './price-arguments.ts'

const PriceStepKindEnum = wordEnum(
  'PriceStepKind',
  'The kinds of candidates for a price, in the order in which they are weighed.',
  {
    BOOK: 'A price book.',
    LIST: 'The list price.',
    SALE: 'A sale.',
    TIER: 'A quantity tier, of the list price or of the sale that wins.',
    MODIFIER: "A price modifier of a child's options.",
    BUNDLE: 'The part of one option in a summed bundle, and last the sum.',
  },
)

const PriceStepOutcomeEnum = wordEnum('PriceStepOutcome', 'What became of a candidate for a price.', {
  APPLIED: 'It took part in the price; the last one that did gives the amount.',
  OUTRANKED: 'Another candidate goes before it.',
  YIELDED: 'It would win among its kind, and gives way to a candidate of another kind.',
  NOT_RUNNING: 'The sale has not begun, or has ended.',
  NOT_REACHED: 'The quantity is below the tier.',
  OTHER_BUNDLE: 'The sale applies inside certain bundles only, and the price is not inside one of them.',
  NO_AMOUNT: 'It has no amount in the currency.',
  NO_PRICE: 'It has an amount, and the price that it would be part of is missing.',
})

const PriceStepRef = builder
  .objectRef<Omit<PriceStep, 'amount'> & { readonly amount: Money | null } & Labelled>('PriceStep')
  .implement({
    description: 'One candidate for a price, and what became of it.',
    right: 'anyone',
    fields: (t) => ({
      kind: t.expose('kind', { type: PriceStepKindEnum, description: 'What kind of candidate it is.' }),
      name: t.exposeString('name', {
        nullable: true,
        description:
          "The name of the sale, tier or modifier; the UUID of the price book or of the option's product; null for the list price, a sum, and where no book has a price.",
      }),
      label: t.string({
        nullable: true,
        description:
          'What a sale or tier is called in the requested language, else in that of the store, else its name; null for any other.',
        args: localeArgs,
        resolve: (one, args, ctx) => {
          const kind = one.kind === 'SALE' ? 'sale' : one.kind === 'TIER' ? 'tier' : null
          return kind === null || one.name === null ? null : labelIn(one, kind, one.name, args, ctx)
        },
      }),
      outcome: t.expose('outcome', { type: PriceStepOutcomeEnum, description: 'What became of it.' }),
      reason: t.exposeString('reason', {
        description: 'Why, as one sentence: `Sale "march" goes before sale "quarter": its period is shorter.`',
      }),
      amount: t.expose('amount', {
        type: MoneyRef,
        nullable: true,
        description:
          'The amount after a modifier that applied, the part of an option, or what the candidate gives by itself; null for none.',
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

function explanationOf({ subject, at, quantity, price: { currency } }: CatalogPrice, _: object, ctx: Context) {
  return explained(subject, { now: at, currency, quantity }, ctx)
}

function explained(subject: PriceSubject, query: Pick<PriceQuery, 'now' | 'currency' | 'quantity'>, ctx: Context) {
  const { steps } = shownPrice(ctx, subject, { ...query, withFutureSales: ctx.viewer.role === 'admin' }, explainPrice)
  return stepsIn(query.currency, steps, subject.release.labels)
}

function stepsIn(currency: string, steps: readonly PriceStep[], labels: ReleaseLabels) {
  return steps.map((step) => ({ ...step, amount: toMoney(step.amount, currency), labels }))
}

function explanationFor(subject: PriceSubject, args: PriceArguments, ctx: Context) {
  return explained(subject, { ...readPriceArguments(args, ctx), currency: displayCurrency(args, ctx) }, ctx)
}

const whyNone =
  'Why the price in one currency is what it is, or why there is none; otherwise as `explanation` of a price.'

builder.objectField(CatalogProductRef, 'priceExplanation', (t) =>
  t.field({
    type: [PriceStepRef],
    description: whyNone,
    args: { ...currencyArgs, ...quantityArgs, ...instantArgs },
    resolve: explanationFor,
  }),
)

builder.objectField(ComponentProductRef, 'priceExplanation', (t) =>
  t.field({
    type: [PriceStepRef],
    description: whyNone,
    args: { ...currencyArgs, ...instantArgs },
    resolve: (one, args, ctx) => explanationFor(one, { ...args, quantity: one.quantity }, ctx),
  }),
)

builder.objectField(BundleConfigurationRef, 'priceExplanation', (t) =>
  t.field({
    type: [PriceStepRef],
    description: whyNone,
    args: { ...currencyArgs, ...quantityArgs, ...instantArgs },
    resolve: (configured, args, ctx) => {
      if (configured.issues.length === 0) return explanationFor(subjectOf(configured), args, ctx)
      readPriceArguments(args, ctx)
      return stepsIn(displayCurrency(args, ctx), wrongChoice, {})
    },
  }),
)
