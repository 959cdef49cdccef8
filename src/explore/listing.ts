/** The list of a catalog view: its document, and its variables from the address. */
import type { VariablesOf } from 'gql.tada'
import { type Address, useAddress } from './address.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { Paid } from './parts.tsx'

/** Products on a page. */
export const PAGE = 24
/** The graph skips so many products at most without a cursor. */
const OFFSET_MAX = 10_000
/** The last page that can be shown. */
export const PAGE_MAX = Math.floor(OFFSET_MAX / PAGE) + 1

export const Products = graphql(
  `
  fragment Products on CatalogProductConnection {
    totalCount
    nodes {
      id
      name
      language
      slug
      sku
      price(quantity: $quantity) { ...Paid }
      priceRange { min { amount formatted } max { amount formatted } }
    }
    facets(keys: [{ tags: true }, { productTypes: true }, { onSale: true }]) {
      key
      values { value label count selected }
    }
    priceRange { min { formatted } max { formatted } }
  }
`,
  [Paid],
)

/** The page of a product list, with its facets and price range. */
export const Listing = graphql(
  `
  query Listing(
    $path: [String!]!
    $isTop: Boolean!
    $first: Int!
    $offset: Int!
    $filter: CatalogProductFilter
    $orderBy: CatalogProductOrderInput
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      name
      latestRelease {
        products(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy, groupVariants: true) @include(if: $isTop) {
          ...Products
        }
        node(by: { path: $path }) @skip(if: $isTop) {
          name
          language
          description
          ... on CatalogNode {
            ancestors { name language slug }
          }
          slug
          products(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy, groupVariants: true) { ...Products }
        }
      }
    }
  }
`,
  [Products],
)

type Variables = VariablesOf<typeof Listing>

/** The orders by their names in the address. */
export const orders: Readonly<Record<string, { readonly label: string; readonly orderBy: Variables['orderBy'] }>> = {
  '': { label: 'Recommended', orderBy: undefined },
  price: { label: 'Price, lowest first', orderBy: { field: 'PRICE', direction: 'ASC' } },
  '-price': { label: 'Price, highest first', orderBy: { field: 'PRICE', direction: 'DESC' } },
  name: { label: 'Name', orderBy: { field: 'NAME', direction: 'ASC' } },
  '-updated': { label: 'Changed last', orderBy: { field: 'UPDATED_AT', direction: 'DESC' } },
}

type ProductType = 'BUNDLE' | 'CHILD' | 'PARENT' | 'STANDARD'

/** An amount as it is typed in minor units, such as 1250 for `12.5` dollars. */
function minorUnits(text: string | undefined, currency = 'USD'): number | null {
  if (!text) return null
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return Math.round(Number(text) * 10 ** maximumFractionDigits)
}

function filterOf({ q, tags, types, sale, min, max, currency }: Address): NonNullable<Variables['filter']> {
  const [lowest, highest] = [minorUnits(min, currency), minorUnits(max, currency)]
  return {
    ...(q && { search: q }),
    ...(tags && { tags: { in: tags.split(',') } }),
    ...(types && { productTypes: { in: types.split(',') as ProductType[] } }),
    ...(sale && { onSale: true }),
    ...((lowest !== null || highest !== null) && { price: { min: lowest, max: highest } }),
  }
}

/** Whether no price is in the range of the address. */
export const isCrossed = ({ min, max }: Address): boolean => min !== undefined && max !== undefined && Number(min) > Number(max)

/** The variables of the list that the address names. */
export function useListingVariables(): Variables {
  const { address } = useAddress()
  const path = address.path?.split('/') ?? []
  const { orderBy } = orders[address.order ?? ''] ?? {}
  return {
    path,
    isTop: path.length === 0,
    first: PAGE,
    offset: (Math.min(Number(address.page ?? 1), PAGE_MAX) - 1) * PAGE,
    filter: filterOf(address),
    ...(orderBy && { orderBy }),
    quantity: useQuantity(),
    ...useShopper(),
  }
}
