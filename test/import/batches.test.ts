/**
 * Batches: objects that are written together have the same outcome as one by one (import.batches-equal-single-objects).
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { Batch, batchSizes } from '../../src/import/batch.ts'
import { ImportProgress } from '../../src/import/import-progress.ts'
import { onCommandLine } from '../../src/import/option-words.ts'
import type { ParsedObject } from '../../src/import/parsed-object.ts'
import { beginning } from '../../src/import/place.ts'
import { importObjects } from '../../src/import/run.ts'
import { writeSeparately } from '../../src/import/writing.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runs } from '../support/effort.ts'
import { type ImportResult, runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))

const book = (external_ref: string, name: string) => ({ type: 'pricebook', attributes: { external_ref, name } })
const product = (sku: string, name = 'Thing') => ({ type: 'product', attributes: { sku, name } })
const price = (sku: string, amount: unknown = 5, pricebook_external_ref = 'b') => ({
  type: 'product-price',
  pricebook_external_ref,
  attributes: { sku, currencies: { USD: { amount } } },
})
const modifier = (name: string, amount: number) => ({
  type: 'price-modifier',
  pricebook_external_ref: 'b',
  attributes: { name, modifier_type: 'price_increment', currencies: { USD: { amount } } },
})

/** The stored records without ids and instants. */
async function stored(): Promise<unknown> {
  const rowsOf = async (sql: string) => (await database.pool.query({ text: sql, rowMode: 'array' })).rows
  return {
    books: await rowsOf('SELECT external_ref, name FROM price_book ORDER BY 1, 2'),
    products: await rowsOf('SELECT sku, name FROM product ORDER BY 1'),
    prices: await rowsOf(
      'SELECT b.name, p.sku, p.external_ref, p.currencies FROM product_price p JOIN price_book b ON b.id = p.price_book_id ORDER BY 1, 2',
    ),
    modifiers: await rowsOf(
      'SELECT b.name, m.name, m.currencies FROM price_modifier m JOIN price_book b ON b.id = m.price_book_id ORDER BY 1, 2',
    ),
  }
}

/** Each object in an import of its own; lines are counted on. */
async function alone(objects: readonly object[], onError: 'stop' | 'skip'): Promise<ImportResult> {
  const counts: Record<string, number[]> = {}
  const refused: string[] = []
  for (const [index, object] of objects.entries()) {
    const one = await runImport(services, [object], onError)
    for (const [type, of] of Object.entries(one.counts))
      counts[type] = of.map((count, at) => count + (counts[type]?.[at] ?? 0))
    refused.push(...one.refused.map((line) => line.replace(/^1:/, `${index + 1}:`)))
    if (!one.fine && onError === 'stop') break
  }
  return { fine: refused.length === 0, counts, refused }
}

async function* each(data: readonly object[]): AsyncGenerator<ParsedObject> {
  for (const [index, one] of data.entries())
    yield { line: index + 1, bytes: Buffer.from(JSON.stringify({ data: one })), value: { data: one } }
}

const sku = fc.constantFrom('A', 'B', 'C')
const ids = ['0199aaaa-0000-7000-8000-00000000000a', '0199aaaa-0000-7000-8000-00000000000b']
/** Prices by id, external_ref or SKU, some of which say too little for a new one, or what no price may have. */
const anyPrice = fc
  .record({
    id: fc.option(fc.constantFrom(...ids), { nil: undefined, freq: 3 }),
    pricebook_external_ref: fc.constantFrom('b', 'b', 'b', 'c'),
    attributes: fc.record(
      {
        sku,
        external_ref: fc.constantFrom('r', 's', null),
        currencies: fc.constantFrom(1, 2, 'no amount').map((amount) => ({ USD: { amount } })),
      },
      { requiredKeys: [] },
    ),
  })
  .map((given) => ({ type: 'product-price', ...given }))
