/**
 * Flat prices: maps by currency become lists in the order of the code (graph.maps-become-lists).
 */
import { isCurrencyCode } from '../../domain/input/currency.ts'
import { badRequest, type Path } from '../../domain/input/errors.ts'
import type { PriceEntry, PriceMap } from '../../domain/pricing/flat-price-map.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import type { InputMember } from '../schema/graph-input.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { Money, MoneyRef } from './money.ts'

export interface CurrencyPrice {
  readonly amount: Money
  readonly includesTax: boolean
}

export const PriceRef = builder.objectRef<CurrencyPrice>('Price').implement({
  description: 'A price in one currency.',
  right: 'anyone',
  fields: (t) => ({
    amount: t.expose('amount', { type: MoneyRef, description: 'The amount of one unit.' }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the amount includes tax.' }),
  }),
})

export const currencyArgs = builder.args((t) => ({
  currency: t.field({
    type: 'CurrencyCode',
    description: "The currency of the price, such as `EUR`; by default the request's, else the server's.",
    ...withReader((args: CurrencyArguments, ctx: Context) => displayCurrency(args, ctx)),
  }),
}))

export interface CurrencyArguments {
  readonly currency?: string | null | undefined
}

/**
 * The display currency: from the argument (or its member at `path`), else from the request, else from the server
 * (money.display-currency). Throws DomainError (badRequest) for a malformed one.
 */
export function displayCurrency({ currency }: CurrencyArguments, ctx: Context, path: Path = ['currency']): string {
  if (currency != null && !isCurrencyCode(currency))
    throw badRequest('INVALID_FORMAT', path, 'must be three uppercase letters')
  return currency ?? ctx.shopperHeaders.currency ?? ctx.config.defaultCurrency
}

/** The price of a price map in the display currency; null when there is none. */
export function priceIn(prices: PriceMap, args: CurrencyArguments, ctx: Context): CurrencyPrice | null {
  const currency = displayCurrency(args, ctx)
  const price = Object.hasOwn(prices, currency) ? prices[currency] : undefined
  return price === undefined ? null : toPrice(currency, price)
}

/** A price map as a list, in the order of the currency code. */
export function priceList(prices: PriceMap): CurrencyPrice[] {
  return entriesOf(prices).map(([currency, price]) => toPrice(currency, price))
}

function toPrice(currency: string, { amount, includes_tax }: PriceEntry): CurrencyPrice {
  return { amount: new Money(amount, currency), includesTax: includes_tax }
}

const PriceInput = builder.inputType('PriceInput', {
  description: 'What to set of a price. In an update, absent members keep their value.',
  fields: (t) => ({
    amount: t.field({
      type: 'Long',
      description: "In the currency's smallest unit, 0 or more; a currency that is new must have one.",
    }),
    includesTax: t.boolean({
      description: 'Whether the amount includes tax; false for a new currency without it, and for null.',
    }),
  }),
})

export const CurrencyPriceInput = builder.inputType('CurrencyPriceInput', {
  description: 'The price in one currency: set or changed, or in an update removed by `price: null`.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency, at most once in the list.' }),
    price: t.field({ type: PriceInput, description: 'What to set; null removes the currency.' }),
  }),
})

/**
 * A list of CurrencyPriceInput, which readers take for a map of prices by currency. An entry without `price` leaves its
 * currency unchanged.
 */
export const pricesMember: InputMember = { name: 'prices', entry: { key: 'currency', value: 'price' } }
