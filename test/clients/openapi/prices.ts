import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

type ProductPrice = components['schemas']['ProductPrice']
type NewProductPrice = components['schemas']['NewProductPrice']

/** A client of the REST facade. */
export const connect = (baseUrl: string, token: string): Client<paths> =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })

/** The prices that a book has for some SKUs. */
export async function listPrices(client: Client<paths>, pricebook_id: string, skus: string[]): Promise<ProductPrice[]> {
  const query = { filter: `in(sku,${skus.join(',')})`, 'page[limit]': 100 }
  const { data, error } = await client.GET('/pcm/pricebooks/{pricebook_id}/prices', {
    params: { path: { pricebook_id }, query },
  })
  if (error) throw new Error(error.errors[0]?.detail)
  return data.data
}

/** Adds a price to a book; returns it, or what is wrong with it. */
export async function addPrice(
  client: Client<paths>,
  pricebook_id: string,
  price: NewProductPrice,
): Promise<ProductPrice | string[]> {
  const { data, error, response } = await client.POST('/pcm/pricebooks/{pricebook_id}/prices', {
    params: { path: { pricebook_id } },
    body: { data: price },
  })
  return error
    ? error.errors.map(({ title, code, detail }) => `${response.status} ${title}: ${code}, ${detail}`)
    : data.data
}

/** A price in dollars, in cents. */
export const priceOf = (sku: string, amount: number): NewProductPrice => ({
  type: 'product-price',
  attributes: { sku, currencies: { USD: { amount } } },
})
