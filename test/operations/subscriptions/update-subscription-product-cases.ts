/**
 * Updating a subscription product, attribute by attribute in the order of its table, over a stored product that has
 * them all.
 */
import { camelCase } from '../../../src/graphql/schema/graph-input.ts'
import { astral, type Case, type ExpectedViolation } from '../../support/cases.ts'

type Members = Record<string, unknown>
type Row = readonly [
  title: string,
  attributes: Members,
  violations?: readonly ExpectedViolation[],
  refusedByGraphql?: 'by language',
]

export const stored = {
  externalRef: 'erp-1',
  name: 'Coffee box',
  description: 'Beans',
  sku: 'COFFEE',
  mainImage: 'https://cdn.example.com/box.png',
  price: { EUR: { amount: 950, includes_tax: true }, USD: { amount: 1050, includes_tax: false } },
  priceUnits: { unit: 'month', amount: 1 },
}

const at = (code: string, path: string): ExpectedViolation[] => [[code, `attributes.${path}`]]

/** What every text that may be cleared goes through. */
function textRows(name: string, max: number, good: (length: number) => string, bad: (length: number) => string): Row[] {
  return [
    [`patch.absent-keeps-null-clears: ${name} null`, { [name]: null }],
    [`patch.absent-keeps-null-clears: ${name} a value`, { [name]: good(40) }],
    [`limit: ${name} of ${max} code points`, { [name]: good(max) }],
    [`limit: ${name} of ${max + 1} code points`, { [name]: bad(max + 1) }, at('TOO_LONG', name)],
    [`${name} a number`, { [name]: 5 }, at('INVALID_TYPE', name), 'by language'],
    [`${name} a list`, { [name]: ['x', 'y'] }, at('INVALID_TYPE', name), 'by language'],
    [`value.text-can-be-stored: ${name} with U+0000`, { [name]: 'https://a.b/c\u0000d' }, at('INVALID_TEXT', name)],
    [
      `value.text-can-be-stored: ${name} with a lone surrogate`,
      { [name]: 'https://a.b/\ud83d' },
      at('INVALID_TEXT', name),
    ],
  ]
}

const url = (length: number) => `https://a.b/${'c'.repeat(length - 12)}`
const usd = (entry: unknown): Members => ({ price: { USD: entry } })
const units = (unit: unknown, amount: unknown): Members => ({ price_units: { unit, amount } })

const texts: Row[] = [
  ...textRows('external_ref', 2048, astral, astral),
  ['external_ref empty', { external_ref: '' }],

  ['limit: name of 3 code points', { name: astral(3) }],
  ['limit: name of 2 code points', { name: astral(2) }, at('TOO_SHORT', 'name')],
  ['limit: name of 1024 code points', { name: astral(1024) }],
  ['limit: name of 1025 code points', { name: astral(1025) }, at('TOO_LONG', 'name')],
  ['name empty', { name: '' }, at('TOO_SHORT', 'name')],
  ['patch.absent-keeps-null-clears: name null', { name: null }, at('REQUIRED', 'name')],
  ['name a number', { name: 123 }, at('INVALID_TYPE', 'name'), 'by language'],
  ['value.text-can-be-stored: name with U+0000', { name: 'abc\u0000' }, at('INVALID_TEXT', 'name')],
  ['value.text-can-be-stored: name with a lone surrogate', { name: 'abc\udfff' }, at('INVALID_TEXT', 'name')],

  ...textRows('description', 1024, astral, astral),
  ['description empty', { description: '' }],
  ...textRows('sku', 1024, astral, astral),

  ...textRows('main_image', 1024, url, url),
  [
    'value.text-can-be-stored: main_image over http, with a port, a query and a fragment',
    { main_image: 'http://cdn.example.com:8080/a.png?b=c#d' },
  ],
  [
    'value.text-can-be-stored: main_image of another scheme',
    { main_image: 'ftp://cdn.example.com/a.png' },
    at('INVALID_FORMAT', 'main_image'),
  ],
  [
    'value.text-can-be-stored: main_image that would run',
    { main_image: 'javascript:alert(1)' },
    at('INVALID_FORMAT', 'main_image'),
  ],
  ['value.text-can-be-stored: main_image relative', { main_image: '/a.png' }, at('INVALID_FORMAT', 'main_image')],
  ['value.text-can-be-stored: main_image without host', { main_image: 'https://' }, at('INVALID_FORMAT', 'main_image')],
  [
    'value.text-can-be-stored: main_image with a space',
    { main_image: 'https://a.b/c d' },
    at('INVALID_FORMAT', 'main_image'),
  ],
  [
    'main_image with an IPv6 address and what may stand in a path',
    { main_image: "https://[::1]/a%20b/~!$&'()*+,;=:@" },
  ],
  ...['ü', 'a|b', '%zz', '{id}', '[a]', 'a\\b', '"', '#b#c'].map(
    (part): Row => [
      `main_image that RFC 3986 does not allow: ${part}`,
      { main_image: `https://a.b/${part}` },
      at('INVALID_FORMAT', 'main_image'),
    ],
  ),
  ['main_image empty', { main_image: '' }, at('INVALID_FORMAT', 'main_image')],
]

