/**
 * Lists of published products: the arguments of their fields, and the query made from them (list.latest-update-first).
 */
import type { ListingOrder, ListingQuery } from '../../domain/catalog/listing-query.ts'
import { badRequest } from '../../domain/input/errors.ts'
import type { Context } from '../../request/context.ts'
import { displayCurrency } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { directionField } from '../schema/record-connection.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { type Filter, productFilterArgs, readFilter } from './catalog-filter.ts'

const CatalogProductOrderField = wordEnum(
  'CatalogProductOrderField',
  'What a list of published products is ordered by; equal ones are in the default order.',
  {
    DEFAULT:
      'Curated ones first, in their order; the others by last update, latest first. The children of a parent: as OPTIONS.',
    OPTIONS:
      'Children of a parent by its variations and their options, highest sort order first; those without an option of a variation last, equal ones oldest first. For `children` alone, whose default order it is.',
    NAME: 'By name, as the language of the request orders names; numbers in them by value.',
    RELEVANCE: 'By how well it matches `search` of the filter, which has to be given: by `asc` the best match first.',
    PRICE: 'By the price of one unit at this moment. Products without a price come last in both directions.',
    UPDATED_AT: 'By the time of the last change before the release.',
    CREATED_AT: 'By the time of the creation; `direction: DESC` has what is new first.',
  },
)

const CatalogProductOrderInput = builder.inputType('CatalogProductOrderInput', {
  description: 'The order of a list of published products.',
  fields: (t) => ({
    field: t.field({ type: CatalogProductOrderField, required: true, description: 'What it is ordered by.' }),
    direction: t.field(directionField),
    currency: t.field({
      type: 'CurrencyCode',
      description: "The currency of PRICE, such as `EUR`; by default the request's.",
    }),
  }),
})

/** The arguments of the list of the children of a product. */
export const childListArgs = relatedArgs(true)

/** The arguments of another list of products that are related to one product. */
export const relatedListArgs = relatedArgs(false)

function relatedArgs(ofChildren: boolean) {
  return {
    ...pageArgs,
    ...productFilterArgs,
    ...builder.args((t) => ({
      orderBy: t.field({
        type: CatalogProductOrderInput,
        description:
          'The order of the list, such as `{ field: PRICE }`. When absent: by relevance with a search, else the default order.',
        ...withReader((args: ProductListArguments, ctx: Context) => readOrder({ ...args, ofChildren }, ctx)),
      }),
    })),
  }
}

/** The arguments of every other list of published products. */
export const catalogProductListArgs = {
  ...relatedListArgs,
  ...builder.args((t) => ({
    offset: t.int({ description: 'How many to leave out at the start, 0 to 10000; alone or with `first`.' }),
    groupVariants: t.boolean({
      required: true,
      defaultValue: false,
      description:
        'Whether a parent stands once in place of its children, where the first that matches would stand, and by PRICE, up or down, at the lowest price of those of the group that match; `true` for cards such as "T-shirt, from €20".',
    }),
  })),
}

export const descendantsArgs = builder.args((t) => ({
  descendants: t.boolean({
    required: true,
    defaultValue: true,
    description:
      'Whether a node lists what is attached to nodes below it too, each product once; `false` for its own alone. A hierarchy always does.',
  }),
}))

/** The values of catalogProductListArgs and descendantsArgs, without those of the page. */
export interface ProductListArguments {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: typeof CatalogProductOrderInput.$inferInput | null | undefined
  readonly groupVariants: boolean
  readonly descendants?: boolean
  /** Whether the list is of the children of a product, which alone can be ordered by OPTIONS. */
  readonly ofChildren?: boolean
}

/** The query for a scope and arguments. Throws DomainError (badRequest). */
export function queryOf(scope: string | null, args: ProductListArguments, ctx: Context): ListingQuery {
  const { filter, groupVariants, descendants = false } = args
  return {
    scope,
    descendants,
    ...readFilter(filter, ctx),
    acceptLanguage: ctx.shopperHeaders.acceptLanguage,
    order: readOrder(args, ctx),
    groupVariants,
  }
}

function readOrder({ orderBy, filter, ofChildren = false }: ProductListArguments, ctx: Context): ListingOrder {
  const isSearch = filter?.search != null
  if (orderBy == null) return { field: isSearch ? 'RELEVANCE' : 'DEFAULT', direction: 'ASC', currency: '' }
  if (orderBy.field === 'RELEVANCE' && !isSearch)
    throw badRequest('INVALID_VALUE', ['orderBy', 'field'], 'must not be RELEVANCE without filter.search')
  if (orderBy.field === 'OPTIONS' && !ofChildren)
    throw badRequest(
      'INVALID_VALUE',
      ['orderBy', 'field'],
      'must not be OPTIONS: `children` of a product alone have this order',
    )
  const currency = displayCurrency(orderBy, ctx, ['orderBy', 'currency'])
  const { direction } = orderBy
  // The scope of children has their order by options (operations/catalog/catalog-product.ts).
  const field = orderBy.field === 'OPTIONS' ? 'DEFAULT' : orderBy.field
  return { field, direction: direction ?? 'ASC', currency: field === 'PRICE' ? currency : '' }
}
