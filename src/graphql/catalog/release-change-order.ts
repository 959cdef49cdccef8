/** The argument `orderBy` of the products that differ between two releases (release.changes-by-size-of-price). */
import type { ChangeOrder, ChangeOrderField } from '../../domain/catalog/change-order.ts'
import type { Context } from '../../request/context.ts'
import { displayCurrency } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { directionField } from '../schema/record-connection.ts'
import { wordEnum } from '../schema/word-enum.ts'

const ReleaseChangeOrderField = wordEnum<ChangeOrderField>(
  'ReleaseChangeOrderField',
  'What the products that differ between two releases are ordered by; equal ones are in the order of the name.',
  {
    NAME: 'By name, by code point.',
    PRICE_DIFFERENCE:
      'By how much the price of one unit differs at this moment, whether it rises or falls. Products that only one release has, or only one with a price, come last in both directions.',
    RELATIVE_PRICE_DIFFERENCE: 'The same as a part of the older price; from 0 it counts as the largest.',
  },
)

const ReleaseChangeOrderInput = builder.inputType('ReleaseChangeOrderInput', {
  description: 'The order of the products that differ between two releases.',
  fields: (t) => ({
    field: t.field({ type: ReleaseChangeOrderField, required: true, description: 'What they are ordered by.' }),
    direction: t.field(directionField),
    currency: t.field({
      type: 'CurrencyCode',
      description: "The currency of the prices, such as `EUR`; by default the request's.",
    }),
  }),
})

export const changeOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: ReleaseChangeOrderInput,
    description:
      'The order of the list, such as `{ field: RELATIVE_PRICE_DIFFERENCE, direction: DESC }` for the largest changes of price first; by default by name.',
    ...withReader((args: OrderArguments, ctx: Context) => readChangeOrder(args, ctx)),
  }),
}))

interface OrderArguments {
  readonly orderBy?: typeof ReleaseChangeOrderInput.$inferInput | null | undefined
}

/** The order without its instant. Throws DomainError (badRequest). */
export function readChangeOrder({ orderBy }: OrderArguments, ctx: Context): Omit<ChangeOrder, 'instant'> {
  if (orderBy == null) return { field: 'NAME', direction: 'ASC', currency: '' }
  const currency = displayCurrency(orderBy, ctx, ['orderBy', 'currency'])
  const { field, direction } = orderBy
  return { field, direction: direction ?? 'ASC', currency: field === 'NAME' ? '' : currency }
}
