/** Examples of product prices, for the OpenAPI document: requests to the demo store, and its responses. */
import { demoIds } from '../../demo/demo-ids.ts'
import { exampleLinks, type RouteExample } from '../http/example.ts'

const { priceBook } = demoIds
const id = 'c0ffee00-0006-4000-8000-000000000001'
const newId = '019bc1a4-3400-7000-8000-5f2c9d1e7a30'
const instant = '2026-01-15T12:00:00.000Z'
const listPath = `/pcm/pricebooks/${priceBook}/prices`

const currencyPrice = (amount: number, includes_tax: boolean, ofFour: number, ofTwelve: number) => ({
  tiers: {
    'case of four': { amount: ofFour, minimum_quantity: 4 },
    'case of twelve': { amount: ofTwelve, minimum_quantity: 12 },
  },
  amount,
  includes_tax,
})

const sale = (from: string, to: string, eur: number, gbp: number, usd: number) => ({
  schedule: { valid_from: `${from}T00:00:00.000Z`, valid_to: `${to}T00:00:00.000Z` },
  currencies: {
    EUR: { amount: eur, includes_tax: true },
    GBP: { amount: gbp, includes_tax: true },
    USD: { amount: usd, includes_tax: false },
  },
})

const price = {
  id,
  type: 'product-price',
  pricebook_external_ref: 'retail',
  attributes: {
    sku: 'ETH-YIRG',
    currencies: {
      EUR: currencyPrice(1390, true, 1223, 1140),
      GBP: currencyPrice(1190, true, 1047, 976),
      USD: currencyPrice(1450, false, 1276, 1189),
    },
    sales: {
      'Anniversary 2045': sale('2045-01-01', '2046-01-01', 1237, 1059, 1290),
      'Harvest festival': sale('2025-01-01', '2045-01-01', 1251, 1071, 1305),
      'Summer 2023': sale('2023-06-01', '2023-09-01', 1279, 1095, 1334),
    },
    external_ref: 'demo-eth-yirg',
    admin_attributes: { buyer: 'Amina', cost_centre: 'roastery' },
    shopper_attributes: { contents: '250 g' },
    created_at: instant,
    updated_at: instant,
  },
  meta: { owner: 'store', pricebook_id: priceBook },
  links: { self: `${listPath}/${id}` },
}

const added = {
  sku: 'TEA-1',
  currencies: { USD: { amount: 1250, includes_tax: false, tiers: { case: { minimum_quantity: 6, amount: 1100 } } } },
}
const self = `${listPath}/${newId}`

export const addProductPriceExample: RouteExample = {
  path: { pricebook_id: priceBook },
  body: {
    data: {
      type: 'product-price',
      attributes: {
        sku: 'TEA-1',
        currencies: { USD: { amount: 1250, tiers: { case: { minimum_quantity: 6, amount: 1100 } } } },
      },
    },
  },
  response: {
    data: {
      id: newId,
      type: 'product-price',
      pricebook_external_ref: 'retail',
      attributes: { ...added, external_ref: null, created_at: instant, updated_at: instant },
      meta: { owner: 'store', pricebook_id: priceBook },
      links: { self },
    },
    links: { self },
  },
}

export const listProductPricesExample: RouteExample = {
  path: { pricebook_id: priceBook },
  query: { filter: 'in(sku,ETH-YIRG,ETH-GUJI)', 'page[limit]': 1 },
  response: {
    meta: { results: { total: 2 }, page: { limit: 1, offset: 0, current: 1, total: 2 } },
    data: [price],
    links: exampleLinks(`${listPath}?filter=in(sku,ETH-YIRG,ETH-GUJI)`, 2),
  },
}

export const getProductPriceExample: RouteExample = {
  path: { pricebook_id: priceBook, price_id: id },
  response: { data: price, links: price.links },
}
