/** Price arguments: quantity, instant and currency of price fields. */
import { badRequest, DomainError } from '../../domain/input/errors.ts'
import { isQuantity } from '../../domain/pricing/tier.ts'
import type { Context } from '../../request/context.ts'
import type { CurrencyArguments } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'

export const quantityArgs = builder.args((t) => ({
  quantity: t.field({
    type: 'Long',
    description: 'How many are bought, such as `6`, 1 or more; 1 when absent.',
    ...withReader(readPriceArguments),
  }),
}))

export const instantArgs = builder.args((t) => ({
  at: t.field({
    type: 'DateTime',
    description:
      'The instant of the price, such as `2030-11-29T00:00:00Z`; by default now, and another one is for admins only.',
    ...withReader(readPriceArguments),
  }),
}))

/** The arguments of a price field. */
export interface PriceArguments extends CurrencyArguments {
  readonly quantity?: number | null | undefined
  readonly at?: number | null | undefined
}

/**
 * Reads the quantity and the instant of a price (price.other-instants-for-admins). Throws DomainError (badRequest,
 * forbidden).
 */
export function readPriceArguments({ quantity, at }: PriceArguments, ctx: Context): { now: number; quantity: number } {
  if (quantity != null && !isQuantity(quantity)) {
    const message = 'must be an integer from 1 to 9007199254740991'
    throw badRequest('OUT_OF_RANGE', ['quantity'], message)
  }
  // Whether `at` is the present instant may differ at the next request.
  if (at != null) ctx.cachePolicy.doNotStore()
  if (at != null && at !== ctx.now && ctx.viewer.role !== 'admin')
    throw new DomainError('forbidden', 'The argument at is for administrators, save for the present instant')
  return { now: at ?? ctx.now, quantity: quantity ?? 1 }
}
