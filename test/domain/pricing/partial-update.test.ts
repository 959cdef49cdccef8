/**
 * Partial updates of price maps (patch.maps-merge-at-every-depth): any sequence of them equals a plain merge of the
 * patches.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPath } from '../../../src/domain/input/errors.ts'
import { makeRecord, patchRecord } from '../../../src/domain/input/record-change.ts'
import { readUpdate } from '../../../src/domain/input/record-reader.ts'
import { priceModifierRecord } from '../../../src/domain/pricing/price-modifier.ts'
import {
  applyProductPricePatch,
  type NewProductPrice,
  newProductPrice,
  readProductPrice,
} from '../../../src/domain/pricing/product-price.ts'
import { applySalePatch, newSale, readSaleChange, type SalePatch } from '../../../src/domain/pricing/sale-change.ts'
import { planRecord } from '../../../src/domain/subscriptions/plan.ts'
import { subscriptionProductRecord } from '../../../src/domain/subscriptions/subscription-product.ts'
import {
  type Entry,
  flatPatch,
  incomplete,
  type MapPatch,
  mergedMap,
  tieredPatch,
} from '../../support/partial-updates.ts'

const ID = '0197f4f6-0000-7000-8000-000000000001'
const NOW = Date.UTC(2026, 0, 15)

/** A kind of record with a price map: how a new one without prices is made, and how it is patched. */
interface Kind<Item> {
  readonly fresh: Item
  readonly read: (
    attributes: object,
    stored: Item,
  ) => { value: unknown; violations: readonly { readonly path: never }[] }
  readonly apply: (stored: Item, patch: never) => Item
  readonly map: (item: Item) => Readonly<Record<string, Entry>>
  readonly name: string
}

function kind<Item extends object, Patch>(of: {
  name: string
  fresh: Item
  read: (attributes: object, stored: Item) => { value: Patch | undefined; violations: readonly unknown[] }
  apply: (stored: Item, patch: Patch) => Item
  map: (item: Item) => unknown
}): Kind<object> {
  return of as unknown as Kind<object>
}

const none = {} as never

const flat = {
  'the price of a subscription product': kind({
    name: 'price',
    fresh: makeRecord(subscriptionProductRecord, none, ID, NOW),
    read: (attributes, stored) =>
      readUpdate(subscriptionProductRecord, { id: ID, type: 'subscription_product', attributes }, ID, stored),
    apply: (stored, patch) => patchRecord(subscriptionProductRecord, stored, patch, NOW),
    map: ({ price }) => price,
  }),
  'the fixed price of a plan': kind({
    name: 'fixed_price',
    fresh: makeRecord(planRecord, none, ID, NOW),
    read: (attributes, stored) => readUpdate(planRecord, { type: 'subscription_plan', attributes }, ID, stored),
    apply: (stored, patch) => patchRecord(planRecord, stored, patch, NOW),
    map: ({ fixedPrice }) => fixedPrice ?? {},
  }),
}

const tiered = {
  'the currencies of a product price': kind({
    name: 'currencies',
    fresh: newProductPrice(ID, none as NewProductPrice, NOW, () => ID),
    read: (attributes) => readProductPrice({ type: 'product-price', attributes }, { create: false }),
    apply: (stored, patch) => applyProductPricePatch(stored, patch, NOW, () => ID),
    map: ({ currencies }) => currencies,
  }),
  'the currencies of a sale': kind({
    name: 'currencies',
    fresh: newSale(ID, none as SalePatch, ID, NOW),
    read: (attributes) => readSaleChange({ type: 'sale', attributes }, { create: false }),
    apply: (stored, patch) => applySalePatch(stored, patch, NOW),
    map: ({ currencies }) => currencies,
  }),
  'the currencies of a price modifier': kind({
    name: 'currencies',
    fresh: makeRecord(priceModifierRecord, none, ID, NOW),
    read: (attributes) => readUpdate(priceModifierRecord, { type: 'price-modifier', attributes }, ID),
    apply: (stored, patch) => patchRecord(priceModifierRecord, stored, patch, NOW),
    map: ({ currencies }) => currencies,
  }),
}

/** Patches a record of `kind` with each of `patches` in turn, and compares it with the plain merge after each. */
function follow({ name, fresh, read, apply, map }: Kind<object>, patches: readonly MapPatch[], isFlat: boolean): void {
  let stored = fresh
  let expected: Readonly<Record<string, Entry>> = {}
  for (const patch of patches) {
    const { value, violations } = read({ [name]: patch }, stored)
    const missing = isFlat ? incomplete(expected, patch) : []
    expect(violations.map(({ path }) => formatPath(path))).toEqual(
      missing.map((code) => `attributes.${name}.${code}.amount`),
    )
    if (missing.length > 0) continue
    const before = stored
    const merged = mergedMap(expected, patch)
    stored = apply(before, value as never)
    expect(map(stored)).toEqual(merged)
    expect(Object.keys(map(stored))).toEqual(Object.keys(merged).sort())
    // patch.equal-values-write-nothing: a patch without effect returns the stored object, so nothing is written.
    const same = JSON.stringify(Object.entries(merged).sort()) === JSON.stringify(Object.entries(expected).sort())
    expect(stored === before).toBe(same)
    expect(apply(stored, value as never)).toBe(stored)
    expected = merged
  }
}

describe('after each of many partial updates a price map equals a plain merge of the patches', () => {
  test.each(Object.entries(flat))(
    'many partial updates of a price map equal a plain merge of the patches: %s',
    (_, of) => {
      fc.assert(fc.property(fc.array(flatPatch, { maxLength: 8 }), (patches) => follow(of, patches, true)))
    },
  )

  test.each(Object.entries(tiered))(
    'many partial updates of a price map with tiers equal a plain merge of the patches: %s',
    (_, of) => {
      fc.assert(fc.property(fc.array(tieredPatch, { maxLength: 8 }), (patches) => follow(of, patches, false)))
    },
  )
})
