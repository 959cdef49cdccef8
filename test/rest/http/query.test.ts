/** list.pages-and-links, filter.clauses-all-hold: query strings, and headers. */
import { describe, expect, test } from 'vitest'
import { ID, useFrame } from '../../support/rest-frame.ts'
import { START } from '../../support/server.ts'

const frame = useFrame()

describe('list.pages-and-links, filter.clauses-all-hold: query strings', () => {
  const list = (query: string) => frame.ask('GET', `/books/${ID}/prices?${query}`)

  test('raw and percent-encoded brackets, commas and parentheses of a query mean the same; a raw plus is a plus', async () => {
    await list('page[limit]=2&page[offset]=3&filter=in(sku,a+b,c)')
    const raw = frame.seen
    await list('page%5Blimit%5D=2&page%5boffset%5d=3&filter=in%28sku%2Ca%2Bb%2Cc%29')
    expect(frame.seen?.page).toEqual({ limit: 2, offset: 3 })
    expect(frame.seen?.filter).toEqual([{ op: 'in', field: 'sku', values: ['a+b', 'c'] }])
    expect([raw?.page, raw?.filter]).toEqual([frame.seen?.page, frame.seen?.filter])
  })

  test('violations of a query are all reported, in one order', async () => {
    const { status, body } = await frame.ask(
      'GET',
      `/books/${ID}/prices?x=%ff&page[limit]=0&page[offset]=x&filter=eq(color,red)&y=1&y=2`,
      {
        headers: { 'x-moltin-currency': 'usd' },
      },
    )
    expect(status).toBe(400)
    expect(body.errors.map(({ detail, code }: { detail: string; code: string }) => [detail, code])).toEqual([
      ['x: is not percent-encoded UTF-8', 'INVALID_FORMAT'],
      ['y: must be given once', 'DUPLICATE'],
      ['filter: eq(color) is not a filter here; allowed are eq(sku,...) and in(sku,...)', 'INVALID_VALUE'],
      ['page[limit]: must be an integer from 1 to 100', 'OUT_OF_RANGE'],
      ['page[offset]: must be an integer from 0 to 10000', 'OUT_OF_RANGE'],
      ['X-MOLTIN-CURRENCY: must be three uppercase letters', 'INVALID_FORMAT'],
    ])
  })

  test('the same query parameter in two encodings is a duplicate', async () => {
    expect((await list('page[limit]=2&page%5Blimit%5D=2')).body.errors[0].code).toBe('DUPLICATE')
  })

  test('subscription.create-filter-ignored: an ignored query parameter may have any value, even twice', async () => {
    expect((await frame.ask('POST', '/free?filter=%ff&filter=((&filter', { body: '{}' })).status).toBe(200)
    expect((await frame.ask('POST', '/free?other=%ff', { body: '{}' })).status).toBe(400)
  })

  test('links repeat every other query parameter, have the limit, and lead to their pages', async () => {
    const { body } = await list('filter=in(sku,%22a%20b%22,c)&x=1%26&page[limit]=25&page[offset]=30&empty')
    const path = `/books/${ID}/prices?filter=in(sku,%22a%20b%22,c)&x=1%26&empty=&page%5Blimit%5D=25&page%5Boffset%5D=`
    expect(body.links).toEqual({
      self: `${path}30`,
      first: `${path}0`,
      last: `${path}50`,
      prev: `${path}5`,
      next: `${path}55`,
    })
    expect(body.meta).toEqual({ results: { total: 60 }, page: { limit: 25, offset: 30, current: 2, total: 3 } })
    const next = await frame.ask('GET', body.links.next)
    expect(next.status).toBe(200)
    expect(frame.seen?.parameters.get('x')).toBe('1&')
    expect(frame.seen?.page).toEqual({ limit: 25, offset: 55 })
  })

  test('links of a request without a query have the default page length', async () => {
    const { body } = await frame.ask('GET', `/books/${ID}/prices`)
    expect(body.links.next).toBe(`/books/${ID}/prices?page%5Blimit%5D=25&page%5Boffset%5D=25`)
  })

  test('a filter in the query may take 64 KiB of the head', async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => `sku-${index}`).join(',')
    expect((await list(`filter=in(sku,${ids})`)).status).toBe(200)
    expect(frame.seen?.filter[0]?.values).toHaveLength(1500)
  })
})

test('money.display-currency, catalog-rule.most-matches-win, write.idempotency-key: headers become the shopperHeaders and the idempotency key', async () => {
  const headers = {
    'accept-language': 'de-CH',
    'x-moltin-currency': 'EUR',
    'ep-channel': 'web',
    'ep-context-tag': 'vip',
    'idempotency-key': 'k1',
    'x-request-id': 'r1',
  }
  await frame.ask('POST', `/books/${ID}/prices`, { body: '{}', headers })
  expect(frame.seen?.ctx.shopperHeaders).toEqual({
    acceptLanguage: 'de-CH',
    currency: 'EUR',
    channel: 'web',
    tags: ['vip'],
  })
  expect([frame.seen?.idempotencyKey, frame.seen?.ctx.requestId, frame.seen?.ctx.now]).toEqual(['k1', 'r1', START])
  expect(frame.seen?.ctx.viewer).toMatchObject({ subject: 'admin', role: 'admin' })
  await frame.ask('POST', `/books/${ID}/prices`, { body: '{}' })
  expect(frame.seen?.idempotencyKey).toBeUndefined()
})
