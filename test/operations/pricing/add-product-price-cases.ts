/** Adding a product price, section by section: what may be given, each limit on both sides, and every rule broken. */
import { astral, type Case, type ExpectedViolation } from '../../support/cases.ts'

const BUNDLE = '0190a000-0000-7000-8000-00000000000b'
const OTHER = '0190a000-0000-7000-8000-00000000000c'

type Members = Record<string, unknown>

/** A document with the attributes, over a SKU and no currencies. A member that is undefined is left out. */
export function price(attributes: Members = {}): Members {
  return { type: 'product-price', attributes: { sku: 'NEW', currencies: {}, ...attributes } }
}

const usd = (members: Members): Members => price({ currencies: { USD: members } })
const tiers = (map: Members): Members => usd({ amount: 100, tiers: map })
const sales = (map: unknown): Members => price({ sales: map })
const schedule = (valid_from: unknown, valid_to: unknown): Members => ({ schedule: { valid_from, valid_to } })
const keys = (count: number): Members =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, `v${index}`]))
const own = (name: string, value: unknown): Members => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

/** The sales of two prices that are always there: one in the book, one in another. */
export const seasons = {
  summer: schedule('2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z'),
  winter: schedule('2026-12-01T00:00:00Z', null),
}

const at = (path: string, code: string, graphPath?: string): ExpectedViolation[] => [
  graphPath === undefined ? [code, `attributes.${path}`] : [code, `attributes.${path}`, graphPath],
]

type Row = readonly [
  title: string,
  input: Members,
  violations?: readonly ExpectedViolation[],
  refusedByGraphql?: 'by language',
]

