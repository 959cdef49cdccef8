/** Soak store: a store beside the demo store with many more pages than a server caches, in the import format. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shortLived } from '../support/start-command.ts'
import { startProgram, type Workspace } from './program.ts'

const made = (kind: number, number: number): string =>
  `50a${kind}0000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const storeId = made(0, 1)
export const storeBookId = made(1, 1)
export const hierarchyIdOf = (hierarchy: number): string => made(2, hierarchy)
const PRODUCTS_PER_NODE = 50
const NODES_PER_HIERARCHY = 4
export const PRODUCTS_PER_HIERARCHY = PRODUCTS_PER_NODE * NODES_PER_HIERARCHY
const AMOUNT = 1_000
const skuOf = (product: number): string => `STORE-${product}`

/** The files of `before` and the hierarchies of `linesOf`, imported into the database of a workspace by one start. */
export async function importStore(
  workspace: Workspace,
  hierarchies: number,
  before: readonly string[] = [],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-soak-store-'))
  const file = join(folder, 'store.jsonl')
  writeFileSync(file, [...linesOf(hierarchies)].join(''))
  const imported = startProgram('import/main', [...before, file], workspace, {}, shortLived)
  if ((await imported.exit) !== 0) throw new Error(imported.printed())
  rmSync(folder, { recursive: true })
}

/**
 * Lines of an import: a book, products with a price in three currencies and a sale that runs, hierarchies, a catalog,
 * its release.
 */
function* linesOf(hierarchies: number): Generator<string> {
  const line = (type: string, id: string | null, attributes: object, further: object = {}): string =>
    `${JSON.stringify({ data: { type, ...(id && { id }), ...further, attributes } })}\n`
  const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index)
  const all = numbers(0, hierarchies)
  yield line('pricebook', storeBookId, { name: 'Store' })
  const products = numbers(0, hierarchies * PRODUCTS_PER_HIERARCHY)
  for (const number of products) {
    yield line('product', made(3, number), {
      name: `Product ${number}`,
      description: `A fine product, number ${number}, made with care for those who asked for it.`,
      sku: skuOf(number),
      slug: `store-${number}`,
      status: 'live',
      commodity_type: 'physical',
      tags: [`tag ${number % 100}`],
      locales: { de: { name: `Produkt ${number}` } },
    })
  }
  for (const number of products) {
    const amounts = (less: number) =>
      Object.fromEntries(
        ['USD', 'EUR', 'GBP'].map((currency, index) => [
          currency,
          { amount: AMOUNT + number - index - less, includes_tax: index > 0 },
        ]),
      )
    const sales = {
      season: {
        schedule: { valid_from: '2026-01-01T00:00:00Z', valid_to: '2099-01-01T00:00:00Z' },
        currencies: amounts(500),
      },
    }
    yield line(
      'product-price',
      null,
      { sku: skuOf(number), currencies: amounts(0), sales },
      { pricebook_id: storeBookId },
    )
  }
  for (const hierarchy of all) {
    yield line('hierarchy', hierarchyIdOf(hierarchy), { name: `Hierarchy ${hierarchy}` })
    for (const node of numbers(hierarchy * NODES_PER_HIERARCHY, NODES_PER_HIERARCHY)) {
      const held = numbers(node * PRODUCTS_PER_NODE, PRODUCTS_PER_NODE).map((number) => ({
        type: 'product',
        id: made(3, number),
      }))
      const relationships = {
        parent: { data: { type: 'hierarchy', id: hierarchyIdOf(hierarchy) } },
        products: { data: held },
      }
      yield line('node', made(4, node), { name: `Node ${node}` }, { relationships })
    }
  }
  const hierarchy_ids = all.map(hierarchyIdOf)
  yield line('catalog', storeId, { name: 'Store', hierarchy_ids, pricebook_ids: [{ id: storeBookId, priority: 1 }] })
  yield line('catalog-release', null, { catalog_id: storeId })
}