const prices: Row[] = [
  ['patch.maps-merge-at-every-depth: price with one more currency', { price: { GBP: { amount: 800 } } }],
  ['patch.maps-merge-at-every-depth: price of a stored currency', usd({ amount: 1, includes_tax: true })],
  [
    'patch.maps-merge-at-every-depth: price of a stored currency, its amount alone',
    { price: { EUR: { amount: 18_000 } } },
  ],
  [
    'patch.maps-merge-at-every-depth: price of a stored currency, includes_tax alone',
    { price: { EUR: { includes_tax: false } } },
  ],
  ['patch.maps-merge-at-every-depth: price of a stored currency, nothing of it', { price: { EUR: {} } }],
  ['patch.maps-merge-at-every-depth: price null for a stored currency', usd(null)],
  ['patch.maps-merge-at-every-depth: price null for a currency that is not stored', { price: { JPY: null } }],
  ['patch.maps-merge-at-every-depth: price null for every stored currency', { price: { USD: null, EUR: null } }],
  [
    'patch.maps-merge-at-every-depth: price with a currency set, one removed, one kept',
    { price: { USD: null, CAD: { amount: 7 } } },
  ],
  ['patch.maps-merge-at-every-depth: price null', { price: null }],
  ['patch.maps-merge-at-every-depth: price empty', { price: {} }],
  ['limit: value.numbers-never-rounded: amount 0', usd({ amount: 0 })],
  ['limit: value.numbers-never-rounded: amount 2^53-1', usd({ amount: Number.MAX_SAFE_INTEGER })],
  [
    'value.numbers-never-rounded: amount 2^53',
    usd({ amount: Number.MAX_SAFE_INTEGER + 1 }),
    at('OUT_OF_RANGE', 'price.USD.amount'),
    'by language',
  ],
  ['value.numbers-never-rounded: amount -1', usd({ amount: -1 }), at('OUT_OF_RANGE', 'price.USD.amount')],
  [
    'value.numbers-never-rounded: amount 0.5',
    usd({ amount: 0.5 }),
    at('OUT_OF_RANGE', 'price.USD.amount'),
    'by language',
  ],
  [
    'value.numbers-never-rounded: amount as text',
    usd({ amount: '100' }),
    at('INVALID_TYPE', 'price.USD.amount'),
    'by language',
  ],
  ['value.numbers-never-rounded: amount null', usd({ amount: null }), at('REQUIRED', 'price.USD.amount')],
  [
    'patch.maps-merge-at-every-depth: amount absent of a new currency',
    { price: { GBP: { includes_tax: true } } },
    at('REQUIRED', 'price.GBP.amount'),
  ],
  [
    'patch.maps-merge-at-every-depth: amount absent of a stored currency, beside other broken rules',
    { price: { GBP: {}, USD: { includes_tax: true }, CAD: { amount: -1 } } },
    [
      ['REQUIRED', 'attributes.price.GBP.amount'],
      ['OUT_OF_RANGE', 'attributes.price.CAD.amount'],
    ],
  ],
  ['price.tax-flag-of-its-source: includes_tax null', usd({ amount: 5, includes_tax: null })],
  [
    'includes_tax as text',
    usd({ amount: 5, includes_tax: 'yes' }),
    at('INVALID_TYPE', 'price.USD.includes_tax'),
    'by language',
  ],
  ['price entry a number', usd(100), at('INVALID_TYPE', 'price.USD'), 'by language'],
  ['price a number', { price: 100 }, at('INVALID_TYPE', 'price'), 'by language'],
  [
    'value.currency-of-three-capitals: currency in lower case',
    { price: { usd: { amount: 1 } } },
    at('INVALID_FORMAT', 'price.usd'),
  ],
  [
    'value.currency-of-three-capitals: currency of four letters',
    { price: { USDT: { amount: 1 } } },
    at('INVALID_FORMAT', 'price.USDT'),
  ],
  [
    'value.currency-of-three-capitals: currency empty, to be removed',
    { price: { '': null } },
    at('INVALID_FORMAT', 'price.'),
  ],
  [
    'currency named like a member of every object',
    JSON.parse('{"price":{"__proto__":{"amount":1}}}'),
    [['INVALID_FORMAT', 'attributes.price.__proto__', 'prices.__proto__']],
  ],
]

