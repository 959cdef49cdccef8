/**
 * Flat prices and display prices: maps by currency become lists in the order of the code (graph.maps-become-lists).
 */

import { isCurrencyCode } from '../../domain/input/currency.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { acceptedLanguages } from '../../domain/language/accept-language.ts'
import type { PriceMap } from '../../domain/pricing/flat-price-map.ts'
import { formatAmount } from '../../domain/pricing/money.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { entriesOf, type Member, toMap, toRestDocument } from '../schema/rest-document.ts'

/** A price in one currency; `amount` in the currency's smallest unit. */
export interface Price {
  readonly currency: string
  readonly amount: number
  readonly includesTax: boolean
}

interface FormattedPrice {
  readonly amount: number
  readonly currency: string
  readonly formatted: string
}

export const PriceRef = builder.objectRef<Price>('Price').implement({
  description: 'A price in one currency.',
  right: 'anyone',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The three-letter ISO code.' }),
    amount: t.expose('amount', { type: 'Long', description: "In the currency's smallest unit." }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the amount includes tax.' }),
  }),
})

const FormattedPriceRef = builder.objectRef<FormattedPrice>('FormattedPrice').implement({
  description: 'An amount with its text for people.',
  right: 'anyone',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Long', description: "In the currency's smallest unit." }),
    currency: t.exposeString('currency', { description: 'The three-letter ISO code.' }),
    formatted: t.exposeString('formatted', { description: 'The text for the locale.' }),
  }),
})

/** A display price. Nothing computes tax, so both members have the same amount. */
interface DisplayPrice {
  readonly withTax: FormattedPrice
  readonly withoutTax: FormattedPrice
}

export const DisplayPriceRef = builder.objectRef<DisplayPrice>('DisplayPrice').implement({
  description:
    'A price for people. Nothing here computes tax, so both sides are the amount as it is stored; whether that includes tax is what `includesTax` says beside it.',
  right: 'anyone',
  fields: (t) => ({
    withTax: t.expose('withTax', { type: FormattedPriceRef, description: 'The amount as it is stored, like `withoutTax`.' }),
    withoutTax: t.expose('withoutTax', { type: FormattedPriceRef, description: 'The amount as it is stored, like `withTax`.' }),
  }),
})

/** The argument `currency` of price fields. */
export const currencyArgs = builder.args((t) => ({
  currency: t.string({
    description: "A three-letter ISO code; by default the request's X-MOLTIN-CURRENCY, else the server's currency.",
    ...withReader(displayCurrency),
  }),
}))

/** The argument `locale` of display prices. */
export const displayLocaleArgs = builder.args((t) => ({
  locale: t.string({ description: "A language tag such as `de-CH`; by default the request's Accept-Language, else en-US." }),
}))

/** The arguments of display prices whose currency the client chooses. */
export const displayArgs = { ...currencyArgs, ...displayLocaleArgs }

/** The values of displayArgs. */
export interface DisplayArguments {
  readonly currency?: string | null | undefined
  readonly locale?: string | null | undefined
}

/**
 * The display currency: of the argument, else of the request, else of the server (money.display-currency). Throws DomainError (badRequest)
 * for a malformed argument.
 */
export function displayCurrency({ currency }: DisplayArguments, ctx: Context): string {
  if (currency != null && !isCurrencyCode(currency)) {
    throw new DomainError('badRequest', [{ code: 'INVALID_FORMAT', path: ['currency'], message: 'must be three uppercase letters' }])
  }
  return currency ?? ctx.shopperHeaders.currency ?? ctx.config.defaultCurrency
}

/** The display price of a price map; null when it has none in the display currency. */
export function displayPrice(prices: PriceMap, args: DisplayArguments, ctx: Context): DisplayPrice | null {
  const currency = displayCurrency(args, ctx)
  const amount = Object.hasOwn(prices, currency) ? prices[currency]?.amount : undefined
  return amount == null ? null : formattedPrice(amount, currency, args, ctx)
}

/** The display price of an amount in the currency's smallest unit, formatted for the argument's or the request's locale. */
export function formattedPrice(amount: number, currency: string, { locale }: DisplayArguments, ctx: Context): DisplayPrice {
  const formatted = formatAmount(amount, currency, locale ?? acceptedLanguages(ctx.shopperHeaders.acceptLanguage).accepted[0])
  const price = { amount, currency, formatted }
  return { withTax: price, withoutTax: price }
}

/** A price map as a list, in the order of the currency code. */
export function priceList(prices: PriceMap): Price[] {
  return entriesOf(prices).map(([currency, { amount, includes_tax }]) => ({ currency, amount, includesTax: includes_tax }))
}

const PriceInput = builder.inputType('PriceInput', {
  description: 'What to set of a price. In an update, absent members keep their value.',
  fields: (t) => ({
    amount: t.field({ type: 'Long', description: "In the currency's smallest unit, 0 or more; a currency that is new must have one." }),
    includesTax: t.boolean({ description: 'Whether the amount includes tax; false for a new currency without it, and for null.' }),
  }),
})

export const CurrencyPriceInput = builder.inputType('CurrencyPriceInput', {
  description: 'The price in one currency: set or changed, or in an update removed by `price: null`.',
  fields: (t) => ({
    currency: t.string({ required: true, description: 'The three-letter ISO code, at most once in the list.' }),
    price: t.field({ type: PriceInput, description: 'What to set; null removes the currency.' }),
  }),
})

/** Converts a list of CurrencyPriceInput to the map of the REST document. An entry without `price` changes nothing of its currency. */
export const priceMapMember: Member = {
  as: 'price',
  value: (list: readonly (typeof CurrencyPriceInput.$inferInput)[]) =>
    toMap(
      list,
      ({ currency }) => currency,
      ({ price }) => (price === null ? null : toRestDocument(price ?? {})),
    ),
}
