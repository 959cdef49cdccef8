/** Sheets of prices: CSV files that pricing teams export, change in a spreadsheet and import again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { priceSheetOf, priceSheetText } from '../../src/export/price-sheet.ts'
import { sheetWorkbook } from '../../src/export/sheet-text.ts'
import { readArguments } from '../../src/import/arguments.ts'
import { bookNamed } from '../../src/persistence/pricing/book-prices.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runs } from '../support/effort.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'
import { bytesOf, importSheetFile, type SheetRun } from '../support/sheet.ts'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-sheets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

/** Imports a text as prices.csv into the book Retail. */
function importSheet(text: string | Buffer, ...options: string[]): Promise<SheetRun> {
  const all = ['--type', 'product-price', '--book', 'Retail', ...options]
  return importSheetFile(services, join(folder, 'prices.csv'), text, all)
}

async function exported(book = 'Retail'): Promise<string> {
  let text = ''
  for await (const piece of priceSheetText(database, await bookNamed(database, book), () => {})) text += piece
  return text
}

async function workbook(): Promise<Buffer> {
  return bytesOf(priceSheetOf(sheetWorkbook, database, await bookNamed(database, 'Retail'), () => {}))
}

const price = (sku: string, attributes: object) => ({
  type: 'product-price',
  pricebook_external_ref: 'retail',
  attributes: { sku, ...attributes },
})
const stored = async () =>
  (
    await database.pool.query(`SELECT p.sku, p.currencies, p.external_ref, p.admin_attributes,
      (SELECT json_object_agg(s.name, json_build_object('from', s.valid_from, 'to', s.valid_to, 'currencies', s.currencies)) FROM sale s WHERE s.product_price_id = p.id) AS sales
      FROM product_price p ORDER BY p.sku`)
  ).rows

async function fill(...prices: object[]): Promise<void> {
  const { refused } = await runImport(services, [
    { type: 'pricebook', attributes: { name: 'Retail', external_ref: 'retail' } },
    ...prices,
  ])
  expect(refused).toEqual([])
}

const anySku = fc.constantFrom(
  'A-1',
  '#N/A',
  '_x0041_',
  '=SUM(A1)',
  '+49',
  '-5',
  '@home',
  "'quoted",
  'ü;"x"',
  '4E6',
  '00012',
  '冬',
  'a,b',
)
const anyCurrency = fc.constantFrom('EUR', 'JPY', 'KWD')
const anyAmount = fc.constantFrom(0, 1, 99, 100, 1250, Number.MAX_SAFE_INTEGER)
const anyCurrencies = fc.uniqueArray(anyCurrency, { minLength: 1 }).chain((codes) =>
  fc
    .array(fc.tuple(anyAmount, fc.boolean(), fc.option(fc.tuple(fc.constantFrom(2, 6), anyAmount))), {
      minLength: codes.length,
      maxLength: codes.length,
    })
    .map((terms) =>
      Object.fromEntries(
        codes.map((code, index) => {
          const [amount, includes_tax, tier] = terms[index] as (typeof terms)[number]
          const tiers = tier ? { bulk: { minimum_quantity: tier[0], amount: tier[1] } } : {}
          return [code, { amount, includes_tax, tiers }]
        }),
      ),
    ),
)
const anySale = fc.record({
  name: fc.constantFrom('Black Friday', 'v1.0', '.5 off', 'a..b.', 'valid_from', '"x", y', 'EUR'),
  valid_from: fc.constantFrom('2030-11-29T00:00:00.000Z', '2031-01-01T09:30:00.125Z'),
  currencies: anyCurrencies,
})
const anyPrice = fc.record({
  sku: anySku,
  external_ref: fc.option(fc.constantFrom('ref ', '=1+', '-', 'two\nlines', 'a\rb')),
  currencies: anyCurrencies,
  sales: fc.option(
    anySale.map(({ name, valid_from, currencies }) => ({
      [name]: { schedule: { valid_from, valid_to: null }, bundle_ids: [], currencies },
    })),
  ),
  admin_attributes: fc.constantFrom(null, { note: 'kept' }),
})

