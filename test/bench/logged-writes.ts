/**
 * Logged writes, whose change log is measured: one of each kind of record, many prices at once, and a deletion that
 * takes prices along.
 */
import type { Database } from '../../src/persistence/database/database.ts'
import { catalogId, made } from './data.ts'
import type { Running } from './process.ts'
import { addSales, type Send } from './running-the-shop.ts'

const BULK = 1_000
const BOOK_PRICES = 5_000

/** A server that writes in one of the ways that are compared, and its database. */
export interface Way {
  readonly database: Database
  readonly running: Running
  readonly send: Send
  readonly name: string
  /** Ids of the records that writes made for themselves, by kind. */
  readonly made: Map<string, string>
}

export interface Write {
  readonly name: string
  /** Calls in one measurement. */
  readonly calls: number
  /** What must be there before the calls; not measured. */
  readonly prepare?: (way: Way) => Promise<unknown>
  /** `number` is another one for each call. */
  readonly call: (way: Way, number: number) => Promise<unknown>
}

const book = made('book', 1)
const sku = (number: number): string => `SKU-${String(number).padStart(6, '0')}`
const pricesOf = (amount: number) => ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, price: { amount } }))
const mutation = (name: string, selected: string): string =>
  `mutation ($input: ${capitalized(name)}Input!) { ${name}(input: $input) { ${selected} userErrors { message } } }`
const capitalized = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`

const updatePrice = mutation('updateProductPrice', 'productPrice { id }')
const addPrice = mutation('addProductPrice', 'productPrice { id }')
const upsertPrices = mutation('upsertProductPrices', 'results { outcome }')
const deleteBook = mutation('deletePriceBook', 'priceBook { id }')
const addSubscription = mutation('createSubscription', 'subscription { id }')

const ACCOUNT = '01900000-0000-7000-8000-000000000001'
/** The book that is deleted with its prices. */
const goneBook = made('book', 2)

/** A record that each server makes once, and the input of its creation. */
type Creation = (way: Way) => { readonly record: string; readonly input: object }

const plan: Creation = () => {
  const terms = {
    planLength: 12,
    trialPeriod: 0,
    billingFrequency: 1,
    billingIntervalType: 'MONTH',
    endBehavior: 'ROLL',
  }
  return { record: 'plan', input: { name: 'Monthly', canCancel: true, canPause: true, canResume: true, ...terms } }
}
const subscriptionProduct: Creation = () => ({
  record: 'subscriptionProduct',
  input: { name: 'Magazine', prices: pricesOf(100) },
})
const offering: Creation = ({ made }) => ({
  record: 'offering',
  input: { name: 'Reading', planIds: [made.get('plan')], productIds: [made.get('subscriptionProduct')] },
})
const catalogRule: Creation = () => ({ record: 'catalogRule', input: { name: 'For all', catalogId } })

/** Makes the records that are not there yet, in this order. */
async function create(way: Way, creations: readonly Creation[]): Promise<void> {
  for (const creation of creations) {
    const { record, input } = creation(way)
    if (way.made.has(record)) continue
    const { data } = await way.send(mutation(`create${capitalized(record)}`, `made: ${record} { id }`), { input })
    way.made.set(record, (Object.values(data) as unknown as { made: { id: string } }[])[0]?.made.id ?? '')
  }
}

/** Changes one member of a record: of one that the data has, by its number, else of the last one made. */
function changed(
  record: string,
  member: 'description' | 'name',
  source: ((number: number) => string) | readonly Creation[],
): Write {
  const text = mutation(`update${capitalized(record)}`, `${record} { id }`)
  const found = typeof source === 'function'
  return {
    name: `one ${record.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} changed`,
    calls: 100,
    ...(!found && { prepare: (way) => create(way, source) }),
    call: ({ send, made }, number) =>
      send(text, { input: { id: found ? source(number) : made.get(record), [member]: `Changed ${number} times` } }),
  }
}

export const writes: readonly Write[] = [
  {
    name: 'one price changed',
    calls: 150,
    call: ({ send }, number) =>
      send(updatePrice, { input: { id: made('price', 10 + number), prices: pricesOf(number) } }),
  },
  {
    name: 'one price added',
    calls: 150,
    call: ({ send }, number) =>
      send(addPrice, { input: { priceBookId: book, sku: `ADDED-${number}`, prices: pricesOf(number) } }),
  },
  changed('priceBook', 'description', () => book),
  changed('product', 'description', (number) => made('product', 10 + number)),
  changed('node', 'description', (number) => made('node', (number % 300) * 8 + 1)),
  changed('catalog', 'description', () => catalogId),
  changed('catalogRule', 'name', [catalogRule]),
  changed('plan', 'description', [plan]),
  changed('subscriptionProduct', 'description', [subscriptionProduct]),
  changed('offering', 'description', [plan, subscriptionProduct, offering]),
  {
    name: 'one subscription added',
    calls: 100,
    prepare: (way) => create(way, [plan, subscriptionProduct, offering]),
    call: ({ send, made }, number) => {
      const owner = { accountId: ACCOUNT, name: `Reader ${number}`, email: 'reader@example.com', currency: 'USD' }
      return send(addSubscription, { input: { ...owner, offeringId: made.get('offering'), planId: made.get('plan') } })
    },
  },
  {
    name: `${BULK} rows upserted, half of them new`,
    calls: 2,
    call: ({ send }, number) => {
      const row = (_: unknown, at: number) => {
        const place = number * BULK + at
        return { sku: at % 2 ? sku(10 + place) : `UPSERTED-${place}`, prices: pricesOf(number) }
      }
      return send(upsertPrices, { input: { priceBookId: book, rows: Array.from({ length: BULK }, row) } })
    },
  },
  {
    name: `addSales on ${BULK} prices`,
    calls: 2,
    call: ({ send }, number) => {
      const skus = Array.from({ length: BULK }, (_, at) => sku(10 + number * BULK + at))
      const schedule = { validFrom: '2031-01-01T00:00:00Z' }
      return send(addSales, { input: { priceBookId: book, name: 'log', skus, change: { percentOff: 10 }, schedule } })
    },
  },
  {
    name: `a book deleted with ${BOOK_PRICES} prices, which have a sale each`,
    calls: 1,
    prepare: ({ database }) =>
      database.pool.query(`
        WITH book AS (INSERT INTO price_book (id, name, created_at, updated_at) VALUES ('${goneBook}', 'Gone', now(), now()) RETURNING id),
        price AS (
          INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at)
          SELECT gen_random_uuid(), '${goneBook}', sku, currencies, now(), now() FROM product_price
          WHERE price_book_id = '${book}' AND sku LIKE 'SKU-%' ORDER BY id LIMIT ${BOOK_PRICES} RETURNING id, currencies)
        INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, bundle_ids, currencies, created_at, updated_at)
        SELECT gen_random_uuid(), id, '${goneBook}', 'season', now(), '{}', currencies, now(), now() FROM price`),
    call: ({ send }) => send(deleteBook, { input: { id: goneBook } }),
  },
]
