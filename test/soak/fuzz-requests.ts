/** Fuzz requests: random malformed bodies, filters, cursors, ids, headers, texts and numbers. */
import fc from 'fast-check'
import type { HttpRequest } from './http.ts'

export interface KnownIds {
  readonly admin: string
  readonly shopper: string
  /** UUIDs of existing records. */
  readonly ids: readonly string[]
  /** Global ids and cursors that the server issued. */
  readonly opaque: readonly string[]
}

/** A marker within filters and values, which must never occur in the text of a statement. */
export const MARKER = 'zq7x'

const texts = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff',
    'a\u0000b',
    '\u202e',
    '\ufeff',
    'ﬀ',
    'İ',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
  ),
  fc.constantFrom(
    `${MARKER}' OR '1'='1`,
    `${MARKER}"; DROP TABLE price_book; --`,
    `${MARKER}\\`,
    `$1${MARKER}`,
    `${MARKER}%_`,
    `${MARKER}/*`,
  ),
  fc.integer({ min: 1020, max: 2050 }).map((length) => 'x'.repeat(length)),
  fc.constant('😀'.repeat(1025)),
)
const numbers = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  0.5,
  100,
  101,
  10_000,
  10_001,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
)
const instants = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '2026-01-01',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T24:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  'now',
  '',
)
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: texts },
  { weight: 2, arbitrary: numbers },
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  instants,
  fc.jsonValue({ maxDepth: 3 }),
)
const currency = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('USD', 'EUR', 'JPY', 'usd', 'XXXX', '') }, texts)

/** An object with some of the members, most of them valid, some random. */
function nearly(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const loose = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: anything }),
    ]),
  )
  return fc.oneof({ weight: 8, arbitrary: fc.record(loose, { requiredKeys: [] }) }, anything)
}

const dictionary = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: fc.dictionary(key, value, { maxKeys: 3 }) }, anything)
const amount = fc.oneof(fc.integer({ min: 0, max: 10_000 }), numbers)
const tiers = dictionary(texts, nearly({ minimum_quantity: amount, amount }))
const currencies = dictionary(currency, nearly({ amount, includes_tax: fc.boolean(), tiers }))
const schedule = nearly({ valid_from: instants, valid_to: instants })
const sales = dictionary(
  texts,
  nearly({ schedule, currencies, bundle_ids: fc.array(fc.oneof(fc.uuid(), texts), { maxLength: 2 }) }),
)
const attributes = dictionary(texts, texts)

const priceData = nearly({
  type: fc.constantFrom('product-price', 'product_price'),
  attributes: nearly({
    sku: texts,
    currencies,
    sales,
    external_ref: texts,
    admin_attributes: attributes,
    shopper_attributes: attributes,
  }),
})
const productData = (id: string) =>
  nearly({
    id: fc.constant(id),
    type: fc.constant('subscription_product'),
    attributes: nearly({
      name: texts,
      description: texts,
      sku: texts,
      external_ref: texts,
      main_image: fc.oneof(fc.webUrl(), texts),
      price: currencies,
      price_units: nearly({ unit: fc.constantFrom('day', 'month'), amount }),
    }),
  })
const subscriptionData = (id: fc.Arbitrary<string>) =>
  nearly({
    account_id: id,
    offering_id: id,
    plan_id: id,
    currency,
    name: texts,
    email: texts,
    external_ref: texts,
    payment_authority: nearly({
      type: fc.constantFrom('platform_payments_gateway', 'cash'),
      customer_id: texts,
      card_id: texts,
    }),
    meta: anything,
  })

const filterText = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('eq', 'in', 'gt', 'like', ''),
      fc.constantFrom('sku', 'external_ref', 'name', 'id', 'tags', 'product_types', 'mpn', MARKER),
      fc.array(texts, { maxLength: 4 }),
    )
    .map(([op, field, values]) => `${op}(${[field, ...values].join(',')})`),
  fc
    .array(fc.constantFrom('eq', '(', ')', ',', ':', '"', "'", '\\', 'sku', MARKER, ' ', 'in', '\u0000', '%'), {
      maxLength: 14,
    })
    .map((pieces) => pieces.join('')),
  texts,
)

