/** Differences between two releases by the size of their changes of price: changesSince with orderBy. */
import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
const HOUR = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

/**
 * By name, the amounts in EUR and USD before and after; null for none, absent for a product that is not in the release.
 */
const amounts: Readonly<
  Record<string, readonly [readonly (number | null)[] | undefined, readonly (number | null)[] | undefined]>
> = {
  Added: [undefined, [500, 500]],
  'Falls by 10 of 100': [
    [100, 900],
    [90, 900],
  ],
  'From nothing': [
    [null, 100],
    [100, 101],
  ],
  'From zero': [
    [0, null],
    [1, 10],
  ],
  Removed: [[500, 500], undefined],
  'Rises by 10 of 100': [
    [100, 900],
    [110, 900],
  ],
  'Rises by 20 of 1000': [
    [1000, 10],
    [1020, 40],
  ],
  Same: [
    [70, 70],
    [70, 70],
  ],
  Sold: [
    [1000, 1000],
    [1000, 1000],
  ],
  'To nothing': [
    [100, 100],
    [null, 103],
  ],
}
const names = Object.keys(amounts)
const root = {
  ...{ id: idOf(0x200), parent_id: null, hierarchy_id: idOf(0x200), name: 'Shop', slug: 'shop' },
  ...{ created_at: START, updated_at: START },
}
const book = { id: idOf(0x300), name: 'Book' }
const catalog = { id: idOf(0x500), name: 'Catalog', hierarchy_ids: [root.id], books: [{ id: book.id, priority: 1 }] }
let before = ''
let after = ''

const currenciesOf = (pair: readonly (number | null)[] | undefined) =>
  Object.fromEntries(
    ['EUR', 'USD'].flatMap((currency, at) =>
      pair?.[at] == null ? [] : [[currency, { amount: pair[at] as number, includes_tax: true }]],
    ),
  )

beforeAll(async () => {
  await reset(database)
  const products = names.map((name, at) => ({
    ...{ id: idOf(0x100 + at), name, slug: `product-${at}`, sku: `SKU-${at}`, status: 'live' as const },
    ...{ created_at: START, updated_at: START },
  }))
  const prices = names.map((name, at) => ({
    ...{ id: idOf(0x400 + at), price_book_id: book.id, sku: `SKU-${at}`, sales: [] },
    currencies: currenciesOf(amounts[name]?.[0]),
  }))
  const node = { ...root, id: idOf(0x201), parent_id: root.id, name: 'All', slug: 'all' }
  const attachments = products.map(({ id }) => ({ node_id: node.id, product_id: id }))
  await insertStore(database, {
    products,
    nodes: [root, node],
    attachments,
    books: [book],
    prices,
    modifiers: [],
    catalogs: [catalog],
  })
  const { pool } = database
  const setLive = (name: string, isLive: boolean) =>
    pool.query('UPDATE product SET status = $2 WHERE name = $1', [name, isLive ? 'live' : 'draft'])
  await setLive('Added', false)
  before = (await publish(server, catalog.id)).id
  await setLive('Added', true)
  await setLive('Removed', false)
  await pool.query(`UPDATE product SET description = 'new'`)
  for (const [at, name] of names.entries()) {
    await pool.query('UPDATE product_price SET currencies = $2 WHERE sku = $1', [
      `SKU-${at}`,
      JSON.stringify(currenciesOf(amounts[name]?.[1])),
    ])
  }
  await pool.query(
    `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
     VALUES ($1, $2, $3, 'Season', $4, $5, '{}', '{"EUR": {"amount": 400, "includes_tax": true}}', now(), now())`,
    [idOf(0x600), idOf(0x400 + names.indexOf('Sold')), book.id, new Date(START + HOUR), new Date(START + 2 * HOUR)],
  )
  after = (await publish(server, catalog.id)).id
})

async function ask(args: string, on: TestServer = server, headers = {}): Promise<Any> {
  const page = 'nodes { before { name } after { name } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }'
  const text = `{ release(id: "${after}") { changesSince(releaseId: "${before}"${args}) { totalCount ${page} } } }`
  const { token } = await on.issue({ subject: 'admin', role: 'admin' }, on.now)
  return on.gql(text, {}, { token, headers })
}

const shown = ({ nodes }: Any): string[] => nodes.map((one: Any) => (one.after ?? one.before).name)

async function listed(args: string, headers = {}): Promise<string[]> {
  const { data, errors } = await ask(args, server, headers)
  expect(errors).toBeUndefined()
  return shown(data.release.changesSince)
}

const orderBy = (field: string, more = ', direction: DESC, currency: "EUR"') => `, orderBy: { field: ${field}${more} }`

