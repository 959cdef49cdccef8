/** Documents of subscriptions, as clients write them (input/document.ts). */
import { externalRef, recordDocument, reference, serverSet } from '../input/document.ts'
import * as schema from '../input/json-schema.ts'
import {
  BILLING_DAY_MAX,
  CUSTOMER_REF_MAX,
  CUSTOMER_REF_MIN,
  ITEM_QUANTITY_MAX,
  NAME_MAX,
  NAME_MIN,
} from '../input/limits.ts'
import { recordSchema } from '../input/record-schema.ts'
import { prorationWords } from './agreement.ts'
import { stateActions } from './asked-action.ts'
import { offeringRecord } from './offering.ts'
import { planRecord } from './plan.ts'

const { nullable, text } = schema
const name = text({ min: NAME_MIN, max: NAME_MAX })
const customerRef = text({ min: CUSTOMER_REF_MIN, max: CUSTOMER_REF_MAX })

const paymentAuthority = nullable(
  schema.closed(
    {
      type: schema.word('platform_payments_gateway'),
      'customer_id?': nullable(customerRef),
      'card_id?': nullable(customerRef),
    },
    'NewPaymentAuthority',
  ),
)

/** The `data` of a request that creates a subscription, which has its members without `attributes` around them. */
export const newSubscriptionDocument = schema.closed({
  'external_ref?': externalRef,
  account_id: schema.uuid,
  offering_id: schema.uuid,
  plan_id: schema.uuid,
  currency: schema.currencyCode,
  'payment_authority?': paymentAuthority,
  name,
  email: text({ min: NAME_MIN, max: NAME_MAX, format: 'email' }),
  'id?': serverSet,
  'type?': serverSet,
  'meta?': serverSet,
})

/** The `data` of a request that changes the state of a subscription. */
export const stateChangeDocument = recordDocument(
  'subscription_state',
  { action: schema.word(...stateActions) },
  { 'id?': serverSet },
)

const instant = nullable(schema.instant)
const planCopy = nullable(recordSchema(planRecord))
const items = nullable(
  schema.list(
    schema.closed({
      product_id: reference(['subscription_product']),
      'quantity?': schema.integer(1, ITEM_QUANTITY_MAX),
      'name?': nullable(schema.text()),
      'sku?': nullable(schema.text()),
      'unit_amount?': nullable(schema.integer(0)),
      'includes_tax?': nullable(schema.boolean),
    }),
  ),
)
const change = schema.closed({
  id: schema.uuid,
  type: schema.text(),
  asked_at: instant,
  at: instant,
  'undone_at?': instant,
  'by_shopper?': schema.boolean,
  'proration?': schema.word(...prorationWords),
  'prorate_at?': instant,
  'plan?': planCopy,
  'items?': items,
  'at_period_end?': schema.boolean,
  'reason?': nullable(schema.text()),
  'pause_id?': nullable(schema.uuid),
})

/** A subscription in an import: named by hand, or with the copies of an export. */
export const subscriptionLineDocument = recordDocument('subscription', {
  'external_ref?': externalRef,
  'account_id?': schema.uuid,
  'currency?': schema.currencyCode,
  'payment_authority?': paymentAuthority,
  'name?': name,
  'email?': text({ min: NAME_MIN, max: NAME_MAX, format: 'email' }),
  'suspended?': schema.boolean,
  'starts_at?': instant,
  'time_zone?': nullable(schema.text()),
  'billing_day?': nullable(schema.integer(1, BILLING_DAY_MAX)),
  'invoices_from?': instant,
  'only_one?': schema.boolean,
  'items?': items,
  'offering_id?': reference(['subscription_offering']),
  'plan_id?': reference(['subscription_plan']),
  'trial_ends_at?': instant,
  'offering?': nullable(
    recordSchema(offeringRecord, { own: { 'id?': schema.uuid, 'external_product_refs?': schema.list(schema.text()) } }),
  ),
  'plan?': planCopy,
  'changes?': nullable(schema.list(change)),
  'states?': nullable(
    schema.list(schema.closed({ id: schema.uuid, action: schema.word(...stateActions), created_at: schema.instant })),
  ),
  'erased_at?': instant,
})