const periods: Row[] = [
  ['patch.absent-keeps-null-clears: price_units null', { price_units: null }],
  ['price_units of days', units('day', 30)],
  ['limit: price_units.amount 1', units('day', 1)],
  ['limit: price_units.amount 0', units('month', 0), at('OUT_OF_RANGE', 'price_units.amount')],
  ['price_units.amount -1', units('month', -1), at('OUT_OF_RANGE', 'price_units.amount')],
  ['limit: price_units.amount 2^53-1', units('month', Number.MAX_SAFE_INTEGER)],
  ['price_units.amount 1.5', units('month', 1.5), at('OUT_OF_RANGE', 'price_units.amount'), 'by language'],
  ['price_units.amount absent', units('month', undefined), at('REQUIRED', 'price_units.amount'), 'by language'],
  ['price_units.amount null', units('month', null), at('REQUIRED', 'price_units.amount'), 'by language'],
  ['price_units.unit absent', units(undefined, 1), at('REQUIRED', 'price_units.unit'), 'by language'],
  ['price_units.unit of weeks', units('week', 1), at('INVALID_VALUE', 'price_units.unit'), 'by language'],
  ['price_units a text', { price_units: 'month' }, at('INVALID_TYPE', 'price_units'), 'by language'],
]

const wholes: Row[] = [
  ['patch.equal-values-write-nothing: no attributes', {}],
  [
    'patch.equal-values-write-nothing: every attribute as it is stored',
    {
      external_ref: stored.externalRef,
      name: stored.name,
      description: stored.description,
      sku: stored.sku,
      main_image: stored.mainImage,
      price: stored.price,
      price_units: stored.priceUnits,
    },
  ],
  [
    'patch.equal-values-write-nothing: a currency removed that was never there, and nothing else',
    { price: { GBP: null }, name: stored.name },
  ],
  [
    'patch.absent-keeps-null-clears: every attribute at once',
    {
      external_ref: 'erp-2',
      name: 'Tea box',
      description: null,
      sku: 'TEA',
      main_image: null,
      price: null,
      price_units: { unit: 'day', amount: 14 },
    },
  ],
  [
    'http.violations-in-field-order: every violation, in the order of the table, and nothing of the rest is stored',
    {
      price_units: { unit: 'month', amount: 0 },
      price: { EUR: { amount: 1 }, eur: { amount: 1 }, USD: { amount: -5 } },
      main_image: 'x',
      sku: astral(1025),
      description: 'fine',
      name: 'ab',
      external_ref: astral(2049),
    },
    [
      ['TOO_LONG', 'attributes.external_ref'],
      ['TOO_SHORT', 'attributes.name'],
      ['TOO_LONG', 'attributes.sku'],
      ['INVALID_FORMAT', 'attributes.main_image'],
      ['INVALID_FORMAT', 'attributes.price.eur'],
      ['OUT_OF_RANGE', 'attributes.price.USD.amount'],
      ['OUT_OF_RANGE', 'attributes.price_units.amount'],
    ],
  ],
]

export const cases: readonly Case<Members>[] = [...texts, ...prices, ...periods, ...wholes].map(
  ([title, input, violations, refusedByGraphql]) => ({
    title,
    input,
    ...(violations && { violations }),
    ...(refusedByGraphql && { refusedByGraphql: true }),
  }),
)

/** The graph's input for attributes of 4.1: camelCase, the price map as a list, the unit as an enum's name. */
export function graphInput(attributes: object): object {
  const entries = Object.entries(attributes).map(([name, value]) => {
    if (name === 'price')
      return [
        'prices',
        isMembers(value) ? Object.entries(value).map(([currency, price]) => entry(currency, price)) : value,
      ]
    if (name === 'price_units' && isMembers(value) && typeof value.unit === 'string') {
      return ['priceUnits', { ...value, unit: value.unit.toUpperCase() }]
    }
    return [camelCase(name), value]
  })
  return Object.fromEntries(entries)
}

function entry(currency: string, price: unknown): object {
  return {
    currency,
    price: isMembers(price)
      ? Object.fromEntries(Object.entries(price).map(([name, value]) => [camelCase(name), value]))
      : price,
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
