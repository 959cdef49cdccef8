/** Product prices as mutations take them. */

import type { InputBuilder } from '../schema/define-mutation.ts'
import { toRestDocument } from '../schema/rest-document.ts'
import { SaleInput, salesMember } from './sale.ts'
import { AttributeInput, attributesLimit, attributesMember, CurrencyTieredPriceInput, currenciesMember } from './tiered-price.ts'

/** All but the SKU and the prices. */
export function priceInput(t: InputBuilder) {
  return {
    sales: t.field({ type: [SaleInput], description: 'All its sales, at most 200. Of several, each needs a schedule of its own.' }),
    externalRef: t.string({ description: 'A reference to another system, at most 2048 characters, unique within the book.' }),
    adminAttributes: t.field({ type: [AttributeInput], description: `Attributes for administrators only, ${attributesLimit}.` }),
    shopperAttributes: t.field({ type: [AttributeInput], description: `Attributes that catalogs show to shoppers, ${attributesLimit}.` }),
  }
}

/** The prices where what is not named keeps its value. */
export function mergedPrices(t: InputBuilder) {
  return t.field({
    type: [CurrencyTieredPriceInput],
    description:
      'List prices to set, change or remove; what is not named keeps its value, and there are at most 200 in all. Null removes all.',
  })
}

const members = {
  prices: currenciesMember,
  sales: salesMember,
  adminAttributes: attributesMember('admin_attributes'),
  shopperAttributes: attributesMember('shopper_attributes'),
}

/** The contract's `data` of what a mutation was given. */
export function priceData(given: object): object {
  return { type: 'product-price', attributes: toRestDocument(given, members) }
}