const objects = fc.array(
  fc.oneof(
    {
      weight: 1,
      arbitrary: fc
        .record({ ref: fc.constantFrom('b', 'c'), name: fc.constantFrom('One', 'Two') })
        .map(({ ref, name }) => book(ref, name)),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ sku, name: fc.constantFrom('This', 'That', '') })
        .map((given) => product(given.sku, given.name)),
    },
    { weight: 5, arbitrary: anyPrice },
    {
      weight: 1,
      arbitrary: fc
        .record({ name: fc.constantFrom('m', 'n'), amount: fc.constantFrom(1, 2) })
        .map((given) => modifier(given.name, given.amount)),
    },
  ),
  { minLength: 1, maxLength: 12 },
)

describe('import.batches-equal-single-objects: alternating records and prices', () => {
  it('import.batches-equal-single-objects: alternating records and prices have the same outcome as one by one, also with refused objects among them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('stop' as const, 'skip' as const), objects, async (onError, given) => {
        const all = [book('b', 'First'), ...given]
        await reset(database)
        const expected = [await alone(all, onError), await stored()]
        await reset(database)
        expect([await runImport(services, all, onError), await stored()]).toEqual(expected)
      }),
      runs(15),
    )
  })

  it('import.batches-equal-single-objects: alternating records and prices of an import are written in one transaction', async () => {
    const pairs = Array.from({ length: 50 }, (_, index) => [product(`S${index}`), price(`S${index}`)]).flat()
    const commits: string[] = []
    const deaf = database.onStatement(({ text }) => {
      if (/^commit/i.test(text)) commits.push(text)
    })
    const { counts } = await runImport(services, [book('b', 'First'), ...pairs])
    deaf()
    expect(counts).toEqual({ pricebook: [1, 0, 0, 0], product: [50, 0, 0, 0], 'product-price': [50, 0, 0, 0] })
    expect(commits.length).toBe(1)
  })

  it('import.batches-equal-single-objects: a price among alternating records finds a book by the name that it has at this place of the stream', async () => {
    const renamed = {
      type: 'pricebook',
      id: '0199aaaa-0000-7000-8000-00000000000a',
      attributes: { external_ref: 'b', name: 'First' },
    }
    const given = [renamed, price('A'), { ...renamed, attributes: { external_ref: 'c' } }, price('B', 5, 'c')]
    expect((await runImport(services, given)).refused).toEqual([])
  })

  it('import.batches-equal-single-objects: a price among alternating records may give only changes of one that is created earlier', async () => {
    const whole = {
      type: 'product-price',
      pricebook_external_ref: 'b',
      attributes: { external_ref: 'e', sku: 'A', currencies: {} },
    }
    const more = { ...whole, attributes: { external_ref: 'e', currencies: { USD: { amount: 7 } } } }
    const { refused, counts } = await runImport(services, [book('b', 'First'), whole, product('A'), more])
    expect([refused, counts['product-price']]).toEqual([[], [1, 1, 0, 0]])
  })

  it('import.batches-equal-single-objects: a price among alternating records does not get the SKU that a later object gives up', async () => {
    const [x, y] = ids.map((id, index) => ({ id, ...price(['A', 'B'][index] ?? '') }))
    await runImport(services, [book('b', 'First'), x as object, y as object])
    const { refused } = await runImport(
      services,
      [{ ...y, ...price('A') }, product('P'), { ...x, ...price('C') }],
      'stop',
    )
    expect(refused).toEqual([expect.stringMatching(/^1: data.attributes.sku: .*\(PRICE_EXISTS\)$/)])
    expect(await database.pool.query('SELECT sku FROM product_price ORDER BY sku').then(({ rows }) => rows)).toEqual([
      { sku: 'A' },
      { sku: 'B' },
    ])
  })

  it('import.batches-equal-single-objects: alternating records and prices report what was stored before the database became unreachable', async () => {
    let transactions = 0
    const prisma = new Proxy(database.prisma, {
      get(target, name) {
        if (name === '$transaction' && ++transactions > 3) throw new Unavailable('away')
        return Reflect.get(target, name)
      },
    })
    const away = { ...services, database: { ...database, prisma } }
    const found = [book('b', 'First'), product('A'), product('B', ''), product('C'), product('D')]
    const importProgress = new ImportProgress({ stopAtRefusal: false })
    const lines: number[] = []
    const ended = importObjects(writeSeparately(away), each(found), importProgress, {
      onError: 'skip',
      spell: onCommandLine,
      onRefused: ({ line }) => lines.push(line),
    })
    await expect(ended).rejects.toThrow(Unavailable)
    const { rows } = await database.pool.query(
      'SELECT (SELECT count(*) FROM price_book)::int AS books, (SELECT count(*) FROM product)::int AS products',
    )
    const { counts } = importProgress.state
    expect([counts.get('pricebook')?.created, counts.get('product')?.created]).toEqual([
      rows[0].books,
      rows[0].products,
    ])
    expect(rows[0]).toEqual({ books: 1, products: 1 })
  })

  it('import.batches-equal-single-objects: of 450 prices of one SKU each is written, in three transactions', async () => {
    await runImport(services, [book('b', 'First')])
    let transactions = 0
    const prisma = new Proxy(database.prisma, {
      get(target, name) {
        if (name === '$transaction') transactions++
        return Reflect.get(target, name)
      },
    })
    const counting = { ...services, database: { ...database, prisma } }
    const prices = Array.from({ length: 450 }, (_, at) => price('S', at + 1))
    const { counts, refused } = await runImport(services, prices, 'skip', writeSeparately(counting))
    expect([counts, refused, transactions]).toEqual([{ 'product-price': [1, 449, 0, 0] }, [], 3])
    const { rows } = await database.pool.query(
      `SELECT (after #>> '{currencies,USD,amount}')::int AS amount FROM change WHERE topic = 'product_price' ORDER BY id`,
    )
    expect(rows.map(({ amount }) => amount)).toEqual(prices.map((_, at) => at + 1))
  })

  it('import.batches-equal-single-objects: an import that stops at a refused price keeps those of its SKU before it alone', async () => {
    const prices = [book('b', 'First'), price('S', 1), price('S', 2), price('S', -1), price('S', 4)]
    const { counts } = await runImport(services, prices, 'stop')
    expect(counts['product-price']).toEqual([1, 1, 0, 1])
    const { rows } = await database.pool.query(
      `SELECT (currencies #>> '{USD,amount}')::int AS amount FROM product_price`,
    )
    expect(rows).toEqual([{ amount: 2 }])
  })
})

