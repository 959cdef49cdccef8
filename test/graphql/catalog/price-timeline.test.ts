import { beforeAll, describe, expect, it } from 'vitest'
import { TIMELINE_SPANS_MAX } from '../../../src/graphql/catalog/price-timeline.ts'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

/** As many sales of the beans, of one second each, follow one another. */
const SECONDS = TIMELINE_SPANS_MAX + 1
const second = (number: number): number => winter.from + number * 1000

beforeAll(async () => {
  const store = fullStore()
  const sales = Array.from({ length: SECONDS }, (_, number) => ({
    name: `sale ${number}`,
    from: second(number),
    to: second(number + 1),
    bundles: [],
    currencies: { USD: { amount: number, includes_tax: false } },
  }))
  const beans = store.prices.find(({ sku, price_book_id }) => sku === 'BEANS' && price_book_id === ids.book)
  if (beans === undefined) throw new Error('the store has a price of the beans')
  await publishStore(server, {
    ...store,
    prices: store.prices.map((price) => (price === beans ? { ...price, sales } : price)),
  })
})

const iso = (instant: number) => new Date(instant).toISOString()

async function ask(id: string, args: string, selection: string, role: 'admin' | 'shopper' = 'shopper') {
  const { token } = await server.issue({ subject: role, role }, server.now)
  const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(by: { id: "${id}" }) { priceTimeline(${args}) { ${selection} } } } } }`
  const { data, errors } = await server.gql(query, {}, { token })
  return { spans: data?.catalog?.release?.product?.priceTimeline, errors: errors?.map(errorOf) }
}

interface Failure {
  readonly message: string
  readonly extensions: { readonly code: string }
}
const errorOf = ({ message, extensions: { code } }: Failure) => `${code} ${message}`

const spanFields = 'from to price { amount { amount } sale { name } changesAt }'

describe('CatalogProduct.priceTimeline', () => {
  it('CatalogProduct.priceTimeline has the prices of the period with their reasons, up to now', async () => {
    const { spans } = await ask(ids.machine, `from: "${iso(winter.from - 1)}", currency: "USD"`, spanFields)
    const price = (amount: number, sale: string | null, changesAt: number) => ({
      amount: { amount },
      sale: sale && { name: sale },
      changesAt: iso(changesAt),
    })
    expect(spans).toEqual([
      { from: iso(winter.from - 1), to: iso(winter.from), price: price(50000, null, winter.from) },
      { from: iso(winter.from), to: iso(flash.from), price: price(40000, 'winter', flash.from) },
      { from: iso(flash.from), to: iso(flash.to), price: price(30000, 'flash', flash.to) },
      { from: iso(flash.to), to: iso(START), price: price(40000, 'winter', winter.to) },
    ])
  })

  it('CatalogProduct.priceTimeline takes a quantity, and has a span without a price in a currency that has none', async () => {
    const period = `from: "${iso(flash.from)}", to: "${iso(flash.to)}"`
    expect(
      (await ask(ids.machine, `${period}, currency: "USD", quantity: 12`, 'price { amount { amount } tier }')).spans,
    ).toEqual([{ price: { amount: { amount: 30000 }, tier: null } }])
    expect((await ask(ids.machine, `${period}, currency: "XXX"`, 'from to price { tier }')).spans).toEqual([
      { from: iso(flash.from), to: iso(flash.to), price: null },
    ])
  })

  it('price.future-timeline-for-admins: CatalogProduct.priceTimeline is for a shopper up to the present instant, for an administrator also what comes', async () => {
    const to = (instant: number) => `from: "${iso(flash.to)}", to: "${iso(instant)}", currency: "USD"`
    const selection = 'to price { amount { amount } }'
    expect((await ask(ids.machine, to(START), selection)).spans).toEqual([
      { to: iso(START), price: { amount: { amount: 40000 } } },
    ])
    expect((await ask(ids.machine, to(START + 1), selection)).errors).toEqual([
      'FORBIDDEN The argument to is for administrators when it is later than the present instant',
    ])
    expect((await ask(ids.machine, to(winter.to + 1), selection, 'admin')).spans).toEqual([
      { to: iso(winter.to), price: { amount: { amount: 40000 } } },
      { to: iso(winter.to + 1), price: { amount: { amount: 50000 } } },
    ])
  })

  it('CatalogProduct.priceTimeline refuses a period that is empty or ends before it begins, and arguments that a price refuses', async () => {
    const now = iso(START)
    const errorsOf = async (args: string) => (await ask(ids.machine, args, 'to')).errors
    expect(await errorsOf(`from: "${now}"`)).toEqual(['BAD_USER_INPUT from: must be earlier than to'])
    expect(await errorsOf(`from: "${now}", to: "${iso(START - 1)}"`)).toEqual([
      'BAD_USER_INPUT from: must be earlier than to',
    ])
    expect(await errorsOf(`from: "${iso(START - 1)}", quantity: 0`)).toEqual([
      'BAD_USER_INPUT quantity: must be an integer from 1 to 9007199254740991',
    ])
    expect(await errorsOf(`from: "${iso(START - 1)}", currency: "usd"`)).toEqual([
      expect.stringContaining('BAD_USER_INPUT currency: '),
    ])
  })

  it(`CatalogProduct.priceTimeline has ${TIMELINE_SPANS_MAX} spans at most, and says where they end`, async () => {
    const period = (to: number) => `from: "${iso(second(0))}", to: "${iso(to)}", currency: "USD"`
    const { spans } = await ask(ids.beans, period(second(TIMELINE_SPANS_MAX)), 'price { amount { amount } }')
    expect(spans.map(({ price }: { price: { amount: { amount: number } } }) => price.amount.amount)).toEqual(
      Array.from({ length: TIMELINE_SPANS_MAX }, (_, number) => number),
    )
    expect((await ask(ids.beans, period(second(TIMELINE_SPANS_MAX) + 1), 'to')).errors).toEqual([
      `BAD_USER_INPUT to: would need more than 500 spans: 500 end at ${iso(second(TIMELINE_SPANS_MAX))}`,
    ])
  })

  it('list.true-until-next-change: CatalogProduct.priceTimeline is never cached, since the past grows', async () => {
    const untilNow = () => ask(ids.machine, `from: "${iso(flash.to)}"`, 'to')
    server.now = START
    for (const _ of [1, 2, 3]) expect((await untilNow()).spans).toEqual([{ to: iso(START) }])
    server.now = START + 1000
    expect((await untilNow()).spans).toEqual([{ to: iso(START + 1000) }])
    server.now = START
  })
})
