/** Examples of hierarchy listings, for the OpenAPI document: requests to the demo store, and its responses. */
import { fileId } from '../../demo/demo-drawings.ts'
import { demoIds } from '../../demo/demo-ids.ts'
import { exampleLinks, type RouteExample } from '../http/example.ts'

const { catalog, hierarchy, priceBook } = demoIds
const instant = '2026-01-15T12:00:00.000Z'
const tiers = { 'case of four': { minimum_quantity: 4 }, 'case of twelve': { minimum_quantity: 12 } }

const display = (amount: number, currency: string, formatted: string) => {
  const price = { amount, currency, formatted }
  return { with_tax: price, without_tax: price }
}

/** The product with its display prices in the currency of the request. */
const product = (display_price: object, original_display_price: object) => ({
  id: 'c0ffee00-0002-4000-8000-000000000001',
  type: 'product',
  attributes: {
    name: 'Ethiopia Yirgacheffe',
    description: 'Jasmine, bergamot and ripe peach from small gardens around Kochere.',
    sku: 'ETH-YIRG',
    slug: 'ethiopia-yirgacheffe',
    status: 'live',
    commodity_type: 'physical',
    tags: ['single origin', 'washed', 'filter'],
    external_ref: 'demo-eth-yirg',
    published_at: instant,
    created_at: instant,
    updated_at: instant,
    base_product: false,
    product_types: ['standard'],
    price: {
      EUR: { amount: 1251, includes_tax: true, tiers },
      GBP: { amount: 1071, includes_tax: true, tiers },
      USD: { amount: 1305, includes_tax: false, tiers },
    },
    extensions: {
      coffee: {
        notes: ['jasmine', 'bergamot', 'peach'],
        roast: 'light',
        region: 'Africa',
        country: 'Ethiopia',
        process: 'washed',
        altitude_m: 2000,
      },
    },
    variation_matrix: {},
    shopper_attributes: { contents: '250 g' },
  },
  relationships: {
    files: { data: [1, 101].map((number) => ({ type: 'file', id: fileId(number), created_at: instant })) },
    main_image: { data: { type: 'main_image', id: fileId(1) } },
  },
  meta: {
    bread_crumbs: {
      'c0ffee00-0008-4000-8000-000000000003': [
        hierarchy,
        'c0ffee00-0008-4000-8000-000000000001',
        'c0ffee00-0008-4000-8000-000000000002',
      ],
    },
    bread_crumb_nodes: ['c0ffee00-0008-4000-8000-000000000003'],
    catalog_id: catalog,
    catalog_source: 'pim',
    pricebook_id: priceBook,
    display_price,
    sale_id: 'Harvest festival',
    sale_expires: '2045-01-01T00:00:00.000Z',
    original_price: {
      EUR: { amount: 1390, includes_tax: true },
      GBP: { amount: 1190, includes_tax: true },
      USD: { amount: 1450, includes_tax: false },
    },
    original_display_price,
    variation_matrix: {},
  },
})

export const getHierarchyProductsExample: RouteExample = {
  path: { catalog_id: catalog, release_id: 'latest', hierarchy_id: hierarchy },
  query: { filter: 'eq(tags,washed)', 'page[limit]': 1 },
  response: {
    meta: { results: { total: 7 }, page: { limit: 1, offset: 0, current: 1, total: 7 } },
    data: [product(display(1305, 'USD', '$13.05'), display(1450, 'USD', '$14.50'))],
    links: exampleLinks(
      `/pcm/catalogs/${catalog}/releases/latest/hierarchies/${hierarchy}/products?filter=eq(tags,washed)`,
      7,
    ),
  },
}

export const getStorefrontHierarchyProductsExample: RouteExample = {
  path: { hierarchy_id: hierarchy },
  query: { 'page[limit]': 1 },
  headers: { 'X-MOLTIN-CURRENCY': 'EUR' },
  response: {
    meta: { results: { total: 20 }, page: { limit: 1, offset: 0, current: 1, total: 20 } },
    data: [product(display(1251, 'EUR', '€12.51'), display(1390, 'EUR', '€13.90'))],
    links: exampleLinks(`/catalog/hierarchies/${hierarchy}/products`, 20),
  },
}
