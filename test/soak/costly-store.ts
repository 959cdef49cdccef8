/** Costly store: pages at the limits, with deep trees, bundles of many options, and a product in very many nodes. */
import { NODES_OF_PRODUCT_MAX } from '../../src/domain/input/limits.ts'

const made = (kind: number, number: number): string =>
  `c05a${kind}000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const costlyCatalogId = made(0, 1)
export const treeId = made(2, 0)
export const everywhereId = made(2, 1)
export const bookId = made(1, 1)
/** An offering of one plan that may be paused and resumed. */
export const [offeringId, planId] = [made(8, 1), made(8, 2)]
const COMPONENTS = 5
const OPTIONS = 40

export interface CostlySize {
  readonly products: number
  readonly bundles: number
  /** Nodes of the first level of the tree; `leaves` are those below each of them. */
  readonly branches: number
  readonly leaves: number
}
/** The node to which all bundles are attached. */
export const bundlesNodeId = made(4, 0)
const productId = (product: number): string => made(3, product)
/** The product that is attached to the maximum number of nodes. */
export const everywhereProductId = made(5, 0)

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The lines of an import of the store. */
export function* costlyLines({ products, bundles, branches, leaves }: CostlySize): Generator<string> {
  const line = (type: string, id: string | null, attributes: object, further: object = {}): string =>
    `${JSON.stringify({ data: { type, ...(id && { id }), ...further, attributes } })}\n`
  const live = { status: 'live', commodity_type: 'physical' }
  yield line('pricebook', bookId, { name: 'Costly' })
  const terms = {
    billing_interval_type: 'month',
    billing_frequency: 1,
    plan_length: 12,
    end_behavior: 'roll',
    trial_period: 0,
  }
  yield line('subscription_product', made(8, 3), {
    name: 'Club',
    price: { USD: { amount: 2_600, includes_tax: false } },
  })
  yield line('subscription_plan', planId, {
    name: 'Monthly',
    ...terms,
    can_pause: true,
    can_resume: true,
    can_cancel: true,
  })
  const held = (type: string, id: string) => ({ data: [{ type, id }] })
  const relationships = { products: held('subscription_product', made(8, 3)), plans: held('subscription_plan', planId) }
  yield line('subscription_offering', offeringId, { name: 'Club' }, { relationships })
  for (const number of numbers(products)) {
    const description = `A product, number ${number}, as a storefront shows it on a page of its own, with a sentence or two that say what it is good for.`
    yield line('product', productId(number), {
      ...live,
      name: `Product ${number}`,
      description,
      sku: `COSTLY-${number}`,
      tags: [`tag ${number % 100}`],
    })
  }
  for (const number of numbers(bundles)) {
    const component = (of: number) => ({
      name: `Component ${of}`,
      min: 0,
      options: numbers(OPTIONS).map((option) => ({
        id: productId((number + of * OPTIONS + option) % products),
        quantity: 1,
        default: true,
      })),
    })
    const components = Object.fromEntries(numbers(COMPONENTS).map((of) => [`part${of}`, component(of)]))
    yield line('product', made(5, number + 1), { ...live, name: `Bundle ${number}`, components })
  }
  yield line('product', everywhereProductId, { ...live, name: 'Everywhere', sku: 'COSTLY-EVERYWHERE' })
  for (const number of [...numbers(products), 'EVERYWHERE']) {
    const amounts = (less: number) =>
      Object.fromEntries(['USD', 'EUR', 'GBP'].map((currency) => [currency, { amount: 10_000 - less }]))
    const schedule = { valid_from: '2026-01-01T00:00:00Z', valid_to: '2099-01-01T00:00:00Z' }
    const sales = { season: { schedule, currencies: amounts(500) } }
    yield line(
      'product-price',
      null,
      { sku: `COSTLY-${number}`, currencies: amounts(0), sales },
      { pricebook_id: bookId },
    )
  }
  const node = (id: string, name: string, parent: object, held: readonly string[]): string =>
    line(
      'node',
      id,
      { name },
      {
        relationships: {
          parent: { data: parent },
          products: { data: held.map((one) => ({ type: 'product', id: one })) },
        },
      },
    )
  yield line('hierarchy', treeId, { name: 'Tree' })
  const perLeaf = Math.floor(products / (branches * leaves))
  for (const branch of numbers(branches)) {
    yield node(
      made(4, branch),
      `Branch ${branch}`,
      { type: 'hierarchy', id: treeId },
      branch === 0 ? numbers(bundles).map((number) => made(5, number + 1)) : [],
    )
    for (const leaf of numbers(leaves)) {
      const leafNumber = branch * leaves + leaf
      const productIds = numbers(perLeaf).map((number) => productId(leafNumber * perLeaf + number))
      yield node(made(6, leafNumber), `Leaf ${leafNumber}`, { type: 'node', id: made(4, branch) }, productIds)
    }
  }
  yield line('hierarchy', everywhereId, { name: 'Everywhere' })
  for (const nodeNumber of numbers(NODES_OF_PRODUCT_MAX)) {
    const productIds = [
      everywhereProductId,
      ...numbers(9).map((number) => productId((nodeNumber * 9 + number) % products)),
    ]
    yield node(made(7, nodeNumber), `Place ${nodeNumber}`, { type: 'hierarchy', id: everywhereId }, productIds)
  }
  const hierarchy_ids = [treeId, everywhereId]
  yield line('catalog', costlyCatalogId, {
    name: 'Costly',
    hierarchy_ids,
    pricebook_ids: [{ id: bookId, priority: 1 }],
  })
  yield line('catalog-release', null, { catalog_id: costlyCatalogId })
}
