/** Price changes of an import: what is paid without it and with it, as its check tells (job.check-tells-prices). */
import { priceChanges, type ReleasePriceChange } from '../catalog/product-change.ts'
import { compileProduct } from '../pricing/compile-product.ts'
import type { ReleasePriceRecord } from '../pricing/price-record.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import type { ProductPrice } from '../pricing/product-price.ts'

/** The price of one unit of a SKU in a price book that differs. Amounts are minor units; null without a price. */
export interface SkuPriceChange extends ReleasePriceChange {
  readonly sku: string
}

/** The prices that differ at `now`, epoch milliseconds, by currency; null for a price record that is not there. */
export function skuPriceChanges(
  before: ProductPrice | null,
  after: ProductPrice | null,
  now: number,
): SkuPriceChange[] {
  if (before && after && before.sku !== after.sku)
    return [...skuPriceChanges(before, null, now), ...skuPriceChanges(null, after, now)]
  const sku = (after ?? before)?.sku ?? ''
  return priceChanges(productWith(before), productWith(after), now).map((change) => ({ sku, ...change }))
}

/** A product outside of bundles that the price record prices. */
function productWith(price: ProductPrice | null): PriceableProduct {
  return compileProduct({ id: '', own: price && releasedRecord(price), base: null })
}

function releasedRecord({ id, priceBookId: book, currencies, sales }: ProductPrice): ReleasePriceRecord {
  return {
    id,
    book,
    currencies,
    sales: sales.map(({ name, validFrom: from, validTo: to, bundleIds: bundles, currencies: prices }) => ({
      ...{ name, from, to, bundles },
      currencies: prices,
    })),
    shopper_attributes: null,
  }
}
