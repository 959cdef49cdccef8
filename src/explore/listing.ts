/** The list of a catalog view: its document, and its variables from the address. */
import type { ResultOf, VariablesOf } from 'gql.tada'
import { type Address, useAddress } from './address.tsx'
import { graphql, type Result, useGraph, useQuantity, useShopper } from './graph.ts'
import { Paid } from './parts.tsx'

/** Products on a page. */
export const PAGE = 24
/** Characters of a search. */
export const SEARCH_MAX = 200
/** The most products that the graph skips without a cursor. */
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
      mainImage { url }
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

/** The decimals of the currency as the graph counts them. A browser counts others for some currencies. */
const Unit = graphql(`
  query Unit($currency: CurrencyCode, $locale: String, $channel: String, $tags: [String!], $at: DateTime)
  @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        products(first: 1) {
          priceRange { min { fractionDigits } }
        }
      }
    }
  }
`)

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

/** A typed amount in minor units, such as 1250 for `12.5` dollars. */
const minorUnits = (text: string | undefined, digits: number): number | null =>
  text ? Math.round(Number(text) * 10 ** digits) : null

function filterOf({ q, tags, types, sale, min, max }: Address, digits: number): NonNullable<Variables['filter']> {
  const [lowest, highest] = [minorUnits(min, digits), minorUnits(max, digits)]
  return {
    ...(q && { search: q }),
    ...(tags && { tags: { in: tags.split(',') } }),
    ...(types && { productTypes: { in: types.split(',') as ProductType[] } }),
    ...(sale && { onSale: true }),
    ...((lowest !== null || highest !== null) && { price: { min: lowest, max: highest } }),
  }
}

/** Why the list that the address names must be empty, or the graph would refuse it; null when neither is so. */
function refusalOf({ q = '', min, max }: Address): string | null {
  if (min !== undefined && max !== undefined && Number(min) > Number(max))
    return 'The highest price is below the lowest.'
  if ([...q].length > SEARCH_MAX) return `A search has at most ${SEARCH_MAX} characters.`
  return q && !/[\p{L}\p{M}\p{N}]/u.test(q) ? 'A search has a letter or a digit at least.' : null
}

interface List {
  readonly variables: Variables
  readonly result: Result<ResultOf<typeof Listing>>
  /** Why the list is not requested. */
  readonly refusal: string | null
}

/** The list that the address names. */
export function useListing(): List {
  const { address } = useAddress()
  const shopper = useShopper()
  const quantity = useQuantity()
  const refusal = refusalOf(address)
  // A typed price can be turned into minor units once the graph has told the decimals.
  const isPriced = address.min !== undefined || address.max !== undefined
  const unit = useGraph(Unit, shopper, !isPriced || refusal !== null)
  const isWaiting = isPriced && (unit.fetching || !unit.data)
  const { fractionDigits = 2 } = unit.data?.storefront?.latestRelease?.products.priceRange?.min ?? {}
  const path = address.path?.split('/') ?? []
  const { orderBy } = orders[address.order ?? ''] ?? {}
  const variables = {
    path,
    isTop: path.length === 0,
    first: PAGE,
    offset: (Math.min(Number(address.page ?? 1), PAGE_MAX) - 1) * PAGE,
    filter: filterOf(address, fractionDigits),
    ...(orderBy && { orderBy }),
    quantity,
    ...shopper,
  }
  const result = useGraph(Listing, variables, isWaiting || refusal !== null)
  return {
    variables,
    refusal,
    result:
      isPriced && unit.error ? { ...unit, data: undefined } : { ...result, fetching: result.fetching || isWaiting },
  }
}
