import { describe, expect, test } from 'vitest'
import type { ComposedOffering } from '../../../src/domain/subscriptions/offering.ts'
import type { Plan } from '../../../src/domain/subscriptions/plan.ts'
import { readSubscription, subscriptionViolations } from '../../../src/domain/subscriptions/subscription.ts'

const [account, offeringId, planId] = ['1', '2', '3'].map((digit) => `0199c0de-0000-7000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
]
const data = {
  account_id: account,
  offering_id: offeringId,
  plan_id: planId,
  currency: 'USD',
  name: 'Ada',
  email: 'ada@example.com',
}

function errorsOf(violations: readonly { code: string; path: readonly unknown[] }[]): string[] {
  return violations.map(({ code, path }) => `${path.join('.')} ${code}`)
}

describe('the input of a subscription', () => {
  test("subscription.gateway-by-default: a new subscription without a payment authority has the platform's gateway", () => {
    expect(readSubscription(data)).toEqual({
      value: {
        externalRef: null,
        accountId: account,
        offeringId,
        planId,
        currency: 'USD',
        paymentAuthority: { type: 'platform_payments_gateway' },
        subscriberName: 'Ada',
        subscriberEmail: 'ada@example.com',
      },
      violations: [],
    })
  })

  test('the input of a subscription has its ids in lower case', () => {
    expect(readSubscription({ ...data, plan_id: planId.toUpperCase() }).value?.planId).toBe(planId)
  })

  test('input.server-members-accepted: meta, id and type of a new subscription have no effect', () => {
    const { value, violations } = readSubscription({ ...data, meta: { status: 7, state: null }, id: 3, type: [] })
    expect(violations).toEqual([])
    expect(value).toEqual(readSubscription(data).value)
  })

  test('the input of a subscription reports every violation in the order of the fields', () => {
    const wrong = { payment_authority: { card_id: 'ab', type: 'bank' }, email: 'no', currency: 'usd', external_ref: 5 }
    expect(errorsOf(readSubscription(wrong).violations)).toEqual([
      'external_ref INVALID_TYPE',
      'account_id REQUIRED',
      'offering_id REQUIRED',
      'plan_id REQUIRED',
      'currency INVALID_FORMAT',
      'payment_authority.type INVALID_VALUE',
      'payment_authority.card_id TOO_SHORT',
      'name REQUIRED',
      'email TOO_SHORT',
    ])
  })
})

describe('subscription.plan-of-the-offering: the offering and plan of a new subscription', () => {
  const offering = { id: offeringId, planIds: [planId] } as unknown as ComposedOffering
  const plan = { id: planId } as Plan

  test('a new subscription may take a plan that belongs to its offering', () => {
    expect(subscriptionViolations([], offering, plan)).toEqual([])
  })

  test("a new subscription of an offering or plan that does not exist, or of another offering's plan, is a violation", () => {
    expect(errorsOf(subscriptionViolations([], null, plan))).toEqual(['offering_id NOT_FOUND'])
    expect(errorsOf(subscriptionViolations([], offering, null))).toEqual(['plan_id NOT_FOUND'])
    expect(errorsOf(subscriptionViolations([], { ...offering, planIds: [] }, plan))).toEqual([
      'plan_id PLAN_NOT_OFFERED',
    ])
  })

  test('http.violations-in-field-order: violations of the offering and plan stand among the others in the order of the fields', () => {
    const { violations } = readSubscription({ ...data, external_ref: 1, account_id: 1, currency: 1, name: 1 })
    expect(errorsOf(subscriptionViolations(violations, null, null))).toEqual([
      'external_ref INVALID_TYPE',
      'account_id INVALID_TYPE',
      'offering_id NOT_FOUND',
      'plan_id NOT_FOUND',
      'currency INVALID_TYPE',
      'name INVALID_TYPE',
    ])
  })
})
