/** Subscription products: what offerings sell, with a price per currency. */
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { DESCRIPTION_MAX, NAME_MAX, NAME_MIN, SKU_MAX, URI_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { externalRef, optionalText, text } from '../input/record-members.ts'
import { wholeJson } from '../input/whole-member.ts'
import { prices } from '../pricing/price-members.ts'

/** The units of a price's period. */
export const priceUnitWords = ['day', 'month'] as const

/** The period that a price is for. */
export interface PriceUnits {
  readonly unit: (typeof priceUnitWords)[number]
  /** The number of days or months, at least 1. */
  readonly amount: number
}

const priceUnits = wholeJson<PriceUnits | null>(null, {
  schema: schema.nullable(schema.closed({ unit: schema.word(...priceUnitWords), amount: schema.integer(1) })),
  read: readPriceUnits,
})

/** An update names the id twice, in path and body (subscription-product.id-matches-path). */
export const subscriptionProductRecord = defineRecord(
  'subscription_product',
  {
    externalRef: externalRef(),
    name: text({ min: NAME_MIN, max: NAME_MAX, isName: true }),
    description: optionalText({ max: DESCRIPTION_MAX }),
    sku: optionalText({ max: SKU_MAX, isName: true }),
    mainImage: optionalText({ max: URI_MAX, format: 'uri' }),
    price: prices,
    priceUnits,
  },
  {},
  { repeatsId: true },
)

/** A stored subscription product. */
export type SubscriptionProduct = RecordOf<typeof subscriptionProductRecord.members>

function readPriceUnits(attributes: InputReader, name: string): PriceUnits | null | undefined {
  const units = attributes.object(name, { nullable: true })
  if (units == null) return units
  const unit = units.oneOf('unit', priceUnitWords, { required: true })
  const amount = units.integer('amount', { required: true, min: 1 })
  return unit && amount ? { unit, amount } : undefined
}
