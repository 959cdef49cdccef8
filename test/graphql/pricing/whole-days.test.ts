/** Sales of whole days, in the time zone of the store. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStoreTimeZone } from '../../../src/domain/input/instant.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const selected = 'schedule { validFrom validTo }'
let book = ''
let price = ''

beforeAll(() => setStoreTimeZone('Europe/Berlin'))
afterAll(() => setStoreTimeZone('UTC'))
beforeEach(async () => {
  await reset(database)
  book = (await mutate(server, 'createPriceBook', { name: 'Book' }, 'priceBook { id }')).priceBook.id
  const prices = [{ currency: 'EUR', price: { amount: 1000 } }]
  price = (await mutate(server, 'addProductPrice', { priceBookId: book, sku: 'A', prices }, 'productPrice { id }'))
    .productPrice.id
})

const add = (schedule: object, name = 'sale') =>
  mutate(server, 'addSale', { productPriceId: price, name, schedule }, `sale { id ${selected} }`)
const refused = async (schedule: object) => {
  const { sale, userErrors } = await add(schedule)
  expect(sale).toBeNull()
  return userErrors.map(({ code, path, message }: Record<string, unknown>) => [
    code,
    (path as string[]).join('.'),
    message,
  ])
}
const weekend = { validFrom: '2030-11-28T23:00:00.000Z', validTo: '2030-12-02T23:00:00.000Z' }
const validOn = { from: '2030-11-29', to: '2030-12-02' }

describe('sale.whole-days: validOn of a schedule', () => {
  it('validOn begins with the first day and ends as the day after the last one begins, over a change of the clocks too', async () => {
    expect((await add({ validOn })).sale.schedule).toEqual(weekend)
    expect((await add({ validOn: { from: '2030-03-31', to: '2030-03-31' } }, 'short day')).sale.schedule).toEqual({
      validFrom: '2030-03-30T23:00:00.000Z',
      validTo: '2030-03-31T22:00:00.000Z',
    })
  })

  it('validOn may lack a bound, which is open then', async () => {
    expect((await add({ validOn: { from: '2030-11-29' } })).sale.schedule).toEqual({ ...weekend, validTo: null })
    expect((await add({ validOn: { to: '2030-12-02' } }, 'end')).sale.schedule).toEqual({ ...weekend, validFrom: null })
  })

  it('validOn is taken with a new price, in upserts and in campaigns', async () => {
    const sales = [{ name: 'sale', schedule: { validOn } }]
    const created = await mutate(
      server,
      'addProductPrice',
      { priceBookId: book, sku: 'B', prices: [], sales },
      `productPrice { sales { ${selected} } }`,
    )
    expect(created.productPrice.sales).toEqual([{ schedule: weekend }])
    const rows = [{ sku: 'C', prices: [], sales }]
    const upserted = await mutate(
      server,
      'upsertProductPrices',
      { priceBookId: book, rows },
      `results { productPrice { sales { ${selected} } } }`,
    )
    expect(upserted.results).toEqual([{ productPrice: { sales: [{ schedule: weekend }] } }])
    const change = { percentOff: 10 }
    await mutate(
      server,
      'addSales',
      { priceBookId: book, skus: ['A'], name: 'campaign', schedule: { validOn }, change, dryRun: false },
      'campaign { changedCount }',
    )
    const found = await server.gql(
      'query ($id: ID!) { productPrice(id: $id) { sales { name schedule { validFrom validTo } } } }',
      {
        id: price,
      },
    )
    expect(found.data.productPrice.sales).toEqual([{ name: 'campaign', schedule: weekend }])
  })

  it('validOn replaces both bounds in an update', async () => {
    const { sale } = await add({ validFrom: '2030-01-01T00:00:00', validTo: '2030-02-01T00:00:00' })
    const update = (schedule: object) => mutate(server, 'updateSale', { id: sale.id, schedule }, `sale { ${selected} }`)
    expect((await update({ validOn: { to: '2030-12-02' } })).sale.schedule).toEqual({ ...weekend, validFrom: null })
    expect((await update({ validOn })).sale.schedule).toEqual(weekend)
    expect((await update({ validOn: null })).userErrors).toMatchObject([{ path: ['schedule', 'validOn'] }])
  })

  it.each<[string, object, string[][]]>([
    [
      'a last day before the first',
      { from: '2030-12-02', to: '2030-12-01' },
      [['OUT_OF_RANGE', 'schedule.validOn.to', 'must not be before from']],
    ],
    ['no day', {}, [['REQUIRED', 'schedule.validOn', 'must have from, to or both']]],
    [
      'what is no day',
      { from: '2030-02-30', to: '2030-12-02T00:00:00Z' },
      ['from', 'to'].map((name) => ['INVALID_FORMAT', `schedule.validOn.${name}`, 'must be a day, such as 2030-11-29']),
    ],
  ])('validOn with %s is refused by name', async (_, days, errors) => {
    expect(await refused({ validOn: days })).toEqual(errors)
  })

  it('validOn beside instants is refused at each of these', async () => {
    const instant = '2030-11-29T00:00:00'
    const message = 'must not be given beside validOn'
    expect(await refused({ validOn, validFrom: instant, validTo: instant })).toEqual([
      ['INVALID_VALUE', 'schedule.validFrom', message],
      ['INVALID_VALUE', 'schedule.validTo', message],
    ])
  })

  it('two sales of the same days are refused, as those of the same instants are', async () => {
    await add({ validOn }, 'first')
    const { userErrors } = await add(weekend, 'second')
    expect(userErrors).toHaveLength(1)
  })

  it('REST takes no validOn: its documents have instants', async () => {
    const sales = { sale: { schedule: { valid_on: validOn } } }
    const data = { type: 'product-price', attributes: { sku: 'R', currencies: {}, sales } }
    const { status, body } = await server.rest(
      'POST',
      `/pcm/pricebooks/${Buffer.from(book, 'base64').toString().split(':')[1]}/prices`,
      { body: { data } },
    )
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('valid_on')])
  })
})