describe('release.changes-by-size-of-price: the products that differ, by the size of the change of their price', () => {
  const unsized = ['Added', 'From nothing', 'Removed', 'To nothing']

  it('changes by size of price, in money: rises and falls alike, equal ones by name, in both directions last those that lack a price in a release', async () => {
    const sizes = [
      ['Rises by 20 of 1000'],
      ['Falls by 10 of 100', 'Rises by 10 of 100'],
      ['From zero'],
      ['Same', 'Sold'],
    ]
    expect(await listed(orderBy('PRICE_DIFFERENCE'))).toEqual([...sizes.flat(), ...unsized])
    expect(await listed(orderBy('PRICE_DIFFERENCE', ', currency: "EUR"'))).toEqual([
      ...sizes.reverse().flat(),
      ...unsized,
    ])
  })

  it('changes by size of price, as a part of the older price: the change from 0 is the largest', async () => {
    const sizes = [
      ['From zero'],
      ['Falls by 10 of 100', 'Rises by 10 of 100'],
      ['Rises by 20 of 1000'],
      ['Same', 'Sold'],
    ]
    expect(await listed(orderBy('RELATIVE_PRICE_DIFFERENCE'))).toEqual([...sizes.flat(), ...unsized])
    expect(await listed(orderBy('RELATIVE_PRICE_DIFFERENCE', ', currency: "EUR"'))).toEqual([
      ...sizes.reverse().flat(),
      ...unsized,
    ])
  })

  it("changes by size of price are sorted by the currency that orderBy names, else by the request's", async () => {
    const inDollars = [
      'Rises by 20 of 1000',
      'To nothing',
      'From nothing',
      'Falls by 10 of 100',
      'Rises by 10 of 100',
      'Same',
      'Sold',
    ]
    expect(await listed(orderBy('PRICE_DIFFERENCE', ', direction: DESC, currency: "USD"'))).toEqual([
      ...inDollars,
      ...['Added', 'From zero', 'Removed'],
    ])
    const byDefault = orderBy('PRICE_DIFFERENCE', ', direction: DESC')
    expect((await listed(byDefault, { 'x-moltin-currency': 'USD' })).slice(0, 2)).toEqual(inDollars.slice(0, 2))
    expect(await listed(byDefault, { 'x-moltin-currency': 'EUR' })).toEqual(await listed(orderBy('PRICE_DIFFERENCE')))
    expect(await listed(orderBy('PRICE_DIFFERENCE', ', currency: "JPY"'))).toEqual(names)
  })

  it('changes by size of price refuse a currency that is none by naming it', async () => {
    const { errors } = await ask(orderBy('PRICE_DIFFERENCE', ', currency: "euro"'))
    expect(errors.map(({ message, extensions }: Any) => [message, extensions.code])).toEqual([
      ['orderBy.currency: must be three uppercase letters', 'BAD_USER_INPUT'],
    ])
  })

  it('changes by size of price are of the kinds that the filter names', async () => {
    expect(await listed(`, filter: { kinds: [ADDED, REMOVED] }${orderBy('PRICE_DIFFERENCE')}`)).toEqual([
      'Added',
      'Removed',
    ])
    const changed = await listed(`, first: 2, filter: { kinds: [CHANGED] }${orderBy('PRICE_DIFFERENCE')}`)
    expect(changed).toEqual(['Rises by 20 of 1000', 'Falls by 10 of 100'])
  })

  it('changes are sorted by name when nothing or NAME is given, from its other end with DESC', async () => {
    expect(await listed('')).toEqual(names)
    expect(await listed(orderBy('NAME', ''))).toEqual(names)
    expect(await listed(orderBy('NAME', ', direction: DESC'))).toEqual(names.toReversed())
  })

  it('changes by size of price are sorted at the instant of the request, which a sale changes', async () => {
    server.now = START + HOUR - 1
    expect((await listed(orderBy('PRICE_DIFFERENCE')))[0]).toBe('Rises by 20 of 1000')
    server.now = START + HOUR
    expect((await listed(orderBy('PRICE_DIFFERENCE')))[0]).toBe('Sold')
    server.now = START + 2 * HOUR
    expect((await listed(orderBy('PRICE_DIFFERENCE')))[0]).toBe('Rises by 20 of 1000')
    server.now = START
  })
})

