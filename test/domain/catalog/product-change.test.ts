import { describe, expect, it } from 'vitest'
import { changedProductFields } from '../../../src/domain/catalog/product-change.ts'
import type { ReleaseDocument } from '../../../src/domain/catalog/release-document.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { bundle, priceRecord, product, usd } from '../../support/price-builders.ts'

const mug = product(priceRecord(usd(1000)), 'mug')
const main = (name: string, quantity: number) => ({
  [name]: { name: 'Main', min: 1, options: [{ id: 'mug', quantity }] },
})

/** A document of which all but the pricing is empty. */
function documentOf(pricing: ReleasePricing): ReleaseDocument {
  const released = { name: 'Set', description: null, locales: null, tags: [], variations: null, children: null }
  return {
    product: { ...released, components: pricing.components },
    priceable: compileProduct(pricing),
    types: ['bundle'],
  } as never
}
const changed = (before: ReleasePricing, after: ReleasePricing) =>
  changedProductFields(documentOf(before), documentOf(after))

describe('release.change-names-its-fields: a change of what a bundle selects', () => {
  it('another default selection changes the prices of a bundle that is summed, not those of a bundle with a price of its own', () => {
    expect(changed(bundle([mug], main('main', 1)), bundle([mug], main('main', 2)))).toEqual(['components', 'prices'])
    const own = priceRecord(usd(5))
    expect(changed(bundle([mug], main('main', 1), own), bundle([mug], main('main', 2), own))).toEqual(['components'])
    expect(changed(bundle([mug], main('main', 1)), bundle([mug], main('renamed', 1)))).toEqual(['components'])
  })

  it('another default selection changes the prices of a bundle that has the changed one as an option', () => {
    const outer = (quantity: number) => bundle([bundle([mug], main('main', quantity), null, 'inner')])
    expect(changed(outer(1), outer(2))).toEqual(['components', 'prices'])
  })
})
