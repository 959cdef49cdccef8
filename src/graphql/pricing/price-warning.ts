/** Price warnings: what is probably a mistake in a product price and its sales (price-book.doubtful-prices-warned). */
import type { PriceWarning } from '../../domain/pricing/price-warning.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'

/** Warnings of one price in a response. */
export const PRICE_WARNINGS_MAX = 100

/** The descriptions of the kinds, which a release's warnings have too. */
export const priceWarningKinds = {
  TIER_DEARER: 'A tier costs more than the step before it: the next lower tier, or the plain amount.',
  SALE_DEARER: 'The sale costs more than the list price.',
  TAX_DIFFERS:
    'Of sale and list price one alone includes tax, so that they are not compared: the sale applies at every quantity.',
} as const

const PriceWarningCodeEnum = wordEnum(
  'PriceWarningCode',
  'What is maybe not meant in a product price.',
  priceWarningKinds,
)

export const PriceWarningRef = builder.objectRef<PriceWarning>('PriceWarning').implement({
  description: 'Something in a product price or one of its sales that is maybe not meant.',
  right: 'admin',
  fields: (t) => ({
    code: t.expose('code', { type: PriceWarningCodeEnum, description: 'What was found.' }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    sale: t.exposeString('sale', {
      nullable: true,
      description: 'The name of the sale; null: it is about the list price.',
    }),
    tier: t.exposeString('tier', { nullable: true, description: 'Of TIER_DEARER: the name of the tier.' }),
  }),
})