describe('sheet.export-restores-it, sheet.texts-are-no-formulas, sheet.absent-columns-stay: a sheet of a book', () => {
  it('random prices that are exported as CSV or as a workbook and imported again are unchanged, give the same bytes, and come back into an empty book', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyPrice, { minLength: 1, maxLength: 24, selector: ({ sku }) => sku }),
        async (prices) => {
          await reset(database)
          await fill(
            ...prices.map(({ sku, external_ref, sales, ...attributes }) =>
              price(sku, { ...attributes, external_ref: external_ref && external_ref + sku, sales: sales ?? {} }),
            ),
          )
          const [before, text] = [await stored(), await exported()]
          expect(
            text
              .split('\r\n')
              .slice(1)
              .some((row) => /^[=+@-]|,[=+@]/.test(row)),
          ).toBe(false)
          expect(await importSheet(text)).toEqual({ counts: [0, 0, prices.length, 0], reported: [] })
          expect([await stored(), await exported()]).toEqual([before, text])
          const bytes = await workbook()
          expect(await importSheet(bytes)).toEqual({ counts: [0, 0, prices.length, 0], reported: [] })
          expect([await stored(), await workbook()]).toEqual([before, bytes])
          for (const file of [text, bytes]) {
            await database.pool.query('DELETE FROM product_price')
            expect((await importSheet(file)).counts).toEqual([prices.length, 0, 0, 0])
            expect([await exported(), await workbook()]).toEqual([text, bytes])
          }
        },
      ),
      runs(40),
    )
  })

  it('changing two cells changes two prices, and nothing else of them', async () => {
    const attributes = { admin_attributes: { note: 'kept' } }
    await fill(
      ...['A', 'B', 'C'].map((sku) =>
        price(sku, {
          ...attributes,
          currencies: {
            EUR: { amount: 1250, includes_tax: true, tiers: { six: { minimum_quantity: 6, amount: 1100 } } },
          },
        }),
      ),
    )
    const text = await exported()
    expect(text).toBe(
      '\ufeffsku,external_ref,EUR.amount,EUR.includes_tax,EUR.tier.6\r\nA,,12.50,true,11.00\r\nB,,12.50,true,11.00\r\nC,,12.50,true,11.00\r\n',
    )
    const changed = text.replace('A,,12.50', 'A,,13.00').replace('C,,12.50,true,11.00', 'C,,12.50,true,10.99')
    expect(await importSheet(changed)).toEqual({ counts: [0, 2, 1, 0], reported: [] })
    const amounts = (await stored()).map(({ sku, currencies, admin_attributes }) => [
      sku,
      currencies.EUR,
      admin_attributes,
    ])
    const tier = (amount: number) => ({ six: { minimum_quantity: 6, amount } })
    expect(amounts).toEqual([
      ['A', { amount: 1300, includes_tax: true, tiers: tier(1100) }, { note: 'kept' }],
      ['B', { amount: 1250, includes_tax: true, tiers: tier(1100) }, { note: 'kept' }],
      ['C', { amount: 1250, includes_tax: true, tiers: tier(1099) }, { note: 'kept' }],
    ])
  })

  it('a column for one sale leaves the other sales alone', async () => {
    const sale = (amount: number, from: string) => ({
      schedule: { valid_from: from, valid_to: null },
      bundle_ids: [],
      currencies: { EUR: { amount, includes_tax: true } },
    })
    const sales = { Summer: sale(900, '2030-06-01T00:00:00Z'), Winter: sale(800, '2030-12-01T00:00:00Z') }
    await fill(price('A', { currencies: { EUR: { amount: 1000, includes_tax: true } }, sales }))
    expect((await importSheet('sku,sale.Summer.EUR\nA,8.50\n')).counts).toEqual([0, 1, 0, 0])
    const [{ sales: after }] = await stored()
    expect([after.Summer.currencies.EUR.amount, after.Winter.currencies.EUR.amount]).toEqual([850, 800])
    expect((await importSheet('sku,sale.Summer\nA,-\n')).counts).toEqual([0, 1, 0, 0])
    expect(Object.keys((await stored())[0].sales)).toEqual(['Winter'])
  })
})

