/** The objects of one product of Shopify's CSV: itself, its variants as children where it has options, their prices. */
import type { Violation } from '../../domain/input/errors.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { converted, unreadable } from './converted.ts'
import { WrongCell } from './shopify-cells.ts'
import { shopifyId } from './shopify-id.ts'
import { type PriceOptions, priceOf } from './shopify-price.ts'
import { ShopifyProduct } from './shopify-product.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** What the objects of products depend on. */
export interface ProductOptions extends PriceOptions {
  /** The places of SKUs so far. */
  readonly skus: Map<string, string>
}

/**
 * The objects of the rows of a product. Where a cell of the product is wrong, it is one that can't be read, and nothing
 * of it is taken; a variant with a wrong cell of its own is left out alone.
 */
export function* productObjects(
  rows: readonly [ShopifyRow, ...ShopifyRow[]],
  options: ProductOptions,
): Generator<ParsedObject> {
  for (const row of rows) row.countLeftOut(options.leftOut)
  const [first] = rows
  const made = orWrong(first, () => {
    const product = new ShopifyProduct(rows, options.leftOut)
    const describe = (violation: Violation) => product.describe(first, violation)
    return { product, parent: product.isPlain ? null : converted(first, product.parent(), describe) }
  })
  if (!('product' in made)) return yield made
  const { product, parent } = made
  if (parent) yield parent
  const combinations = new Map<string, string>()
  for (const variant of product.variants) {
    const { row, values } = variant
    const taken = orWrong(row, () => {
      const other = combinations.get(JSON.stringify(values))
      if (other !== undefined) throw new WrongCell(`has the same options as ${other}`)
      const sku = product.skuOf(variant)
      const owner = options.skus.get(sku)
      if (owner !== undefined)
        throw new WrongCell(`is ${sku}, as that of ${owner}: SKUs differ here`, { row, field: 'sku' })
      const data = product.isPlain ? product.plain(variant, sku) : product.child(variant, sku)
      const object = converted(row, data, (violation) => product.describe(row, violation))
      combinations.set(JSON.stringify(values), row.at)
      options.skus.set(sku, row.at)
      return { sku, object }
    })
    yield 'object' in taken ? taken.object : taken
    const price = 'object' in taken ? priceOf(row, taken.sku, options) : undefined
    if (price) yield price
  }
}

/** What `make` makes, or the row as one that can't be read. */
function orWrong<T>(row: ShopifyRow, make: () => T): T | ParsedObject {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof WrongCell)) throw error
    const { message, cell } = error
    const problem = cell ? cell.row.problem(message, cell.field) : row.problem(message)
    return unreadable(row, problem, JSON.stringify(row.cells), shopifyId('product', row.text('handle')))
  }
}
