/** Documents of subscriptions and of what is sold by them, as clients write them (input/document.ts). */
import { externalRef, recordDocument, reference, relationships, serverSet } from '../input/document.ts'
import * as schema from '../input/json-schema.ts'
import {
  BASE_PRICE_PERCENTAGE_MAX,
  CURRENCIES_MAX,
  CUSTOMER_REF_MAX,
  CUSTOMER_REF_MIN,
  DESCRIPTION_MAX,
  NAME_MAX,
  NAME_MIN,
  OFFERING_RECORDS_MAX,
  PLAN_DAYS_MAX,
  SKU_MAX,
  URI_MAX,
} from '../input/limits.ts'
import { billingIntervalWords, endBehaviorWords } from './billing.ts'
import { priceUnitWords } from './subscription-product.ts'
import { stateActions } from './subscription-state.ts'

const { nullable, text } = schema
const name = text({ min: NAME_MIN, max: NAME_MAX })
const texts = { 'external_ref?': externalRef, 'name?': name, 'description?': nullable(text({ max: DESCRIPTION_MAX })) }

const price = schema.closed({ 'amount?': schema.integer(0), 'includes_tax?': nullable(schema.boolean) })
const prices = nullable(schema.map(nullable(price), { keys: schema.currencyCode, max: CURRENCIES_MAX }))
const priceUnits = schema.closed({ unit: schema.word(...priceUnitWords), amount: schema.integer(1) })

const productAttributes = {
  ...texts,
  'sku?': nullable(text({ max: SKU_MAX })),
  'main_image?': nullable(text({ max: URI_MAX, format: 'uri' })),
  'price?': prices,
  'price_units?': nullable(priceUnits),
}

/** The `data` of a request that updates a subscription product. */
export const productUpdateDocument = recordDocument('subscription_product', productAttributes, { id: schema.uuid })

/** A subscription product in an import. */
export const subscriptionProductDocument = recordDocument('subscription_product', productAttributes)

const days = (min: number): schema.Schema => schema.integer(min, PLAN_DAYS_MAX)

/** A plan in an import. */
export const planDocument = recordDocument('subscription_plan', {
  ...texts,
  'billing_interval_type?': schema.word(...billingIntervalWords),
  'billing_frequency?': days(1),
  'trial_period?': days(0),
  'plan_length?': days(1),
  'end_behavior?': schema.word(...endBehaviorWords),
  'can_pause?': schema.boolean,
  'can_resume?': schema.boolean,
  'can_cancel?': schema.boolean,
  'base_price_percentage?': nullable({ type: 'number', minimum: 0, maximum: BASE_PRICE_PERCENTAGE_MAX }),
  'fixed_price?': prices,
})

/** An offering in an import. Its copy in a subscription has relationships among its attributes, which nothing but that copy has. */
export const offeringDocument = recordDocument(
  'subscription_offering',
  { ...texts, 'relationships?': serverSet },
  {
    'id?': schema.uuid,
    'relationships?': relationships({
      products: schema.list(reference(['subscription_product']), OFFERING_RECORDS_MAX),
      plans: schema.list(reference(['subscription_plan']), OFFERING_RECORDS_MAX),
    }),
  },
)

const customerRef = text({ min: CUSTOMER_REF_MIN, max: CUSTOMER_REF_MAX })

/** The `data` of a request that creates a subscription, which has its members without `attributes` around them. */
export const newSubscriptionDocument = schema.closed({
  'external_ref?': externalRef,
  account_id: schema.uuid,
  offering_id: schema.uuid,
  plan_id: schema.uuid,
  currency: schema.currencyCode,
  'payment_authority?': nullable(
    schema.closed(
      { type: schema.word('platform_payments_gateway'), 'customer_id?': nullable(customerRef), 'card_id?': nullable(customerRef) },
      'NewPaymentAuthority',
    ),
  ),
  name,
  email: text({ min: NAME_MIN, max: NAME_MAX, format: 'email' }),
  'id?': serverSet,
  'type?': serverSet,
  'meta?': serverSet,
})

/** The `data` of a request that changes the state of a subscription. */
export const stateChangeDocument = recordDocument('subscription_state', { action: schema.word(...stateActions) }, { 'id?': serverSet })
