/** Subscription product routes: get and update (http.paths-and-aliases). */
import { envelopeOf } from '../../domain/input/document.ts'
import { notFound } from '../../domain/input/errors.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import * as schema from '../../domain/input/json-schema.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, SKU_MAX, URI_MAX } from '../../domain/input/limits.ts'
import { recordSchema } from '../../domain/input/record-schema.ts'
import {
  priceUnitWords,
  type SubscriptionProduct,
  subscriptionProductRecord,
} from '../../domain/subscriptions/subscription-product.ts'
import { subscriptionProduct, updateSubscriptionProduct } from '../../operations/subscriptions/subscription-product.ts'
import type { Context } from '../../request/context.ts'
import { displayPrice, omitNil } from '../http/display-price.ts'
import type { Route } from '../http/route.ts'
import { displayPrice as displayPriceSchema, owner, timestamps as timestampsSchema } from '../http/schema.ts'
import { getSubscriptionProductExample, updateSubscriptionProductExample } from './subscription-product-examples.ts'

const price = schema.object({ amount: schema.integer(0), 'includes_tax?': schema.boolean })
const priceUnits = schema.object({ unit: schema.word(...priceUnitWords), amount: schema.integer(1) })
const plain = {
  'external_ref?': schema.text({ max: EXTERNAL_REF_MAX }),
  'description?': schema.text({ max: DESCRIPTION_MAX }),
  'sku?': schema.text({ max: SKU_MAX }),
  'main_image?': schema.text({ max: URI_MAX, format: 'uri' }),
}
const name = schema.text({ min: NAME_MIN, max: NAME_MAX })

const response = schema.object({
  data: schema.object(
    {
      id: schema.uuid,
      type: schema.word('subscription_product'),
      attributes: schema.object({
        ...plain,
        name,
        'price?': schema.map(price, { keys: schema.currencyCode }),
        'price_units?': priceUnits,
        updated_at: schema.instant,
        created_at: schema.instant,
      }),
      meta: schema.object({ 'display_price?': displayPriceSchema, owner, timestamps: timestampsSchema }),
    },
    'SubscriptionProduct',
  ),
})

const path = '/v2/subscriptions/products/{product_uuid}'
const tag = 'Subscription products'

/** The routes of subscription products. */
export const subscriptionProductRoutes: readonly Route[] = [
  {
    method: 'GET',
    paths: [path],
    right: 'anyone',
    document: {
      id: 'getSubscriptionProduct',
      tag,
      summary: 'Get a subscription product',
      status: 200,
      response,
      example: getSubscriptionProductExample,
    },
    async handle({ ctx, id }) {
      const product = await subscriptionProduct(ctx, { id: id('product_uuid') })
      if (product === null) throw notFound(['product_uuid'], 'No such subscription product')
      return { status: 200, body: { data: toSubscriptionProduct(product, ctx) } }
    },
  },
  {
    method: 'PUT',
    paths: [path],
    right: 'admin',
    body: true,
    document: {
      id: 'updateSubscriptionProduct',
      tag,
      summary: 'Update a subscription product',
      description:
        'Only the attributes given change; null clears. So it is in each currency of `price`; a new one must have an amount.',
      request: envelopeOf(recordSchema(subscriptionProductRecord, { own: { id: schema.uuid } })),
      status: 200,
      response,
      example: updateSubscriptionProductExample,
    },
    async handle({ ctx, id, data }) {
      const product = await updateSubscriptionProduct(ctx, { id: id('product_uuid'), data })
      return { status: 200, body: { data: toSubscriptionProduct(product, ctx) } }
    },
  },
]

function toSubscriptionProduct(product: SubscriptionProduct, ctx: Context) {
  const timestamps = { updated_at: formatInstant(product.updatedAt), created_at: formatInstant(product.createdAt) }
  const { externalRef, description, sku, mainImage, priceUnits: units } = product
  return {
    id: product.id,
    type: 'subscription_product',
    attributes: {
      ...omitNil({ external_ref: externalRef }),
      name: product.name,
      ...omitNil({ description, sku, main_image: mainImage, price: hasMembers(product.price), price_units: units }),
      ...timestamps,
    },
    meta: { ...omitNil({ display_price: displayPrice(product.price, ctx) }), owner: 'store', timestamps },
  }
}

function hasMembers<T extends object>(map: T): T | undefined {
  return Object.keys(map).length > 0 ? map : undefined
}
