/** Connections of published products that are related to one product: its children, and its bundles. */
import type { ListRequest } from '../../domain/catalog/listing-scope.ts'
import type { ChildListOrder } from '../../domain/catalog/option-order.ts'
import { catalogProduct, listChildren } from '../../operations/catalog/catalog-product.ts'
import type { Listing } from '../../operations/catalog/listing.ts'
import type { CatalogProduct } from '../../operations/catalog/page.ts'
import type { Context } from '../../request/context.ts'
import { connection, type Page } from '../schema/connection.ts'
import type { PublishedProduct } from './catalog-refs.ts'
import { type ListFieldArguments, ProductSelection, type QueriedList } from './product-connection.ts'
import { queryOf } from './product-list.ts'

type RelatedArguments = Omit<ListFieldArguments, 'groupVariants'>
type RelatedList = (related: CatalogProduct & ListRequest) => Promise<Listing>

/**
 * The connection of a field with relatedListArgs: products related to one product, such as its bundles. `name` says
 * which relation.
 */
export function relatedProducts(
  args: RelatedArguments,
  ctx: Context,
  name: string,
  product: PublishedProduct,
  list: RelatedList,
): Page<PublishedProduct> {
  return connection(args, new ProductSelection(args, ctx, relatedList(args, ctx, name, product, list), () => product))
}

/** The connection of the children of a product, a field with childListArgs (variation.children-by-options). */
export function childrenOfProduct(args: RelatedArguments, ctx: Context, product: PublishedProduct) {
  const listed = (name: string, order: ChildListOrder) =>
    relatedList({ ...args, ofChildren: true }, ctx, name, product, (related) =>
      listChildren(ctx, { ...related, order }),
    )
  // The names are those of the lists in cursors. Cursors of earlier versions have no OPTIONS.
  const former = args.orderBy?.field === 'OPTIONS' ? null : listed('children', 'OLDEST_FIRST')
  const present = listed('children by options', 'OPTIONS')
  return connection(args, new ProductSelection(args, ctx, present, () => product, former))
}

function relatedList(
  args: RelatedArguments,
  ctx: Context,
  name: string,
  { release, document }: PublishedProduct,
  list: RelatedList,
): QueriedList {
  const { id } = document.product
  return {
    query: queryOf(`${name} of ${id}`, { ...args, groupVariants: false }, ctx),
    list: async (request) => {
      const isSame = request.release.id === release.id
      const inWalk = isSame ? null : await catalogProduct(ctx, { release: request.release, by: 'id', value: id })
      return list({ ...request, document: inWalk ?? document })
    },
  }
}
