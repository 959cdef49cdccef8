/** Prices of Shopify's CSV: a compare-at price is the list price, of which the price is a permanent sale. */
import type { ParsedObject } from '../parsed-object.ts'
import { type CellResult, pointed, readAmount } from '../sheet/cells.ts'
import { converted, unreadable } from './converted.ts'
import type { LeftOut } from './left-out.ts'
import { priceField } from './shopify-places.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** The name of the sale of a price below its compare-at price. */
const SALE = 'Reduced'

/** What the prices depend on. */
export interface PriceOptions {
  readonly bookId: string
  readonly currency: string
  readonly includesTax: boolean
  readonly leftOut: LeftOut
}

/** The price of a variant; undefined where it has none. */
export function priceOf(row: ShopifyRow, sku: string, options: PriceOptions): ParsedObject | undefined {
  const { bookId, currency, includesTax, leftOut } = options
  const [price, compareAt] = [amountOf(row.text('price'), currency), amountOf(row.text('compareAtPrice'), currency)]
  for (const [field, read] of [
    ['price', price],
    ['compareAtPrice', compareAt],
  ] as const)
    if (read && !('value' in read))
      return unreadable(row, row.problem(read.message.split(';')[0] ?? '', field), JSON.stringify(row.cells))
  if (!price || !('value' in price)) return undefined
  const before = compareAt && 'value' in compareAt ? compareAt.value : price.value
  const isReduced = before > price.value
  if (compareAt && !isReduced) leftOut.add('Compare-at price that is not above the price')
  const of = (amount: number) => ({ [currency]: { amount, includes_tax: includesTax } })
  const data = {
    type: 'product-price',
    pricebook_id: bookId,
    attributes: {
      sku,
      currencies: of(isReduced ? before : price.value),
      sales: isReduced ? { [SALE]: { currencies: of(price.value) } } : null,
    },
  }
  return converted(row, data, (violation) => row.describe(priceField(violation.path), violation))
}

/** An amount in minor units; zeros behind the decimals of the currency are left out, as in 1000.00 yen. */
function amountOf(text: string, currency: string): CellResult<number> | undefined {
  if (text === '') return undefined
  const read = readAmount(text, currency, pointed)
  return 'value' in read ? read : readAmount(text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), currency, pointed)
}
