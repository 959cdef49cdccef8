/**
 * Hierarchy listing routes: the products of a published hierarchy (http.paths-and-aliases, list.latest-update-first).
 */
import type { ListingOrder } from '../../domain/catalog/listing-query.ts'
import { notFound } from '../../domain/input/errors.ts'
import { hierarchyFilterRules, listHierarchyProducts } from '../../operations/catalog/page.ts'
import { storefrontCatalogId } from '../../operations/catalog/storefront.ts'
import type { Context } from '../../request/context.ts'
import { listDocument } from '../http/links.ts'
import type { RestRequest, RestResponse, Route } from '../http/route.ts'
import * as schema from '../http/schema.ts'
import { toCatalogNode } from './catalog-node.ts'
import { toCatalogProduct } from './catalog-product.ts'
import { catalogItem } from './catalog-schema.ts'
import { getHierarchyProductsExample, getStorefrontHierarchyProductsExample } from './hierarchy-product-examples.ts'

const release = '/catalogs/{catalog_id}/releases/{release_id}/hierarchies/{hierarchy_id}'

const sortFields = { name: 'NAME', price: 'PRICE', updated_at: 'UPDATED_AT', created_at: 'CREATED_AT' } as const
const sorts = Object.keys(sortFields).flatMap((name) => [name, `-${name}`])

const listing = {
  method: 'GET',
  right: 'anyone',
  query: { page: true, filter: hierarchyFilterRules, sort: sorts },
} as const
const document = {
  tag: 'Catalogs',
  description:
    'Live products of a published release with prices at this moment; `in(id, ...)` also returns nodes of the hierarchy.',
  status: 200,
  response: schema.listOf(catalogItem),
} as const

/** The routes by catalog and release, and the storefront's route, for which the catalog rules choose the catalog. */
export const hierarchyProductRoutes: readonly Route[] = [
  {
    ...listing,
    paths: [
      `/pcm${release}/products`,
      `/pcm${release}/relationships/products`,
      `${release}/products`,
      `${release}/relationships/products`,
    ],
    words: { release_id: ['latest', 'latestPublished'] },
    document: {
      ...document,
      isCacheable: true,
      id: 'getHierarchyProducts',
      summary: "Get a hierarchy's products",
      example: getHierarchyProductsExample,
    },
    handle: (request: RestRequest) => {
      const named = request.id('release_id')
      return listProducts(request, request.id('catalog_id'), named === 'latestPublished' ? 'latest' : named)
    },
  },
  {
    ...listing,
    paths: [
      '/catalog/hierarchies/{hierarchy_id}/products',
      '/catalog/hierarchies/{hierarchy_id}/relationships/products',
    ],
    document: {
      ...document,
      isCacheable: true,
      id: 'getStorefrontHierarchyProducts',
      summary: "Get a hierarchy's products from the catalog that the rules choose for the shopper",
      example: getStorefrontHierarchyProductsExample,
    },
    async handle(request: RestRequest) {
      const catalogId = await storefrontCatalogId(request.ctx, {})
      if (catalogId === null) throw notFound(['catalogId'], 'No catalog is published')
      return listProducts(request, catalogId, 'latest')
    },
  },
]

async function listProducts(request: RestRequest, catalogId: string, releaseId: string): Promise<RestResponse> {
  const { ctx, id, filter, page, sort } = request
  const input = {
    catalogId,
    releaseId,
    hierarchyId: id('hierarchy_id'),
    clauses: filter,
    page,
    ...(sort && { order: orderOf(sort, ctx) }),
  }
  const { items, total } = await listHierarchyProducts(ctx, input)
  const data: object[] = []
  for (const item of items) {
    data.push(item.kind === 'node' ? toCatalogNode(item, ctx) : toCatalogProduct(item, ctx))
    // A page of large bundles takes many milliseconds.
    if (ctx.work.isHeavy) await ctx.work.yieldPoint()
  }
  return { status: 200, body: listDocument(request, total, data) }
}

function orderOf(sort: string, { shopperHeaders, config }: Context): ListingOrder {
  const name = sort.replace(/^-/, '') as keyof typeof sortFields
  const currency = shopperHeaders.currency ?? config.defaultCurrency
  return { field: sortFields[name], direction: sort.startsWith('-') ? 'DESC' : 'ASC', currency }
}
