/** Subscription products: what offerings sell, with a price per currency. */
import { uri, uuid } from '../input/formats.ts'
import { type InputReader, type ReadResult, readInput } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, SKU_MAX, URI_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { readRecordType, recordReaders } from '../input/record.ts'
import { mergePriceMap, type PriceMap, type PriceMapPatch, readPriceMap } from '../pricing/flat-price-map.ts'

/** The units of a price's period. */
export const priceUnitWords = ['day', 'month'] as const

/** The period that a price is for. */
export interface PriceUnits {
  readonly unit: (typeof priceUnitWords)[number]
  /** The number of days or months, at least 1. */
  readonly amount: number
}

/** A stored subscription product. */
export interface SubscriptionProduct extends StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  readonly sku: string | null
  readonly mainImage: string | null
  readonly price: PriceMap
  readonly priceUnits: PriceUnits | null
}

/** A partial update of a product. */
export interface SubscriptionProductPatch
  extends PatchOf<SubscriptionProduct, Exclude<keyof SubscriptionProduct, keyof StoredRecord | 'price'>> {
  readonly price: PriceMapPatch | null | undefined
}

/**
 * Reads `data` of an update of the product `stored`; without it, of a product without prices. `productId` is the id in the path, which
 * `data.id` must equal (subscription-product.id-matches-path).
 */
export function readSubscriptionProductUpdate(
  data: unknown,
  productId: string,
  stored?: SubscriptionProduct,
): ReadResult<SubscriptionProductPatch> {
  return readInput(
    data,
    (reader) => {
      const id = reader.text('id', { required: reader.isDocument, format: uuid })
      if (id != null && id.toLowerCase() !== productId.toLowerCase())
        reader.addViolation('id', 'ID_MISMATCH', 'must equal the id in the path')
      readRecordType(reader, 'subscription_product')
      const attributes = reader.object('attributes', { required: true })
      return attributes ? readSubscriptionProductAttributes(attributes, { stored }) : undefined
    },
    { stored },
  )
}

/** Reads `data` of a new product: `{ id?, type: 'subscription_product', attributes }`. */
export const { readNew: readSubscriptionProduct } = recordReaders('subscription_product', readSubscriptionProductAttributes)

/** A new product from the input of a create, which has a name. `now` is in epoch milliseconds. */
export function newSubscriptionProduct(patch: SubscriptionProductPatch, id: string, now: number): SubscriptionProduct {
  return {
    id,
    externalRef: patch.externalRef ?? null,
    name: patch.name ?? '',
    description: patch.description ?? null,
    sku: patch.sku ?? null,
    mainImage: patch.mainImage ?? null,
    price: mergePriceMap({}, patch.price),
    priceUnits: patch.priceUnits ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Reads the attributes of a create, or of a change of `stored`. */
function readSubscriptionProductAttributes(
  attributes: InputReader,
  rule: { create?: boolean; stored?: SubscriptionProduct | undefined },
): SubscriptionProductPatch {
  return {
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    name: attributes.text('name', { required: rule.create ?? false, min: NAME_MIN, max: NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
    sku: attributes.text('sku', { nullable: true, max: SKU_MAX, isName: true }),
    mainImage: attributes.text('main_image', { nullable: true, max: URI_MAX, format: uri }),
    price: readPriceMap(attributes, 'price', rule.stored?.price ?? {}),
    priceUnits: readPriceUnits(attributes),
  }
}

/**
 * The product after the patch; the same object when nothing changes (patch.equal-values-write-nothing). `price` merges at every depth
 * (patch.maps-merge-at-every-depth), `priceUnits` is replaced whole.
 */
export function applySubscriptionProductPatch(
  stored: SubscriptionProduct,
  patch: SubscriptionProductPatch,
  now: number,
): SubscriptionProduct {
  return applyPatch(stored, { ...patch, price: mergePriceMap(stored.price, patch.price) }, now)
}

function readPriceUnits(attributes: InputReader): PriceUnits | null | undefined {
  const units = attributes.object('price_units', { nullable: true })
  if (units == null) return units
  const unit = units.oneOf('unit', priceUnitWords, { required: true })
  const amount = units.integer('amount', { required: true, min: 1 })
  return unit && amount ? { unit, amount } : undefined
}