const taken: Row[] = [
  ['price-book.price-may-be-empty: empty currencies', price()],
  ['every attribute of 2.3 at once', price({ ...full(), external_ref: 'ERP-1' })],
  [
    'value.numbers-never-rounded: amount null, absent and zero',
    price({ currencies: { USD: { amount: null }, EUR: {}, GBP: { amount: 0 } } }),
  ],
  ['limit: value.numbers-never-rounded: amount 2^53-1', usd({ amount: Number.MAX_SAFE_INTEGER })],
  [
    'price.tax-flag-of-its-source: includes_tax absent, null, false and true',
    price({
      currencies: {
        USD: { amount: 1 },
        EUR: { amount: 1, includes_tax: null },
        GBP: { amount: 1, includes_tax: false },
        CAD: { amount: 1, includes_tax: true },
      },
    }),
  ],
  ['tiers null', usd({ amount: 1, tiers: null })],
  ['tiers empty', usd({ amount: 1, tiers: {} })],
  [
    'limit: tier.minimum-from-one: minimum_quantity 1 and 2^53-1',
    tiers({ one: { minimum_quantity: 1, amount: 9 }, all: { minimum_quantity: Number.MAX_SAFE_INTEGER, amount: 0 } }),
  ],
  ['tier amount null and absent', tiers({ a: { minimum_quantity: 2, amount: null }, b: { minimum_quantity: 3 } })],
  [
    'tier.minimums-differ: the same minimum in two currencies',
    price({
      currencies: { USD: { tiers: { a: { minimum_quantity: 2 } } }, EUR: { tiers: { a: { minimum_quantity: 2 } } } },
    }),
  ],
  ['external_ref null', price({ external_ref: null })],
  ['external_ref empty', price({ external_ref: '' })],
  ['limit: value.lengths-in-code-points: external_ref of 2048 code points', price({ external_ref: astral(2048) })],
  ['limit: sku of 1 character', price({ sku: 'x' })],
  ['limit: sku of 1024 code points', price({ sku: astral(1024) })],
  [
    'price-book.skus-compare-exactly: sku with quotes, spaces, SQL and a letter case of its own',
    price({ sku: `it's "A"; DROP TABLE sale; -- %_\\ $1 Ⅷ ß` }),
  ],
  [
    'price-book.skus-compare-exactly: skus that only a folding would make equal to the stored one',
    price({ sku: 'taken' }),
  ],
  ['limit: 100 attribute keys', price({ admin_attributes: keys(100), shopper_attributes: keys(100) })],
  ['attribute values null and empty', price({ admin_attributes: { a: null, b: '' }, shopper_attributes: { c: null } })],
  ['attributes null and empty', price({ admin_attributes: null, shopper_attributes: {} })],
  [
    'keys that JavaScript objects inherit',
    price({
      admin_attributes: { hasOwnProperty: 'x' },
      shopper_attributes: { constructor: 'y', toJSON: 'z', $type: 'Json' },
    }),
  ],
  ['sales null', sales(null)],
  [
    'sale.several-need-schedules: one sale with schedule null',
    sales({ s: { schedule: null, currencies: { USD: { amount: 1 } } } }),
  ],
  ['sale.schedules-differ: one sale with both bounds null', sales({ s: schedule(null, null) })],
  ['sale.empty-changes-nothing: a sale with nothing in it', sales({ s: {} })],
  ['a sale with currencies null', sales({ s: { currencies: null } })],
  [
    'sale.ends-after-it-starts: one open bound each',
    sales({
      a: schedule('2026-01-01T00:00:00Z', null),
      b: schedule(null, '2026-01-01T00:00:00Z'),
      c: { schedule: { valid_to: '2027-01-01T00:00:00Z' } },
    }),
  ],
  [
    'sale.ends-after-it-starts: valid_to one millisecond after valid_from',
    sales({ s: schedule('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z') }),
  ],
  [
    'sale.shortest-period-wins: schedules that overlap or touch',
    sales({
      a: schedule('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
      b: schedule('2026-01-15T00:00:00Z', '2026-02-15T00:00:00Z'),
      c: schedule('2026-02-01T00:00:00Z', '2026-02-15T00:00:00Z'),
    }),
  ],
  [
    'value.instants-cut-to-milliseconds: instants without an offset, with one, in lower case and cut to milliseconds',
    sales({ s: schedule('2026-01-01T00:00:00', '2026-01-02t05:30:00.99999+05:30') }),
  ],
  [
    'sale.rules-hold-per-price: the names and schedules that the sales of other SKUs have, in the book and in another',
    sales(seasons),
  ],
  [
    'value.instants-cut-to-milliseconds: the first and the last instant',
    sales({ s: schedule('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z') }),
  ],
  [
    'bundle_ids null, empty, twice the same and in upper case',
    sales({
      a: { bundle_ids: null, ...schedule('2026-01-01T00:00:00Z', null) },
      b: { bundle_ids: [], ...schedule('2026-01-02T00:00:00Z', null) },
      c: { bundle_ids: [BUNDLE, BUNDLE.toUpperCase()], ...schedule('2026-01-03T00:00:00Z', null) },
    }),
  ],
  [
    'limit: sale and tier names of 1024 code points',
    price({
      sales: { [astral(1024)]: { currencies: { USD: { tiers: { [astral(1024)]: { minimum_quantity: 1 } } } } } },
    }),
  ],
]

const refused: Row[] = [
  ['sku absent', price({ sku: undefined }), at('sku', 'REQUIRED'), 'by language'],
  ['sku null', price({ sku: null }), at('sku', 'REQUIRED'), 'by language'],
  ['sku a number', price({ sku: 5 }), at('sku', 'INVALID_TYPE'), 'by language'],
  ['sku empty', price({ sku: '' }), at('sku', 'TOO_SHORT')],
  ['limit: sku of 1025 code points', price({ sku: astral(1025) }), at('sku', 'TOO_LONG')],
  ['value.text-can-be-stored: sku with U+0000', price({ sku: 'a\u0000' }), at('sku', 'INVALID_TEXT')],
  ['value.text-can-be-stored: sku with a lone surrogate', price({ sku: 'a\ud800' }), at('sku', 'INVALID_TEXT')],
  ['currencies absent', price({ currencies: undefined }), at('currencies', 'REQUIRED'), 'by language'],
  ['currencies null', price({ currencies: null }), at('currencies', 'REQUIRED'), 'by language'],
  ['currencies a text', price({ currencies: 'USD' }), at('currencies', 'INVALID_TYPE'), 'by language'],
  [
    'value.currency-of-three-capitals: a currency in lower case',
    price({ currencies: { usd: { amount: 1 } } }),
    at('currencies.usd', 'INVALID_FORMAT'),
  ],
  [
    'value.currency-of-three-capitals: a currency of four letters, and an empty one',
    price({ currencies: { USDX: {}, '': {} } }),
    [...at('currencies.USDX', 'INVALID_FORMAT'), ...at('currencies.', 'INVALID_FORMAT')],
  ],
  [
    'value.currency-of-three-capitals: a currency with U+0000',
    price({ currencies: { 'US\u0000': {} } }),
    at('currencies.US\u0000', 'INVALID_TEXT'),
  ],
  ['a currency null', price({ currencies: { USD: null } }), at('currencies.USD', 'REQUIRED')],
  [
    'a currency that is a number',
    price({ currencies: { USD: 5 } }),
    at('currencies.USD', 'INVALID_TYPE'),
    'by language',
  ],
  ['value.numbers-never-rounded: amount -1', usd({ amount: -1 }), at('currencies.USD.amount', 'OUT_OF_RANGE')],
  [
    'value.numbers-never-rounded: amount 2^53',
    usd({ amount: 2 ** 53 }),
    at('currencies.USD.amount', 'OUT_OF_RANGE'),
    'by language',
  ],
  [
    'value.numbers-never-rounded: amount 1.5',
    usd({ amount: 1.5 }),
    at('currencies.USD.amount', 'OUT_OF_RANGE'),
    'by language',
  ],
  ['amount a text', usd({ amount: '100' }), at('currencies.USD.amount', 'INVALID_TYPE'), 'by language'],
  [
    'includes_tax a text',
    usd({ amount: 1, includes_tax: 'no' }),
    at('currencies.USD.includes_tax', 'INVALID_TYPE'),
    'by language',
  ],
  ['tiers a text', usd({ tiers: 'x' }), at('currencies.USD.tiers', 'INVALID_TYPE'), 'by language'],
  ['a tier null', tiers({ t: null }), at('currencies.USD.tiers.t', 'REQUIRED'), 'by language'],
  [
    'tier.minimum-from-one: minimum_quantity absent',
    tiers({ t: { amount: 1 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
  ],
  [
    'tier.minimum-from-one: minimum_quantity null',
    tiers({ t: { minimum_quantity: null, amount: 1 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
  ],
  [
    'tier.minimum-from-one: minimum_quantity 0',
    tiers({ t: { minimum_quantity: 0, amount: 1 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
  ],
  [
    'tier.minimum-from-one: minimum_quantity -1',
    tiers({ t: { minimum_quantity: -1, amount: 1 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
  ],
  [
    'tier.minimum-from-one: every tier without a minimum is named',
    tiers({ a: {}, b: { minimum_quantity: 2 }, c: {} }),
    [
      ...at('currencies.USD.tiers.a.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
      ...at('currencies.USD.tiers.c.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
    ],
  ],
  [
    'minimum_quantity 2^53',
    tiers({ t: { minimum_quantity: 2 ** 53 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'OUT_OF_RANGE'),
    'by language',
  ],
  [
    'minimum_quantity 1.5',
    tiers({ t: { minimum_quantity: 1.5 } }),
    at('currencies.USD.tiers.t.minimum_quantity', 'OUT_OF_RANGE'),
    'by language',
  ],
  [
    'tier.minimums-differ: two tiers of one minimum',
    tiers({ a: { minimum_quantity: 5, amount: 1 }, b: { minimum_quantity: 5, amount: 2 } }),
    at('currencies.USD.tiers.b.minimum_quantity', 'TIER_CONFLICT'),
  ],
  [
    'a tier amount of -1',
    tiers({ t: { minimum_quantity: 2, amount: -1 } }),
    at('currencies.USD.tiers.t.amount', 'OUT_OF_RANGE'),
  ],
  [
    'a tier name that is empty, and one of 1025 characters',
    tiers({ '': { minimum_quantity: 2 }, [astral(1025)]: { minimum_quantity: 3 } }),
    [...at('currencies.USD.tiers.', 'INVALID_FORMAT'), ...at(`currencies.USD.tiers.${astral(1025)}`, 'INVALID_FORMAT')],
  ],
  ['sales a text', sales('x'), at('sales', 'INVALID_TYPE'), 'by language'],
  ['a sale null', sales({ s: null }), at('sales.s', 'REQUIRED'), 'by language'],
  ['a sale name that is empty', sales({ '': {} }), at('sales.', 'INVALID_FORMAT')],
  [
    'limit: a sale name of 1025 characters',
    sales({ [astral(1025)]: {} }),
    at(`sales.${astral(1025)}`, 'INVALID_FORMAT'),
  ],
  [
    'value.text-can-be-stored: a sale name with a lone surrogate',
    sales({ 'a\udc00': {} }),
    at('sales.a\ufffd', 'INVALID_TEXT'),
  ],
  [
    'bundle_ids not UUIDs',
    sales({ s: { bundle_ids: [BUNDLE, 'x', ''] } }),
    [...at('sales.s.bundle_ids.1', 'INVALID_FORMAT'), ...at('sales.s.bundle_ids.2', 'INVALID_FORMAT')],
  ],
  ['bundle_ids with null', sales({ s: { bundle_ids: [null] } }), at('sales.s.bundle_ids.0', 'REQUIRED'), 'by language'],
  [
    'a schedule that is a text',
    sales({ s: { schedule: '2026' } }),
    at('sales.s.schedule', 'INVALID_TYPE'),
    'by language',
  ],
  [
    'value.instants-cut-to-milliseconds: a date without a time',
    sales({ s: schedule('2026-01-01', null) }),
    at('sales.s.schedule.valid_from', 'INVALID_FORMAT'),
    'by language',
  ],
  [
    'value.instants-cut-to-milliseconds: second 60 and a day that the calendar lacks',
    sales({ s: schedule('2026-06-30T23:59:60Z', '2026-02-29T00:00:00Z') }),
    [...at('sales.s.schedule.valid_from', 'INVALID_FORMAT'), ...at('sales.s.schedule.valid_to', 'INVALID_FORMAT')],
    'by language',
  ],
  [
    'valid_from a number',
    sales({ s: schedule(0, null) }),
    at('sales.s.schedule.valid_from', 'INVALID_TYPE'),
    'by language',
  ],
  [
    'sale.schedules-differ: schedules equal as instants with other offsets',
    sales({
      a: schedule('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      b: schedule('2026-01-01T02:00:00+02:00', '2026-01-01T19:00:00-05:00'),
    }),
    at('sales.b.schedule', 'SALE_SCHEDULE_DUPLICATE'),
  ],
  [
    'sale.schedules-differ, value.instants-cut-to-milliseconds: schedules equal once cut to milliseconds',
    sales({ a: schedule('2026-01-01T10:00:00.0001Z', null), b: schedule('2026-01-01T10:00:00.0009Z', null) }),
    at('sales.b.schedule', 'SALE_SCHEDULE_DUPLICATE'),
  ],
  [
    'sale.schedules-differ: equal schedules with disjoint bundle_ids',
    sales({
      a: { bundle_ids: [BUNDLE], ...schedule(null, '2026-01-01T00:00:00Z') },
      b: { bundle_ids: [OTHER], ...schedule(null, '2026-01-01T00:00:00Z') },
    }),
    at('sales.b.schedule', 'SALE_SCHEDULE_DUPLICATE'),
  ],
  [
    'sale.several-need-schedules: two sales of which one has no schedule',
    sales({ a: schedule('2026-01-01T00:00:00Z', null), b: {} }),
    at('sales.b.schedule', 'SALE_SCHEDULE_REQUIRED'),
  ],
  [
    'sale.several-need-schedules, sale.schedules-differ: three without: {}, null, both bounds null',
    sales({ a: { schedule: {} }, b: { schedule: null }, c: schedule(null, null) }),
    [
      ...at('sales.a.schedule', 'SALE_SCHEDULE_REQUIRED'),
      ...at('sales.b.schedule', 'SALE_SCHEDULE_REQUIRED'),
      ...at('sales.c.schedule', 'SALE_SCHEDULE_REQUIRED'),
    ],
  ],
  [
    'sale.ends-after-it-starts: valid_to equal to valid_from',
    sales({ s: schedule('2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00') }),
    at('sales.s.schedule.valid_to', 'SALE_SCHEDULE_INVALID'),
  ],
  [
    'sale.ends-after-it-starts: valid_to before valid_from',
    sales({ s: schedule('2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00Z') }),
    at('sales.s.schedule.valid_to', 'SALE_SCHEDULE_INVALID'),
  ],
  [
    'tier.minimum-from-one, tier.minimums-differ, tier.same-rules-everywhere: tiers inside a sale',
    sales({ s: { currencies: { USD: { tiers: { a: {}, b: { minimum_quantity: 1 }, c: { minimum_quantity: 1 } } } } } }),
    [
      ...at('sales.s.currencies.USD.tiers.a.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
      ...at('sales.s.currencies.USD.tiers.c.minimum_quantity', 'TIER_CONFLICT'),
    ],
  ],
  [
    'value.numbers-never-rounded: a sale amount of -1',
    sales({ s: { currencies: { USD: { amount: -1 } } } }),
    at('sales.s.currencies.USD.amount', 'OUT_OF_RANGE'),
  ],
  ['limit: external_ref of 2049 code points', price({ external_ref: astral(2049) }), at('external_ref', 'TOO_LONG')],
  ['external_ref a number', price({ external_ref: 1 }), at('external_ref', 'INVALID_TYPE'), 'by language'],
  [
    'value.text-can-be-stored: external_ref with U+0000',
    price({ external_ref: '\u0000' }),
    at('external_ref', 'INVALID_TEXT'),
  ],
  [
    'limit: 101 attribute keys',
    price({ admin_attributes: keys(101), shopper_attributes: keys(101) }),
    [...at('admin_attributes', 'TOO_MANY'), ...at('shopper_attributes', 'TOO_MANY')],
  ],
  [
    'an attribute that is a number',
    price({ shopper_attributes: { a: 1 } }),
    at('shopper_attributes.a', 'INVALID_TYPE'),
    'by language',
  ],
  ['attributes a text', price({ admin_attributes: 'x' }), at('admin_attributes', 'INVALID_TYPE'), 'by language'],
  [
    'value.text-can-be-stored: U+0000 in the value and in the key of an attribute',
    price({ admin_attributes: { a: '\u0000', 'b\u0000': 'x' } }),
    [...at('admin_attributes.a', 'INVALID_TEXT'), ...at('admin_attributes.b\u0000', 'INVALID_TEXT')],
  ],
  [
    'a tier, a sale and attributes named __proto__',
    price({
      currencies: { USD: { amount: 1, tiers: own('__proto__', { minimum_quantity: 2 }) } },
      sales: own('__proto__', {}),
      admin_attributes: own('__proto__', 'x'),
      shopper_attributes: own('__proto__', null),
    }),
    [
      ['INVALID_VALUE', 'attributes.currencies.USD.tiers.__proto__', 'prices.USD.tiers.__proto__'],
      ['INVALID_VALUE', 'attributes.sales.__proto__', 'sales.__proto__'],
      ['INVALID_VALUE', 'attributes.admin_attributes.__proto__', 'adminAttributes.__proto__'],
      ['INVALID_VALUE', 'attributes.shopper_attributes.__proto__', 'shopperAttributes.__proto__'],
    ],
  ],
  [
    'http.violations-in-field-order: every broken rule, in the order of the field table',
    everythingWrong(),
    [
      ...at('sku', 'TOO_SHORT'),
      ...at('currencies.USD.amount', 'OUT_OF_RANGE'),
      ...at('currencies.USD.tiers.t.minimum_quantity', 'TIER_MINIMUM_QUANTITY'),
      ...at('sales.s.bundle_ids.0', 'INVALID_FORMAT'),
      ...at('sales.s.schedule.valid_to', 'SALE_SCHEDULE_INVALID'),
      ...at('external_ref', 'TOO_LONG'),
      ...at('shopper_attributes', 'TOO_MANY'),
    ],
  ],
  [
    'price-book.one-price-per-sku: the SKU is taken',
    price({ sku: 'TAKEN', currencies: { USD: { amount: 1 } }, sales: { s: {} } }),
    at('sku', 'PRICE_EXISTS'),
  ],
  [
    'price-book.external-ref-once-per-book: the external_ref is taken in the book',
    price({ external_ref: 'taken-ref' }),
    at('external_ref', 'EXTERNAL_REF_TAKEN'),
  ],
  [
    'http.violations-in-field-order: of two conflicts the SKU is reported, whether one price has both',
    price({ sku: 'TAKEN', external_ref: 'taken-ref' }),
    at('sku', 'PRICE_EXISTS'),
  ],
  [
    'http.violations-in-field-order: or one price each',
    price({ sku: 'TAKEN', external_ref: 'taken-too' }),
    at('sku', 'PRICE_EXISTS'),
  ],
  [
    'http.violations-in-field-order: what is wrong in itself is reported before any conflict, and alone',
    price({ sku: 'TAKEN', external_ref: 'taken-ref', currencies: { USD: { amount: -1 } } }),
    at('currencies.USD.amount', 'OUT_OF_RANGE'),
  ],
  [
    'http.violations-in-field-order: all that is wrong in itself, of a price that would conflict twice',
    price({ sku: 'TAKEN', external_ref: 'taken-ref', currencies: { usd: {} }, sales: { a: {}, b: {} } }),
    [
      ...at('currencies.usd', 'INVALID_FORMAT'),
      ...at('sales.a.schedule', 'SALE_SCHEDULE_REQUIRED'),
      ...at('sales.b.schedule', 'SALE_SCHEDULE_REQUIRED'),
    ],
  ],
  [
    'price-book.external-ref-once-per-book: the external_ref and SKU of another book are free',
    price({ sku: 'ELSEWHERE', external_ref: 'elsewhere-ref' }),
  ],
]

export const cases: readonly Case<Members>[] = [...taken, ...refused].map(
  ([title, input, violations, refusedByGraphql]) => ({
    title,
    input,
    ...(violations && { violations }),
    ...(refusedByGraphql && { refusedByGraphql: true as const }),
  }),
)

export function full(): Members {
  return {
    sku: 'FULL',
    currencies: {
      USD: {
        amount: 1000,
        includes_tax: true,
        tiers: { bulk: { minimum_quantity: 10, amount: 800 }, few: { minimum_quantity: 5, amount: 900 } },
      },
      EUR: { amount: 950, includes_tax: false },
    },
    sales: {
      winter: {
        bundle_ids: [BUNDLE],
        ...schedule('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
        currencies: { USD: { amount: 700, tiers: { few: { minimum_quantity: 2, amount: 650 } } } },
      },
      late: schedule('2026-01-10T00:00:00Z', null),
    },
    admin_attributes: { margin: '12%', note: null },
    shopper_attributes: { badge: 'new' },
  }
}

function everythingWrong(): Members {
  return price({
    shopper_attributes: keys(101),
    external_ref: astral(2049),
    sales: { s: { ...schedule('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'), bundle_ids: ['x'] } },
    currencies: { USD: { tiers: { t: {} }, amount: -1 } },
    sku: '',
  })
}
