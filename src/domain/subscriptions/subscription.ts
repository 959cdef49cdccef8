/** Subscriptions: the input of a create, and the stored record with its copies of offering and plan. */
import type { Violation } from '../input/errors.ts'
import { currencyCode, email, uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import {
  CURRENCY_MAX,
  CUSTOMER_REF_MAX,
  CUSTOMER_REF_MIN,
  EXTERNAL_REF_MAX,
  NAME_MAX,
  NAME_MIN,
} from '../input/limits.ts'
import { readPartly } from '../input/read-input.ts'
import type { PartialResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import type { Agreement, Item } from './agreement.ts'
import type { StateAction } from './asked-action.ts'
import type { ComposedOffering } from './offering.ts'
import type { Plan } from './plan.ts'
import type { Agreed } from './subscription-state.ts'

/**
 * How the subscription is paid (subscription.gateway-by-default). Only admins and shoppers of the account may see the
 * ids at the gateway; they must never be logged.
 */
export interface PaymentAuthority {
  readonly type: 'platform_payments_gateway'
  readonly customer_id?: string
  readonly card_id?: string
}

/** The offering as of the create, with the external_refs of its products. */
export interface OfferingCopy extends ComposedOffering {
  readonly externalProductRefs: readonly string[]
}

/** An action that was applied to a subscription. */
export interface SubscriptionState {
  readonly id: string
  readonly action: StateAction
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A stored subscription. `planId` names the plan of its first terms. */
export interface Subscription extends Agreed, SubscriptionDraft {
  readonly id: string
  readonly offering: OfferingCopy
  /** An administrator's mark; status and invoices stay (subscription.suspended-is-a-mark). */
  readonly suspended: boolean
  /** When its subscriber was erased, epoch milliseconds; null when not. */
  readonly erasedAt: number | null
  /** The latest action; null before any. */
  readonly state: SubscriptionState | null
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
}

/** The input of a create. Ids are in lower case. */
export interface SubscriptionDraft {
  readonly externalRef: string | null
  readonly accountId: string
  readonly offeringId: string
  readonly planId: string
  readonly currency: string
  readonly paymentAuthority: PaymentAuthority
  readonly subscriberName: string
  readonly subscriberEmail: string
}

const fieldOrder = [
  'external_ref',
  'account_id',
  'offering_id',
  'plan_id',
  'currency',
  'payment_authority',
  'name',
  'email',
  'items',
  'starts_at',
  'time_zone',
  'billing_day',
]

/**
 * Reads `data` of a new subscription; `id`, `type` and `meta` have no effect (input.server-members-accepted). A member
 * with a violation is undefined.
 */
export function readSubscription(data: unknown): PartialResult<Partial<SubscriptionDraft>> {
  return readPartly(
    data,
    (reader) => {
      const draft = {
        externalRef: reader.text('external_ref', { max: EXTERNAL_REF_MAX }) ?? null,
        accountId: readId(reader, 'account_id'),
        offeringId: readId(reader, 'offering_id'),
        planId: readId(reader, 'plan_id'),
        currency: reader.text('currency', { required: true, max: CURRENCY_MAX, format: currencyCode }),
        paymentAuthority: readPaymentAuthority(reader),
        subscriberName: reader.text('name', { required: true, min: NAME_MIN, max: NAME_MAX, isName: true }),
        subscriberEmail: reader.text('email', { required: true, min: NAME_MIN, max: NAME_MAX, format: email }),
      }
      return draft as Partial<SubscriptionDraft>
    },
    newRecord,
  )
}

/**
 * Violations of subscription.plan-of-the-offering together with those of reading, in the order of the fields. The plan
 * need not price the currency (subscription.any-currency). An undefined offering or plan was not loaded because its id
 * could not be read; a null one does not exist.
 */
export function subscriptionViolations(
  read: readonly Violation[],
  offering: ComposedOffering | null | undefined,
  plan: Plan | null | undefined,
): Violation[] {
  const found: Violation[] = [...read]
  if (offering === null) found.push({ code: 'NOT_FOUND', path: ['offering_id'], message: 'no such offering' })
  if (plan === null) found.push({ code: 'NOT_FOUND', path: ['plan_id'], message: 'no such plan' })
  if (offering && plan && !offering.planIds.includes(plan.id)) {
    found.push({ code: 'PLAN_NOT_OFFERED', path: ['plan_id'], message: 'the plan does not belong to the offering' })
  }
  const position = ({ path }: Violation) => fieldOrder.indexOf(path[0] as string)
  return found.sort((a, b) => position(a) - position(b))
}

/** The first terms of a subscription, beside its plan. */
export interface FirstTerms {
  readonly items: readonly Item[]
  readonly startsAt: number
  readonly timeZone: string | null
  readonly billingDay: number | null
  readonly onlyOne: boolean
}

/**
 * A subscription that is created at `now` (epoch milliseconds), with its own copies of offering and plan
 * (subscription.keeps-its-copies).
 */
export function newSubscription(
  draft: SubscriptionDraft,
  offering: OfferingCopy,
  plan: Plan,
  { onlyOne, ...terms }: FirstTerms,
  id: string,
  now: number,
): Subscription {
  const wish = onlyOne ? { onlyOne: true as const } : {}
  const agreement: Agreement = { ...terms, ...wish, invoicesFrom: null, plan, changes: [] }
  const fresh = { suspended: false, erasedAt: null, state: null }
  return { ...draft, id, offering, agreement, ...fresh, createdAt: now, updatedAt: now }
}

function readId(reader: InputReader, name: string): string | undefined {
  return reader.text(name, { required: true, format: uuid })?.toLowerCase()
}

/** Reads how a subscription is paid; by default through the platform's gateway (subscription.gateway-by-default). */
export function readPaymentAuthority(reader: InputReader, nullable = false): PaymentAuthority {
  const authority = reader.object('payment_authority', { nullable })
  authority?.oneOf('type', ['platform_payments_gateway'], { required: true })
  const rule = { min: CUSTOMER_REF_MIN, max: CUSTOMER_REF_MAX }
  const customerId = authority?.text('customer_id', rule)
  const cardId = authority?.text('card_id', rule)
  return {
    type: 'platform_payments_gateway',
    ...(customerId == null ? {} : { customer_id: customerId }),
    ...(cardId == null ? {} : { card_id: cardId }),
  }
}