describe('a batch', () => {
  const found: ParsedObject = { line: 1, bytes: Buffer.from('{}'), value: {} }
  const object = (type: string, group: 'prices' | 'records' | 'release') => ({
    ...{ found, place: beginning, type, group },
    ...{ data: {}, unknown: [], ignored: [] },
  })
  const filled = (count: number, one: ReturnType<typeof object>): Batch => {
    const batch = new Batch()
    for (let number = 1; number <= count; number++) expect(batch.add(one)).toBe(true)
    return batch
  }

  it.each([
    ['prices', 2000, object('product-price', 'prices')],
    ['records', 200, object('product', 'records')],
    ['release', 1, object('catalog-release', 'release')],
  ] as const)('a batch of an import holds as many %s as are bearable: %i', (group, size, one) => {
    expect(batchSizes[group]).toBe(size)
    const full = filled(size, one)
    expect(full.add(one)).toBe(false)
    expect(full.objects.length).toBe(size)
  })

  it('a batch of an import holds a release alone', () => {
    expect(filled(1, object('product', 'records')).add(object('catalog-release', 'release'))).toBe(false)
    expect(filled(1, object('catalog-release', 'release')).add(object('product', 'records'))).toBe(false)
  })

  it('a batch of an import ends before a price book that follows a price', () => {
    expect(filled(1, object('product', 'records')).add(object('pricebook', 'records'))).toBe(true)
    expect(filled(1, object('product-price', 'prices')).add(object('pricebook', 'records'))).toBe(false)
  })
})