describe('list.walk-keeps-release-and-instant: a walk by the size of the change', () => {
  it.each(['ASC', 'DESC'])(
    'a walk by the size of the change, %s, lists all as they were at its first page, forwards and backwards, while a sale begins',
    async (direction) => {
      const order = orderBy('PRICE_DIFFERENCE', `, direction: ${direction}, currency: "EUR"`)
      const whole = await listed(order)
      for (const [size, end, cursorOf, info] of [
        ['first', 'after', 'endCursor', 'hasNextPage'],
        ['last', 'before', 'startCursor', 'hasPreviousPage'],
      ] as const) {
        const walked: string[][] = []
        let args = `, ${size}: 3${order}`
        for (let more = true; more; server.now = START + HOUR) {
          const { changesSince } = (await ask(args)).data.release
          expect(changesSince.totalCount).toBe(names.length)
          walked.push(shown(changesSince))
          args = `, ${size}: 3, ${end}: "${changesSince.pageInfo[cursorOf]}"${order}`
          more = changesSince.pageInfo[info]
        }
        expect((size === 'first' ? walked : walked.reverse()).flat()).toEqual(whole)
        expect(await listed(order)).not.toEqual(whole)
        server.now = START
      }
    },
  )

  it('a walk by the size of the change refuses a cursor of another order or walk, and one that began more than 24 hours ago', async () => {
    const order = orderBy('PRICE_DIFFERENCE')
    const cursorOf = async (args: string): Promise<string> =>
      (await ask(`, first: 1${args}`)).data.release.changesSince.pageInfo.endCursor
    const refusal = async (args: string): Promise<string> => {
      const [error] = (await ask(args)).errors
      return `${error.extensions.code} ${error.message}`
    }
    const cursor = await cursorOf(order)
    const another =
      'BAD_USER_INPUT after: must be a cursor of the difference of the same releases, with the same filter and order'
    expect(await refusal(`, after: "${cursor}"${orderBy('RELATIVE_PRICE_DIFFERENCE')}`)).toBe(another)
    expect(await refusal(`, after: "${cursor}"${orderBy('PRICE_DIFFERENCE', ', currency: "EUR"')}`)).toBe(another)
    expect(
      await refusal(`, after: "${cursor}"${orderBy('PRICE_DIFFERENCE', ', direction: DESC, currency: "USD"')}`),
    ).toBe(another)
    expect(await refusal(`, after: "${cursor}", filter: { kinds: [ADDED] }${order}`)).toBe(another)
    expect(await refusal(`, after: "${await cursorOf('')}"${orderBy('NAME', ', direction: DESC')}`)).toBe(another)
    expect(await refusal(`, after: "${cursor}"`)).toBe('BAD_USER_INPUT after: must be a cursor of this list')
    server.now = START + 1
    const later = await cursorOf(order)
    expect(await refusal(`, after: "${cursor}", before: "${later}"${order}`)).toBe(
      'BAD_USER_INPUT before: must be a cursor of the same walk as after',
    )
    server.now = START + 24 * HOUR
    expect(await listed(`, after: "${cursor}"${order}`)).toHaveLength(names.length - 1)
    server.now += 1
    expect(await refusal(`, after: "${cursor}"${order}`)).toMatch(
      /^CURSOR_EXPIRED after: the walk began more than 24 hours ago/,
    )
    server.now = START - 5_001
    expect(await refusal(`, after: "${cursor}"${order}`)).toBe('BAD_USER_INPUT after: must be a cursor of this list')
    server.now = START
  })
})

it('a page of changes by price costs two statements more than one by name, those for the prices; the pages after it cost what they show', async () => {
  const fresh = await startTestServer(database, { elapsed: manualClock() })
  const order = orderBy('PRICE_DIFFERENCE')
  const page = async (args: string): Promise<[statements: number, cursor: string]> => {
    let cursor = ''
    const { count } = await countStatements(database, async () => {
      cursor = (await ask(args, fresh)).data.release.changesSince.pageInfo.endCursor
    })
    return [count, cursor]
  }
  expect((await page('')).at(0)).toBe(4)
  const [first, cursor] = await page(`, first: 3${order}`)
  fresh.now += HOUR / 2
  const [next] = await page(`, first: 3, after: "${cursor}"${order}`)
  const [again] = await page(order)
  expect([first, next, again]).toEqual([2, 0, 2])
  await fresh.stop()
})

it('changes are sorted by prices of a release that was published before there were spans', async () => {
  const fresh = await startTestServer(database, { elapsed: manualClock() })
  await database.pool.query('UPDATE release SET has_price_spans = false')
  await database.pool.query('TRUNCATE release_document_price')
  const { data } = await ask(`, first: 1${orderBy('PRICE_DIFFERENCE')}`, fresh)
  expect(shown(data.release.changesSince)).toEqual(['Rises by 20 of 1000'])
  await fresh.stop()
})