/** Percent-encoded, or raw as far as Node lets it through. */
const encoded = (text: string, raw: boolean): string => {
  try {
    return raw
      ? text.replace(/[^!$&'()*+,\-.\w:;=?@[\]~]/g, (one) => encodeURIComponent(one))
      : encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('filter', 'page[limit]', 'page[offset]', 'page%5Blimit%5D', 'x', ''),
      fc.oneof({ weight: 3, arbitrary: filterText }, numbers.map(String), texts),
      fc.boolean(),
    ),
    { maxLength: 3 },
  )
  .map((pieces) => pieces.map(([name, value, raw]) => `${name}=${encoded(value, raw)}`).join('&'))

/** Header values that Node's client accepts; it refuses to send others. */
const headerText = texts.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim())
const headers = fc.record(
  {
    'accept-language': fc.oneof(
      headerText,
      fc.constantFrom('de', '*', 'de;q=0', 'de;q=2', ',,,', 'x-klingon', 'en-US-u-nu-thai'),
    ),
    'x-moltin-currency': fc.oneof(
      { weight: 1, arbitrary: headerText },
      { weight: 3, arbitrary: fc.constantFrom('EUR', 'USD') },
    ),
    'ep-channel': headerText,
    'ep-context-tag': headerText,
    'idempotency-key': headerText,
    'x-request-id': headerText,
    accept: fc.oneof(
      headerText,
      fc.constantFrom('*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream'),
    ),
    origin: headerText,
  },
  { requiredKeys: [] },
)

const graphs: readonly [string, (id: fc.Arbitrary<string>) => fc.Arbitrary<Record<string, unknown>>][] = [
  ['query($id: ID!) { node(id: $id) { __typename id } }', (id) => fc.record({ id })],
  ['query($ids: [ID!]!) { nodes(ids: $ids) { id } }', (id) => fc.record({ ids: fc.array(id, { maxLength: 6 }) })],
  [
    'query($first: Int, $last: Int, $after: String, $before: String, $name: String) { priceBooks(first: $first, last: $last, after: $after, before: $before, filter: { name: { eq: $name } }) { totalCount nodes { id } } }',
    (id) =>
      fc.record(
        {
          first: numbers,
          last: fc.option(numbers),
          after: fc.option(fc.oneof(id, texts)),
          before: fc.option(id),
          name: texts,
        },
        { requiredKeys: [] },
      ),
  ],
  [
    'query($id: ID!, $sku: String, $after: String) { priceBook(id: $id) { prices(filter: { sku: { eq: $sku } }, after: $after) { nodes { sku } pageInfo { endCursor } } } }',
    (id) => fc.record({ id, sku: texts, after: fc.option(fc.oneof(id, texts)) }),
  ],
  [
    'query($id: ID!, $r: ID!, $q: Long, $c: CurrencyCode, $at: DateTime, $l: String) { catalog(id: $id) { release(id: $r) { products(first: 3) { nodes { name(locale: $l) price(currency: $c, quantity: $q, at: $at) { amount { amount } } } } } } }',
    (id) =>
      fc.record({
        id,
        r: fc.oneof(id, fc.constant('latest')),
        q: numbers,
        c: currency,
        at: fc.option(instants),
        l: texts,
      }),
  ],
  [
    'mutation($input: AddProductPriceInput!) { addProductPrice(input: $input) { productPrice { id } userErrors { code path } } }',
    (id) =>
      fc.record({
        input: fc.record({
          priceBookId: id,
          sku: texts,
          prices: fc.array(fc.record({ currency, price: fc.record({ amount: numbers, includesTax: fc.boolean() }) }), {
            maxLength: 2,
          }),
          externalRef: fc.option(texts),
          idempotencyKey: fc.option(texts),
        }) as fc.Arbitrary<unknown>,
      }),
  ],
  [
    'query($all: [_Any!]!) { _entities(representations: $all) { __typename } }',
    (id) =>
      fc.record({
        all: fc.array(
          fc.oneof(
            fc.record({
              __typename: fc.constantFrom('PriceBook', 'Product', 'CatalogProduct', '__proto__', 'Query'),
              id,
            }),
            anything,
          ),
          { maxLength: 4 },
        ),
      }),
  ],
]

/** A random request that deletes or moves nothing that others need. */
export function requests({ admin, shopper, ids, opaque }: KnownIds): fc.Arbitrary<HttpRequest> {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.constantFrom(...opaque) },
    fc.uuid(),
    texts,
    fc.constantFrom(...ids).map((one) => one.toUpperCase()),
    fc.constantFrom(...opaque).map((one) => `${one.slice(0, -1)}A`),
    texts.map((text) => Buffer.from(text).toString('base64url')),
  )
  const place = id.map((text) => encoded(text, false) || 'x')
  const token = fc.oneof(
    { weight: 12, arbitrary: fc.constant(admin) },
    { weight: 3, arbitrary: fc.constant(shopper) },
    headerText,
  )
  const body = (data: fc.Arbitrary<unknown>) =>
    fc.oneof(
      { weight: 12, arbitrary: data.map((value) => JSON.stringify({ data: value }) ?? '{}') },
      anything.map((value) => JSON.stringify(value) ?? ''),
      fc.constantFrom(
        '{"data":{"attributes":{"sku":"a","sku":"b"}}}',
        '{"data":1e999}',
        '[[[[',
        '{"__proto__":{"data":{}}}',
        '\ufeff{}',
        '{"data":{"type":9007199254740993}}',
      ),
    )
  const rest = fc.oneof(
    fc.tuple(
      fc.constant('GET'),
      place.map((one) => `/pcm/pricebooks/${one}/prices`),
      fc.constant(undefined),
    ),
    fc.tuple(
      fc.constant('POST'),
      place.map((one) => `/pcm/pricebooks/${one}/prices`),
      body(priceData),
    ),
    fc.tuple(
      fc.constant('GET'),
      fc
        .tuple(place, fc.oneof(place, fc.constant('latest')), place)
        .map(([c, r, h]) => `/pcm/catalogs/${c}/releases/${r}/hierarchies/${h}/products`),
      fc.constant(undefined),
    ),
    fc.tuple(
      fc.constant('GET'),
      place.map((one) => `/catalog/hierarchies/${one}/products`),
      fc.constant(undefined),
    ),
    id.chain((one) =>
      fc.tuple(
        fc.constant('PUT'),
        fc.constant(`/v2/subscriptions/products/${encoded(one, false) || 'x'}`),
        body(productData(one)),
      ),
    ),
    fc.tuple(fc.constant('POST'), fc.constant('/v2/subscriptions/subscriptions'), body(subscriptionData(id))),
    fc.tuple(
      fc.constantFrom('POST', 'GET'),
      place.map((one) => `/v2/subscriptions/subscriptions/${one}/states`),
      body(anything),
    ),
    fc.tuple(
      fc.constantFrom('POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      fc.array(place, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
      body(anything),
    ),
    fc.tuple(fc.constant('POST'), fc.constant('/oauth/access_token'), body(anything)),
  )
  const restRequest = fc
    .tuple(
      rest,
      query,
      headers,
      token,
      fc.constantFrom(
        'application/json',
        'application/json',
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
      ),
    )
    .map(
      ([[method, path, content], parameters, given, bearer, type]): HttpRequest => ({
        method,
        path: parameters === '' ? path : `${path}?${parameters}`,
        headers: {
          ...given,
          authorization: `Bearer ${bearer}`,
          ...(content !== undefined && { 'content-type': type }),
        },
        body: content,
      }),
    )
  const operation = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...graphs)
        .chain(([query, variables]) =>
          fc
            .oneof({ weight: 5, arbitrary: variables(id) }, { weight: 1, arbitrary: anything })
            .map((given): unknown => ({ query, variables: given })),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...graphs.filter(([query]) => !query.startsWith('mutation'))), fc.nat(), texts)
        .map(([[query], at, text]): unknown => ({
          query: query.slice(0, at % query.length) + text + query.slice((at % query.length) + 1),
        })),
    },
    { weight: 1, arbitrary: anything },
  )
  const graphRequest = fc.tuple(operation, headers, token).map(
    ([content, given, bearer]): HttpRequest => ({
      method: 'POST',
      path: '/graphql',
      headers: { ...given, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(content) ?? '',
    }),
  )
  return fc.oneof({ weight: 5, arbitrary: restRequest }, { weight: 4, arbitrary: graphRequest })
}
