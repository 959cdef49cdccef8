/** How prices are asked for (B6, D1, I8; AUTH-3): the arguments of price fields, and the answers to them. */
import type { Context } from '../context.ts'
import { DomainError } from '../domain/errors.ts'
import { displayAmounts, listPrices } from '../domain/listed-price.ts'
import { type Resolution, resolvePrice, resolvePrices } from '../domain/price.ts'
import { isQuantity } from '../domain/tier.ts'
import { builder } from './builder.ts'
import { CatalogPrice, type PriceSubject } from './catalog-price.ts'
import { type DisplayArguments, displayCurrency, formattedPrice } from './price.ts'

export const quantityArgs = builder.args((t) => ({
  quantity: t.field({ type: 'Long', description: 'How many are bought, 1 or more; 1 when absent.' }),
}))

export const instantArgs = builder.args((t) => ({
  at: t.field({ type: 'DateTime', description: 'The instant of the price; by default now, and another one is for admins only.' }),
}))

interface Question {
  readonly currency?: string | null | undefined
  readonly quantity?: number | null | undefined
  readonly at?: number | null | undefined
}

/** The price in one currency; null when there is none in it, never one in another (B6). */
export function priceIn(subject: PriceSubject, question: Question, ctx: Context): CatalogPrice | null {
  const { now, quantity } = circumstances(question, ctx)
  const { unit, bundleId, selection } = subject
  const currency = displayCurrency(question, ctx)
  return tell(subject, now, quantity, resolvePrice(unit, { now, currency, quantity, bundleId, selection }), ctx)
}

/** The prices in all currencies, in the order of the code. */
export function allPrices(subject: PriceSubject, question: Question, ctx: Context): CatalogPrice[] {
  const { now, quantity } = circumstances(question, ctx)
  const { unit, bundleId, selection } = subject
  const answers = resolvePrices(unit, { now, quantity, bundleId, selection })
  return answers.map((answer) => tell(subject, now, quantity, answer, ctx)).filter((price) => price !== null)
}

/** What a listing shows for people, at quantity 1 unless told otherwise: of the price, or of the original price under a sale (C11, H3). */
export function listingDisplayPrice(
  { unit, selection, bundleId }: PriceSubject,
  which: 'price' | 'original',
  args: DisplayArguments,
  ctx: Context,
  quantity = 1,
) {
  const currency = displayCurrency(args, ctx)
  const { prices, changesAt } = listPrices(unit, { now: ctx.now, quantity, bundleId }, selection)
  ctx.validity.endAt(changesAt)
  const amount = displayAmounts(prices, currency)[which]
  return amount === null ? null : formattedPrice(amount, currency, args, ctx)
}

function circumstances({ quantity, at }: Question, ctx: Context): { now: number; quantity: number } {
  if (quantity != null && !isQuantity(quantity)) {
    const message = 'must be an integer from 1 to 9007199254740991'
    throw new DomainError('badRequest', [{ code: 'OUT_OF_RANGE', path: ['quantity'], message }])
  }
  // Whether an instant is now is another question at the next one.
  if (at != null) ctx.validity.endAt(ctx.now)
  if (at != null && at !== ctx.now && ctx.viewer.role !== 'admin')
    throw new DomainError('forbidden', 'The argument at is for administrators, save for the present instant')
  return { now: at ?? ctx.now, quantity: quantity ?? 1 }
}

/** Where there is no price now, the instant at which one may come ends the answer as well (I2). */
function tell(subject: PriceSubject, now: number, quantity: number, { price, changesAt }: Resolution, { validity }: Context) {
  validity.endAt(changesAt)
  return price && new CatalogPrice(subject, now, quantity, price, changesAt)
}
