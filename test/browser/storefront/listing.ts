/** A list of products: of a category, or of what a search finds in the whole shop; filtered, ordered, page by page. */
import { type FragmentOf, readFragment, type VariablesOf } from 'gql.tada'
import { el } from './dom.ts'
import { Filters, filters } from './filters.ts'
import { ask, graphql } from './graph.ts'
import { PriceTag, priceTag } from './price.ts'

const Products = graphql(
  `
  fragment Products on CatalogProductConnection {
    totalCount
    nodes {
      name
      slug
      price {
        ...PriceTag
      }
      priceRange {
        min {
          amount
          formatted
        }
        max {
          amount
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    ...Filters
  }
`,
  [PriceTag, Filters],
)

const Category = graphql(
  `
  query Category($path: [String!]!, $first: Int!, $after: String, $filter: CatalogProductFilter, $orderBy: CatalogProductOrderInput)
  @inContext(currency: "EUR") {
    storefront {
      latestRelease {
        node(by: { path: $path }) {
          name
          description
          products(first: $first, after: $after, filter: $filter, orderBy: $orderBy, groupVariants: true) {
            ...Products
          }
        }
      }
    }
  }
`,
  [Products],
)

const Search = graphql(
  `
  query Search($first: Int!, $after: String, $filter: CatalogProductFilter, $orderBy: CatalogProductOrderInput)
  @inContext(currency: "EUR") {
    storefront {
      latestRelease {
        products(first: $first, after: $after, filter: $filter, orderBy: $orderBy, groupVariants: true) {
          ...Products
        }
      }
    }
  }
`,
  [Products],
)

/** What narrows and orders a list. */
export type Narrowed = Pick<VariablesOf<typeof Search>, 'filter' | 'orderBy'>

/** Where a list is taken from. */
export type Scope = { readonly path: readonly string[] } | { readonly search: string }

const PAGE = 6

interface Page {
  readonly title: string
  readonly description: string | null
  readonly products: FragmentOf<typeof Products>
}

async function load(scope: Scope, { filter, orderBy }: Narrowed, after: string | null): Promise<Page> {
  const variables = { first: PAGE, after, ...(orderBy && { orderBy }) }
  if ('search' in scope) {
    const { storefront } = await ask(Search, { ...variables, filter: { ...filter, search: scope.search } })
    const products = storefront?.latestRelease?.products
    if (!products) throw new Error('The shop is not open.')
    return { title: `“${scope.search}”`, description: null, products }
  }
  const { storefront } = await ask(Category, { ...variables, path: [...scope.path], ...(filter && { filter }) })
  const node = storefront?.latestRelease?.node
  if (!node) throw new Error('There is no such category.')
  return { title: node.name, description: node.description, products: node.products }
}

/** Shows the list in `main`; anew with each change of a filter. */
export async function showListing(main: HTMLElement, scope: Scope, narrowed: Narrowed = {}): Promise<void> {
  const { title, description, products } = await load(scope, narrowed, null)
  const found = readFragment(Products, products)
  const cards = el('ul', { className: 'products' }, ...cardsOf(products))
  const more = el('button', { type: 'button', hidden: !found.pageInfo.hasNextPage }, 'Load more')
  let after = found.pageInfo.endCursor
  more.onclick = async () => {
    const next = await load(scope, narrowed, after)
    const { endCursor, hasNextPage } = readFragment(Products, next.products).pageInfo
    cards.append(...cardsOf(next.products))
    after = endCursor
    more.hidden = !hasNextPage
  }
  main.replaceChildren(
    el('h1', {}, title),
    el('p', { className: 'soft' }, description ?? ''),
    filters(found, narrowed, (changed) => showListing(main, scope, changed)),
    el('p', { className: 'count' }, `${found.totalCount} product${found.totalCount === 1 ? '' : 's'}`),
    cards,
    more,
  )
}

/** A card for each product; of a product whose variants cost different amounts the lowest one. */
function cardsOf(products: FragmentOf<typeof Products>): HTMLElement[] {
  return readFragment(Products, products).nodes.map(({ name, slug, price, priceRange }) => {
    const varies = priceRange !== null && priceRange.min.amount !== priceRange.max.amount
    const shown = varies
      ? el('p', { className: 'price' }, 'from ', el('span', { className: 'amount' }, priceRange.min.formatted))
      : priceTag(price)
    const link = el(
      'a',
      { className: 'product', href: `#/product/${encodeURIComponent(slug)}` },
      el('span', { className: 'name' }, name),
      shown,
    )
    return el('li', {}, link)
  })
}
