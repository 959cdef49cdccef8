/** Product price inputs: fields that several mutations share, and how they are read. */
import type { InputBuilder } from '../schema/define-mutation.ts'
import type { InputMembers } from '../schema/graph-input.ts'
import { SaleInput, saleMembers } from './sale.ts'
import { AttributeInput, attributesLimit, attributesMember, CurrencyTieredPriceInput, tieredPricesMember } from './tiered-price.ts'

/** The input fields of a product price besides its SKU and prices. */
export function priceInput(t: InputBuilder) {
  return {
    sales: t.field({ type: [SaleInput], description: 'All its sales, at most 200. Of several, each needs a schedule of its own.' }),
    externalRef: t.string({ description: 'A reference to another system, at most 2048 characters, unique within the book.' }),
    adminAttributes: t.field({ type: [AttributeInput], description: `Attributes for administrators only, ${attributesLimit}.` }),
    shopperAttributes: t.field({ type: [AttributeInput], description: `Attributes that catalogs show to shoppers, ${attributesLimit}.` }),
  }
}

/** The field `prices` of updates, which merges by currency. */
export function mergedPrices(t: InputBuilder) {
  return t.field({
    type: [CurrencyTieredPriceInput],
    description:
      'List prices to set, change or remove; what is not named keeps its value, and there are at most 200 in all. Null removes all.',
  })
}

/** How the members of a product price's input are read. */
export const priceMembers: InputMembers = {
  currencies: tieredPricesMember,
  sales: { entry: { key: 'name' }, members: saleMembers },
  admin_attributes: attributesMember,
  shopper_attributes: attributesMember,
}
