/**
 * Creating a subscription, field by field in the order of its table: what may be given, each limit on both sides, and
 * every rule broken.
 */
import { astral, type Case, type ExpectedViolation, graphName } from '../../support/cases.ts'
import { idOf, subscriptionData } from '../../support/subscriptions.ts'

/** Exists, and is not a plan of offering 1. */
export const OTHER_PLAN = idOf('plan', 2)
const UNKNOWN = '0199c0de-0000-7000-8000-000000000000'

type Row = readonly [
  title: string,
  changes: Record<string, unknown>,
  violations?: readonly ExpectedViolation[],
  refusedByGraphql?: 'by language',
]

const gateway = (members: object) => ({ payment_authority: { type: 'platform_payments_gateway', ...members } })
const address = (length: number) => `${'a'.repeat(length - 2)}@b`

const rows: Row[] = [
  ['only what is required', {}],

  ['external_ref empty', { external_ref: '' }],
  ['limit: external_ref of 2048 code points', { external_ref: astral(2048) }],
  ['limit: external_ref of 2049 code points', { external_ref: astral(2049) }, [['TOO_LONG', 'external_ref']]],
  ['input.null-is-absence: external_ref null', { external_ref: null }],
  ['external_ref a number', { external_ref: 7 }, [['INVALID_TYPE', 'external_ref']], 'by language'],
  [
    'value.text-can-be-stored: external_ref with U+0000',
    { external_ref: 'a\u0000b' },
    [['INVALID_TEXT', 'external_ref']],
  ],
  [
    'value.text-can-be-stored: external_ref with a lone surrogate',
    { external_ref: 'a\ud800' },
    [['INVALID_TEXT', 'external_ref']],
  ],

  ['subscription.account-from-outside: an account that nobody knows', { account_id: UNKNOWN }],
  ['account_id in upper case', { account_id: idOf('account', 1).toUpperCase() }],
  ['account_id absent', { account_id: undefined }, [['REQUIRED', 'account_id']]],
  ['account_id null', { account_id: null }, [['REQUIRED', 'account_id']]],
  ['account_id empty', { account_id: '' }, [['INVALID_FORMAT', 'account_id']]],
  ['account_id no UUID', { account_id: 'acme' }, [['INVALID_FORMAT', 'account_id']]],
  ['account_id with a line break', { account_id: `${idOf('account', 1)}\n` }, [['INVALID_FORMAT', 'account_id']]],
  ['account_id true', { account_id: true }, [['INVALID_TYPE', 'account_id']], 'by language'],

  ['offering_id in upper case', { offering_id: idOf('offering', 1).toUpperCase() }],
  ['offering_id absent', { offering_id: undefined }, [['REQUIRED', 'offering_id']], 'by language'],
  ['offering_id no UUID', { offering_id: 'x' }, [['INVALID_FORMAT', 'offering_id']]],
  ['subscription.plan-of-the-offering: an unknown offering', { offering_id: UNKNOWN }, [['NOT_FOUND', 'offering_id']]],
  [
    'subscription.plan-of-the-offering: a plan in the place of an offering',
    { offering_id: idOf('plan', 1) },
    [['NOT_FOUND', 'offering_id']],
  ],

  ['plan_id absent', { plan_id: undefined }, [['REQUIRED', 'plan_id']], 'by language'],
  ['plan_id null', { plan_id: null }, [['REQUIRED', 'plan_id']], 'by language'],
  ['plan_id no UUID', { plan_id: 'x' }, [['INVALID_FORMAT', 'plan_id']]],
  ['subscription.plan-of-the-offering: an unknown plan', { plan_id: UNKNOWN }, [['NOT_FOUND', 'plan_id']]],
  [
    'subscription.plan-of-the-offering: a plan of another offering',
    { plan_id: OTHER_PLAN },
    [['PLAN_NOT_OFFERED', 'plan_id']],
  ],
  [
    'subscription.plan-of-the-offering: both unknown',
    { offering_id: UNKNOWN, plan_id: UNKNOWN },
    [
      ['NOT_FOUND', 'offering_id'],
      ['NOT_FOUND', 'plan_id'],
    ],
  ],
  [
    'subscription.plan-of-the-offering: unknown offering, known plan',
    { offering_id: UNKNOWN, plan_id: OTHER_PLAN },
    [['NOT_FOUND', 'offering_id']],
  ],

  ['currency absent', { currency: undefined }, [['REQUIRED', 'currency']], 'by language'],
  ['currency null', { currency: null }, [['REQUIRED', 'currency']], 'by language'],
  ['currency a number', { currency: 840 }, [['INVALID_TYPE', 'currency']], 'by language'],
  ['value.currency-of-three-capitals: currency in lower case', { currency: 'usd' }, [['INVALID_FORMAT', 'currency']]],
  ['value.currency-of-three-capitals: currency of two letters', { currency: 'US' }, [['INVALID_FORMAT', 'currency']]],
  [
    'value.currency-of-three-capitals: currency with a line break',
    { currency: 'USD\n' },
    [['INVALID_FORMAT', 'currency']],
  ],
  ['limit: currency of 1024 characters', { currency: 'A'.repeat(1024) }, [['INVALID_FORMAT', 'currency']]],
  ['limit: currency of 1025 characters', { currency: 'A'.repeat(1025) }, [['TOO_LONG', 'currency']]],

  ['subscription.gateway-by-default: payment authority with its type alone', gateway({})],
  ['limit: customer_id and card_id of 3 code points', gateway({ customer_id: astral(3), card_id: astral(3) })],
  ['limit: customer_id and card_id of 1024 code points', gateway({ customer_id: astral(1024), card_id: astral(1024) })],
  [
    'limit: customer_id of 2, card_id of 1025 code points',
    gateway({ customer_id: astral(2), card_id: astral(1025) }),
    [
      ['TOO_SHORT', 'payment_authority.customer_id'],
      ['TOO_LONG', 'payment_authority.card_id'],
    ],
  ],
  [
    'limit: customer_id of 1025, card_id of 2 code points',
    gateway({ customer_id: astral(1025), card_id: astral(2) }),
    [
      ['TOO_LONG', 'payment_authority.customer_id'],
      ['TOO_SHORT', 'payment_authority.card_id'],
    ],
  ],
  ['input.null-is-absence: payment_authority.customer_id null', gateway({ customer_id: null })],
  [
    'value.text-can-be-stored: card_id with U+0000',
    gateway({ card_id: 'card\u0000' }),
    [['INVALID_TEXT', 'payment_authority.card_id']],
  ],
  [
    'payment_authority.card_id a number',
    gateway({ card_id: 4242 }),
    [['INVALID_TYPE', 'payment_authority.card_id']],
    'by language',
  ],
  ['input.null-is-absence, subscription.gateway-by-default: payment_authority null', { payment_authority: null }],
  ['payment_authority a text', { payment_authority: 'cash' }, [['INVALID_TYPE', 'payment_authority']], 'by language'],
  ['payment_authority a list', { payment_authority: [] }, [['INVALID_TYPE', 'payment_authority']], 'by language'],
  [
    'payment_authority without type',
    { payment_authority: {} },
    [['REQUIRED', 'payment_authority.type']],
    'by language',
  ],
  [
    'subscription.gateway-by-default: another payment authority',
    gateway({ type: 'stripe' }),
    [['INVALID_VALUE', 'payment_authority.type']],
    'by language',
  ],

  ['limit: name of 3 code points', { name: astral(3) }],
  ['limit: name of 1024 code points', { name: astral(1024) }],
  ['limit: name of 2 code points', { name: astral(2) }, [['TOO_SHORT', 'name']]],
  ['limit: name of 1025 code points', { name: astral(1025) }, [['TOO_LONG', 'name']]],
  ['name absent', { name: undefined }, [['REQUIRED', 'name']], 'by language'],
  ['name null', { name: null }, [['REQUIRED', 'name']], 'by language'],
  ['value.text-can-be-stored: name with a lone surrogate', { name: 'Ada\udc00' }, [['INVALID_TEXT', 'name']]],

  ['limit: email of 3 characters', { email: address(3) }],
  ['limit: email of 1024 characters', { email: address(1024) }],
  ['limit: email of 2 characters', { email: '@b' }, [['TOO_SHORT', 'email']]],
  ['limit: email of 1025 characters', { email: address(1025) }, [['TOO_LONG', 'email']]],
  ['email without @', { email: 'ada.example.com' }, [['INVALID_FORMAT', 'email']]],
  ['email with two @', { email: 'ada@@example.com' }, [['INVALID_FORMAT', 'email']]],
  ['email with a space', { email: 'ada lovelace@example.com' }, [['INVALID_FORMAT', 'email']]],
  ['email absent', { email: undefined }, [['REQUIRED', 'email']], 'by language'],
  ['email an object', { email: {} }, [['INVALID_TYPE', 'email']], 'by language'],

  [
    'http.violations-in-field-order: every violation, in the order of the table, what only the database knows among them',
    {
      external_ref: astral(2049),
      account_id: 'x',
      offering_id: UNKNOWN,
      plan_id: 'y',
      currency: 'eur',
      ...gateway({ customer_id: 'ab', card_id: 'ab' }),
      name: 'ab',
      email: 'abc',
    },
    [
      ['TOO_LONG', 'external_ref'],
      ['INVALID_FORMAT', 'account_id'],
      ['NOT_FOUND', 'offering_id'],
      ['INVALID_FORMAT', 'plan_id'],
      ['INVALID_FORMAT', 'currency'],
      ['TOO_SHORT', 'payment_authority.customer_id'],
      ['TOO_SHORT', 'payment_authority.card_id'],
      ['TOO_SHORT', 'name'],
      ['INVALID_FORMAT', 'email'],
    ],
  ],
  [
    'subscription.plan-of-the-offering: a plan that is not offered, reported with the rest',
    { plan_id: OTHER_PLAN, name: 'ab' },
    [
      ['PLAN_NOT_OFFERED', 'plan_id'],
      ['TOO_SHORT', 'name'],
    ],
  ],
]

export const cases: readonly Case<Record<string, unknown>>[] = rows.map(
  ([title, changes, violations, refusedByGraphql]) => ({
    title,
    input: subscriptionData(changes),
    ...(violations && { violations }),
    ...(refusedByGraphql && { refusedByGraphql: true }),
  }),
)

/** The graph's input for `data` of 4.5: camelCase, the gateway as an enum's name. */
export function graphInput(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, member]) => {
    const inner =
      name === 'type' && member === 'platform_payments_gateway' ? 'PLATFORM_PAYMENTS_GATEWAY' : graphInput(member)
    return [graphName(name), inner]
  })
  return Object.fromEntries(entries)
}
