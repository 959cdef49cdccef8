/** Examples of product prices, for the OpenAPI document: requests to the demo store, and its responses. */
import { demoIds } from '../../demo/demo-ids.ts'
import { exampleLinks, type RouteExample } from '../http/example.ts'

const { priceBook } = demoIds
const id = 'c0ffee00-0006-4000-8000-000000000001'
const newId = '019bc1a4-3400-7000-8000-5f2c9d1e7a30'
const instant = '2026-01-15T12:00:00.000Z'
const listPath = `/pcm/pricebooks/${priceBook}/prices`

const price = {
  id: id,
  type: 'product-price',
  pricebook_external_ref: 'retail',
  attributes: {
    sku: 'ETH-YIRG',
    currencies: {
      EUR: {
        tiers: { 'case of four': { amount: 1223, minimum_quantity: 4 }, 'case of twelve': { amount: 1140, minimum_quantity: 12 } },
        amount: 1390,
        includes_tax: true,
      },
      GBP: {
        tiers: { 'case of four': { amount: 1047, minimum_quantity: 4 }, 'case of twelve': { amount: 976, minimum_quantity: 12 } },
        amount: 1190,
        includes_tax: true,
      },
      USD: {
        tiers: { 'case of four': { amount: 1276, minimum_quantity: 4 }, 'case of twelve': { amount: 1189, minimum_quantity: 12 } },
        amount: 1450,
        includes_tax: false,
      },
    },
    sales: {
      'Anniversary 2045': {
        schedule: { valid_from: '2045-01-01T00:00:00.000Z', valid_to: '2046-01-01T00:00:00.000Z' },
        currencies: {
          EUR: { amount: 1237, includes_tax: true },
          GBP: { amount: 1059, includes_tax: true },
          USD: { amount: 1290, includes_tax: false },
        },
      },
      'Harvest festival': {
        schedule: { valid_from: '2025-01-01T00:00:00.000Z', valid_to: '2045-01-01T00:00:00.000Z' },
        currencies: {
          EUR: { amount: 1251, includes_tax: true },
          GBP: { amount: 1071, includes_tax: true },
          USD: { amount: 1305, includes_tax: false },
        },
      },
      'Summer 2023': {
        schedule: { valid_from: '2023-06-01T00:00:00.000Z', valid_to: '2023-09-01T00:00:00.000Z' },
        currencies: {
          EUR: { amount: 1279, includes_tax: true },
          GBP: { amount: 1095, includes_tax: true },
          USD: { amount: 1334, includes_tax: false },
        },
      },
    },
    external_ref: 'demo-eth-yirg',
    admin_attributes: { buyer: 'Amina', cost_centre: 'roastery' },
    shopper_attributes: { price_per_100g: 'USD 5.80' },
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
      attributes: { sku: 'TEA-1', currencies: { USD: { amount: 1250, tiers: { case: { minimum_quantity: 6, amount: 1100 } } } } },
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