describe('sheet.empty-keeps-dash-clears, sheet.columns-known-by-name, sheet.amounts-never-rounded: the cells of a sheet', () => {
  beforeEach(() =>
    fill(
      price('A', { external_ref: 'a', currencies: { EUR: { amount: 1000, includes_tax: true }, USD: { amount: 5 } } }),
    ),
  )

  it('an empty cell keeps what is stored, a dash clears it', async () => {
    await importSheet('sku,external_ref,EUR.amount,USD.amount\nA,,,\n')
    expect((await stored())[0]).toMatchObject({
      external_ref: 'a',
      currencies: { EUR: { amount: 1000 }, USD: { amount: 5 } },
    })
    await importSheet('sku,external_ref,EUR.amount,USD.amount\nA,-,,-\n')
    expect((await stored())[0]).toMatchObject({ external_ref: null })
    expect(Object.keys((await stored())[0].currencies)).toEqual(['EUR'])
  })

  it.each([
    ['a comma', 'sku,EUR.amount\nA,12.34\n'],
    ['a semicolon with a decimal comma', 'sku;EUR.amount\nA;12,34\n'],
    ['a tab', 'sku\tEUR.amount\nA\t12.34\n'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffsku\tEUR.amount\r\nA\t12.34\r\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('sku\tEUR.amount\r\nA\t12.34\r\n', 'utf16le')],
    [
      'UTF-16 without a byte order mark, the high byte first',
      Buffer.from('sku\tEUR.amount\nA\t12.34\n', 'utf16le').swap16(),
    ],
    ['a semicolon below an empty line', '\r\nsku;EUR.amount\r\nA;12,34\r\n'],
    ['empty rows and carriage returns', '\ufeffsku,EUR.amount\r\n\r\nA,12.34\r\n,\r\n'],
  ])('cells are separated by %s', async (_, text) => {
    expect(await importSheet(text)).toEqual({ counts: [0, 1, 0, 0], reported: [] })
    expect((await stored())[0].currencies.EUR.amount).toBe(1234)
  })

  it.each([
    ['2030-11-29', '2030-11-29T00:00:00.000Z'],
    ['2030-11-29 18:30', '2030-11-29T18:30:00.000Z'],
    ['2030-11-29T18:30:15.25', '2030-11-29T18:30:15.250Z'],
    ['2030-11-29T18:30:00+02:00', '2030-11-29T16:30:00.000Z'],
  ])('sheet.dates-in-utc: a sale from %s begins at %s', async (cell, from) => {
    const text = `sku,sale.Autumn.EUR,sale.Autumn.valid_from\nA,1.00,${cell}\n`
    expect((await importSheet(text)).reported).toEqual([])
    const [{ sales }] = await stored()
    expect(new Date(sales.Autumn.from).toISOString()).toBe(from)
  })

  it.each(['2030-02-30', '2030-13-01', '11/29/2030', '29.11.2030', '2030-11-29 25:00', '2030-11', '18:30'])(
    'sheet.dates-in-utc: a sale from %s is refused by its cell',
    async (cell) => {
      const { counts, reported } = await importSheet(`sku,sale.Autumn.EUR,sale.Autumn.valid_from\nA,1.00,${cell}\n`)
      expect(counts).toEqual([0, 0, 0, 1])
      expect(reported).toEqual([expect.stringContaining('prices.csv C2: sale.Autumn.valid_from must be')])
    },
  )

  it.each([
    ['12.345', 'has 3 decimals, and EUR has 2'],
    [
      '12,34',
      'must be an amount such as 12.50, without signs, spaces and exponents; the decimal mark of this file is ".", --decimal "," changes it',
    ],
    ['1e3', 'must be an amount such as 12.50, without signs, spaces and exponents'],
    ['-1', 'must be an amount such as 12.50, without signs, spaces and exponents'],
    ['90071992547409.92', 'must be at most 90071992547409.91'],
  ])('an amount of %s is refused by its cell', async (amount, message) => {
    const { counts, reported } = await importSheet(`sku,EUR.amount\nA,"${amount}"\n`)
    expect([counts, reported]).toEqual([
      [0, 0, 0, 1],
      [expect.stringContaining(`prices.csv B2: EUR.amount ${message}`)],
    ])
    expect((await stored())[0].currencies.EUR.amount).toBe(1000)
  })

  it.each([
    ['sku,EUR.amout\nA,1\n', 'prices.csv B1: column EUR.amout is unknown, did you mean EUR.amount?'],
    ['sku,EUR\nA,1\n', 'prices.csv B1: column EUR is unknown, did you mean EUR.amount?'],
    ['sku,EURO.amount\nA,1\n', 'prices.csv B1: column EURO.amount is unknown, did you mean EUR.amount?'],
    ['sku,sale.\nA,true\n', 'prices.csv B1: column sale. is unknown, allowed are sku, external_ref, USD.amount,'],
    ['sku,sale..EUR\nA,1\n', 'prices.csv B1: column sale..EUR is unknown, allowed are sku, external_ref, USD.amount,'],
    ['sku,Sale.X.EUR\nA,1\n', 'prices.csv B1: column Sale.X.EUR is unknown, did you mean sale.X.EUR?'],
    ['sku,EUR.amount,EUR.amount\nA,1,2\n', 'prices.csv C1: column EUR.amount is given twice, first in B1'],
    ['name,EUR.amount\nA,1\n', 'prices.csv row 1: has no column sku'],
    ['sku,EUR.amount\nA,1,2\n', 'prices.csv C2: is in a column without a name'],
    ['sku,EUR.amount\n4.00638E+12,1\n', 'prices.csv A2: sku is a number that a spreadsheet made of a code'],
    ['sku,EUR.amount\nA,"1\n', 'opens a quote that is not closed'],
    ['sku,EUR.includes_tax\nA,yes\n', 'prices.csv B2: EUR.includes_tax must be true or false'],
  ])('what a sheet can not have is refused with its cell, and nothing is stored of it: %j', async (text, message) => {
    const before = await stored()
    const { reported } = await importSheet(text)
    expect(reported.join('\n')).toContain(message)
    expect(await stored()).toEqual(before)
  })

  it('the file of refused rows is a sheet with the reason in its last column, and is taken once it is corrected', async () => {
    const refused = join(folder, 'refused.csv')
    await importSheet('sku,EUR.amount\nA,1.00\nB,x\n', '--refused', refused)
    const text = readFileSync(refused, 'utf8')
    expect(text).toMatch(/^\ufeffsku,EUR.amount,refused\r\nB,x,"?.*prices\.csv B3: EUR\.amount must be an amount/)
    expect((await importSheet(text.replace('B,x', 'B,2.00'))).counts).toEqual([1, 0, 0, 0])
  })
})

describe('sheet.memory-is-bounded, sheet.errors-name-the-cell: hostile sheets', () => {
  beforeEach(() => fill())

  it.each([
    [
      'a quote that stays open over two mebibytes',
      `sku,EUR.amount\nA,"${'x'.repeat(2 * 1024 * 1024)}`,
      'has more than 1048576 bytes',
    ],
    ['16,385 columns', `sku${',x'.repeat(16_384)}\nA\n`, 'has 16385 columns, at most 16384 are allowed'],
    [
      'an older file of Excel',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      'is an older file of Excel, or one with a password: save it as XLSX without one',
    ],
    ['bytes that are no text', Buffer.from([0x73, 0x6b, 0x75, 0xff, 0xfe, 0x00]), 'is not UTF-8'],
  ])('%s is refused in words, and nothing is stored', async (_, text, message) => {
    const { counts, reported } = await importSheet(text)
    expect(reported.join('\n')).toContain(message)
    expect([counts[0], await stored()]).toEqual([0, []])
  })

  it('a row with 16,000 wrong cells is refused with the first hundred of them, and how many more there are', async () => {
    const columns = Array.from({ length: 16_000 }, (_, at) => `EUR.tier.${at + 1}`)
    const { counts, reported } = await importSheet(`sku,${columns.join(',')}\nA${',x'.repeat(columns.length)}\n`)
    expect([counts, reported.length]).toEqual([[0, 0, 0, 1], 100])
    expect(reported.at(-1)).toMatch(/^prices\.csv CW2: EUR\.tier\.100 .*\(and 159\d\d more\)/)
  })

  it('a book that is not stored, an option that is missing and one too many are told before anything is read', async () => {
    await expect(importSheet('sku\nA\n', '--book', 'Wholesale')).rejects.toThrow('There is no price book Wholesale')
    expect(readArguments(['--type', 'product-price', 'a.csv'])).toBe(
      'A sheet of prices needs --book with the name of a price book',
    )
    expect(readArguments(['--book', 'x', 'a.jsonl'])).toBe('--book is for files whose names end in .csv or .xlsx')
  })
})
