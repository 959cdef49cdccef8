/** The graph of this server, asked as a storefront would. */
import type { AgreedAmount, AgreedItem } from '../agreed.ts'
import type { Contender } from '../contenders.ts'
import { catalogId, hierarchyId } from '../data.ts'
import { PAGE_LENGTH } from '../pages.ts'
import { shopperHeaders, startOurs } from './our-server.ts'

const query = `query Page($catalog: ID!, $hierarchy: ID!, $first: Int!, $offset: Int!) {
  catalog(id: $catalog) {
    release(id: "latest") {
      hierarchy(id: $hierarchy) {
        products(first: $first, offset: $offset) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes {
            key name sku slug
            price { amount { amount currency formatted } originalAmount { amount currency formatted } sale { name validTo } }
            prices { amount { amount currency } includesTax list { amount { amount } includesTax } }
            breadCrumbs { node { key } ancestors { key } }
            parentKey childKeys mainImage { key } files { key }
          }
        }
      }
    }
  }
}`

interface Money {
  readonly amount: number
  readonly currency: string
}

interface GraphItem {
  readonly key: string
  readonly name: string
  readonly sku: string
  readonly slug: string
  readonly price: { readonly amount: Money; readonly sale: { readonly name: string; readonly validTo: string } }
  readonly prices: readonly { amount: Money; includesTax: boolean; list: { amount: Money; includesTax: boolean } }[]
  readonly breadCrumbs: readonly {
    readonly node: { readonly key: string }
    readonly ancestors: readonly { readonly key: string }[]
  }[]
  readonly parentKey: string | null
  readonly childKeys: readonly string[]
  readonly mainImage: { readonly key: string }
  readonly files: readonly { readonly key: string }[]
}

export const ourGraphql: Contender = {
  name: 'ours, GraphQL',
  start: startOurs,
  request: ({ hierarchy, offset, currency, language }) => {
    const variables = { catalog: catalogId, hierarchy: hierarchyId(hierarchy), first: PAGE_LENGTH, offset }
    return {
      method: 'POST',
      path: '/graphql',
      headers: { ...shopperHeaders(currency, language), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }
  },
  read: (answer) => {
    const { totalCount, nodes } = (answer as Answer).data.catalog.release.hierarchy.products
    return { total: totalCount, items: nodes.map(readItem) }
  },
}

interface Answer {
  readonly data: {
    catalog: { release: { hierarchy: { products: { totalCount: number; nodes: GraphItem[] } } } }
  }
}

function readItem({
  key,
  name,
  sku,
  slug,
  price,
  prices,
  breadCrumbs,
  parentKey,
  childKeys,
  mainImage,
  files,
}: GraphItem): AgreedItem {
  const byCurrency = (
    pick: (one: GraphItem['prices'][number]) => { amount: Money; includesTax: boolean },
  ): Record<string, AgreedAmount> =>
    Object.fromEntries(
      prices.map((one) => [one.amount.currency, { amount: pick(one).amount.amount, tax: pick(one).includesTax }]),
    )
  return {
    id: key,
    name,
    sku,
    slug,
    price: byCurrency((one) => one),
    original: byCurrency((one) => one.list),
    display: price.amount.amount,
    sale: price.sale.name,
    saleExpires: Date.parse(price.sale.validTo),
    breadcrumbs: Object.fromEntries(
      breadCrumbs.map(({ node, ancestors }) => [node.key, ancestors.map((one) => one.key)]),
    ),
    parent: parentKey,
    children: childKeys,
    mainImage: mainImage.key,
    files: files.map(({ key }) => key),
  }
}
