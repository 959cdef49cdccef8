import { beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

const query = `query ($sku: String!, $selection: [ComponentSelectionInput!]) {
  storefront { release(id: "latest") { product(by: { sku: $sku }) {
    id
    bundleConfiguration(selection: $selection) { price { amount { amount } } selectedOptions { component options { productKey quantity } } }
  } } }
}`

const byId = `query ($id: ID!, $selection: [ComponentSelectionInput!]!) {
  configureBundle(id: $id, selection: $selection) { price { amount { amount } } selectedOptions { component options { productKey quantity } } }
}`

describe('CatalogProduct.bundleConfiguration on the demo store', () => {
  const server = useServer(useDatabase())
  beforeAll(async () => {
    await loadDemo(server.services)
  })
  const ask = async (sku: string, selection?: unknown) => {
    const { data, errors } = await server.gql(
      query,
      { sku, ...(selection !== undefined && { selection }) },
      { token: server.shopper },
    )
    return { product: data.storefront.release.product, errors }
  }
  const cups = (productId: string) => [{ component: 'cups', options: [{ productId, quantity: 4 }] }]
  const chosen = (productKey: string) => [{ component: 'cups', options: [{ productKey, quantity: 4 }] }]
  const stoneware = 'c0ffee00-0002-4000-8000-000000000036'
  const espresso = 'c0ffee00-0002-4000-8000-000000000037'

  test('bundle.default-selection: bundleConfiguration is the default choice without a selection, and with null', async () => {
    for (const selection of [undefined, null]) {
      const { product } = await ask('SET-CUPS', selection)
      expect(product.bundleConfiguration.selectedOptions).toEqual(chosen(stoneware))
    }
  })

  test('bundleConfiguration returns the same as configureBundle for a selection', async () => {
    const { product, errors } = await ask('SET-CUPS', cups(espresso))
    expect(errors).toBeUndefined()
    expect(product.bundleConfiguration.selectedOptions).toEqual(chosen(espresso))
    const { data } = await server.gql(byId, { id: product.id, selection: cups(espresso) }, { token: server.shopper })
    expect(product.bundleConfiguration).toEqual(data.configureBundle)
  })

  test('bundleConfiguration names every component, also those that a valid choice leaves out', async () => {
    const option = (productId: string) => [{ productId: `c0ffee00-0002-4000-8000-0000000000${productId}` }]
    const selection = Object.entries({ coffee: '01', dripper: '24', filters: '33' }).map(([component, id]) => {
      return { component, options: option(id) }
    })
    const { price, selectedOptions } = (await ask('SET-POUR', selection)).product.bundleConfiguration
    expect(price).not.toBeNull()
    const counts = selectedOptions.map((one: { component: string; options: unknown[] }) => [
      one.component,
      one.options.length,
    ])
    expect(Object.fromEntries(counts)).toEqual({ carafe: 0, coffee: 1, dripper: 1, filters: 1, grinder: 0 })
  })

  test('configureBundle asks for a global id of the product, and says so', async () => {
    for (const id of ['x', stoneware]) {
      const { errors } = await server.gql(byId, { id, selection: [] }, { token: server.shopper })
      expect(errors[0].message).toBe('id: must be the global id of a CatalogProduct')
    }
  })

  test('bundleConfiguration has no price for a selection that is not finished, and is null for a product that is no bundle', async () => {
    const { product, errors } = await ask('SET-CUPS', [])
    expect(errors).toBeUndefined()
    expect(product.bundleConfiguration).toEqual({ price: null, selectedOptions: [{ component: 'cups', options: [] }] })
    const plain = await ask('ACC-CUP', cups(espresso))
    expect([plain.errors, plain.product.bundleConfiguration]).toEqual([undefined, null])
  })
})
