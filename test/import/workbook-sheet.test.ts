/** Sheets in workbooks: imports of XLSX files, what is refused of them, and what their columns and options say. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { streamXlsxRows, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'
import { importSheetFile, type SheetRun } from '../support/sheet.ts'
import { workbookOf } from '../support/workbook.ts'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-workbooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(async () => {
  await reset(database)
  await runImport(services, [
    { type: 'pricebook', attributes: { name: 'Retail', external_ref: 'retail' } },
    { type: 'product', attributes: { sku: 'MUG', name: 'Mug', external_ref: 'mug' } },
  ])
})

type Cells = readonly (readonly (string | number | boolean | Date | null)[])[]
const ofPrices = ['--type', 'product-price', '--book', 'Retail']

/** A workbook that another program wrote. */
async function workbook(...rows: Cells): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Prices', rows: rows.map((row) => [...row]) }] }))
}

async function importRows(name: string, rows: Cells, ...options: string[]): Promise<SheetRun> {
  return importSheetFile(services, join(folder, name), await workbook(...rows), options)
}

async function cellsOf(file: string): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const { values } of streamXlsxRows(readFileSync(file))) rows.push(values)
  return rows
}

const prices = async () =>
  (await database.pool.query('SELECT sku, currencies FROM product_price ORDER BY sku COLLATE "C"')).rows

describe('sheet.workbook-cells, sheet.errors-of-formulas-refused, sheet.errors-name-the-cell: prices in a workbook', () => {
  it('numbers, texts, flags and dates are stored as they count, and an empty cell keeps', async () => {
    const header = ['sku', 'EUR.amount', 'EUR.includes_tax', 'sale.Summer.EUR', 'sale.Summer.valid_from']
    const rows = [
      header,
      ['A', 0.1 + 0.2, true, 0.25, new Date('2031-06-01T09:30:00Z')],
      [4006380000001, '12.50', 'FALSE', null, null],
    ]
    expect(await importRows('prices.xlsx', rows, ...ofPrices)).toEqual({ counts: [2, 0, 0, 0], reported: [] })
    expect(
      (await prices()).map(({ sku, currencies }) => [sku, currencies.EUR.amount, currencies.EUR.includes_tax]),
    ).toEqual([
      ['4006380000001', 1250, false],
      ['A', 30, true],
    ])
    const { rows: sales } = await database.pool.query('SELECT name, valid_from, currencies FROM sale')
    expect([sales[0].name, sales[0].valid_from.toISOString(), sales[0].currencies.EUR.amount]).toEqual([
      'Summer',
      '2031-06-01T09:30:00.000Z',
      25,
    ])
    expect(
      await importRows(
        'prices.xlsx',
        [
          ['sku', 'EUR.amount'],
          ['A', null],
        ],
        ...ofPrices,
      ),
    ).toEqual({ counts: [0, 0, 1, 0], reported: [] })
  })

  it.each([
    [[12.345], [], 'B2: EUR.amount has 3 decimals, and EUR has 2'],
    [[1e15], [], 'B2: EUR.amount must be an amount such as 12.50, without signs, spaces and exponents'],
    [[-1], [], 'B2: EUR.amount must be an amount such as 12.50'],
    [['1,50'], [], 'the decimal mark of this file is ".", --decimal "," changes it'],
    [['#DIV/0!'], [], 'B2: EUR.amount must be an amount such as 12.50'],
    [
      [new Date('2031-06-01T00:00:00Z')],
      [],
      'B2: EUR.amount is a date, and takes none: write what was meant as a text',
    ],
    [[1, new Date('2031-02-01T00:00:00Z')], [], 'C2: external_ref is a date, and takes none'],
    [[1, '4.00638E+12'], [], 'C2: external_ref is a number that a spreadsheet made of a code'],
    [[1, 1e16], [], 'C2: external_ref is a number that a spreadsheet made of a code'],
    [[1, '#N/A'], [], "C2: external_ref is the error of a formula: write the text, or a ' before it"],
    [[1, 'x', 'y'], [], 'D2: is in a column without a name'],
  ] as const)('the cells %j are refused by their place, and nothing is stored', async (cells, options, message) => {
    const rows = [
      ['sku', 'EUR.amount', 'external_ref'],
      ['A', ...cells],
    ]
    const { counts, reported } = await importRows('prices.xlsx', rows, ...ofPrices, ...options)
    expect([counts[0], reported.length]).toEqual([0, 1])
    expect(reported[0]).toMatch(/^prices\.xlsx /)
    expect(reported[0]).toContain(message)
    expect(await prices()).toEqual([])
  })

  it('a time without a day is refused where an instant is taken, and where a code is', async () => {
    const cell = (text: string) => `<c t="str"><v>${text}</v></c>`
    const noon = '<c s="1"><v>0.5</v></c>'
    const sheet = (header: string[], ...cells: string[]) =>
      workbookOf([`<row>${header.map(cell).join('')}</row><row>${cells.join('')}</row>`], {
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="20"/></cellXfs></styleSheet>',
      })
    const take = async (bytes: Buffer) =>
      (await importSheetFile(services, join(folder, 'prices.xlsx'), bytes, ofPrices)).reported
    const sale = ['sku', 'sale.Noon', 'sale.Noon.EUR', 'sale.Noon.valid_from']
    expect(await take(sheet(sale, cell('A'), cell('true'), '<c><v>1</v></c>', noon))).toEqual([
      'prices.xlsx D2: sale.Noon.valid_from must be an RFC 3339 date-time (INVALID_FORMAT)',
    ])
    expect(await take(sheet(['sku', 'external_ref'], cell('A'), noon))).toEqual([
      'prices.xlsx B2: external_ref is a date, and takes none: write what was meant as a text',
    ])
    expect(await prices()).toEqual([])
  })

  it('with a decimal comma texts have it, and numbers are read as before', async () => {
    const rows = [
      ['sku', 'EUR.amount', 'USD.amount', 'external_ref'],
      ['A', 12.5, '12,50', 100.5],
    ]
    expect(await importRows('prices.xlsx', rows, ...ofPrices, '--decimal', ',')).toEqual({
      counts: [1, 0, 0, 0],
      reported: [],
    })
    expect((await prices())[0].currencies).toMatchObject({ EUR: { amount: 1250 }, USD: { amount: 1250 } })
    const { rows: stored } = await database.pool.query('SELECT external_ref FROM product_price')
    expect(stored).toEqual([{ external_ref: '100.5' }])
  })

  it('prices that LibreOffice wrote are stored', async () => {
    const bytes = readFileSync(join(projectRoot, 'test/import/libreoffice/prices.xlsx'))
    expect(await importSheetFile(services, join(folder, 'prices.xlsx'), bytes, ofPrices)).toEqual({
      counts: [3, 0, 0, 0],
      reported: [],
    })
    expect((await prices()).map(({ sku, currencies }) => [sku, currencies.EUR])).toEqual([
      ['00012', { amount: 125050, includes_tax: true, tiers: { min_6: { amount: 30, minimum_quantity: 6 } } }],
      ['4006380000001', { amount: 1250, includes_tax: false }],
      ['="x" & ü', { amount: 999, includes_tax: false }],
    ])
  })

  it('what LibreOffice wrote is refused where it has errors and lost digits', async () => {
    const bytes = readFileSync(join(projectRoot, 'test/import/libreoffice/errors.xlsx'))
    const { counts, reported } = await importSheetFile(services, join(folder, 'errors.xlsx'), bytes, ofPrices)
    expect([counts, reported.map((one) => one.split(':')[0])]).toEqual([
      [0, 0, 0, 4],
      ['errors.xlsx B2', 'errors.xlsx C3', 'errors.xlsx C4', 'errors.xlsx B5', 'errors.xlsx C5'],
    ])
  })
})

describe('import.refused-file, import.resumes-where-it-was: the refused rows of a workbook', () => {
  const rows = [
    ['sku', 'EUR.amount', 'external_ref'],
    ['A', 1.5, 'a'],
    ['B', 1.555, '00012'],
    ['C', 2, 'c'],
  ]
  const refused = join(folder, 'bad.xlsx')

  it('are a workbook with the reason in its last column, numbers as numbers, and are taken once they are corrected', async () => {
    await importRows('prices.xlsx', rows, ...ofPrices, '--refused', refused)
    const reason = expect.stringMatching(
      /prices\.xlsx B3: EUR\.amount has 3 decimals, and EUR has 2 \(INVALID_FORMAT\)$/,
    )
    expect(await cellsOf(refused)).toEqual([
      ['sku', 'EUR.amount', 'external_ref', 'refused'],
      ['B', 1.555, '00012', reason],
    ])
    expect(existsSync(`${refused}.part`)).toBe(false)
    const [header = [], [sku, , ref, why] = []] = (await cellsOf(refused)) as string[][]
    expect((await importRows('bad.xlsx', [header, [sku, 1.56, ref, why] as string[]], ...ofPrices)).counts).toEqual([
      1, 0, 0, 0,
    ])
  })

  it('are an empty workbook where nothing was refused', async () => {
    await importRows('prices.xlsx', rows.slice(0, 2), ...ofPrices, '--refused', refused)
    expect(await cellsOf(refused)).toEqual([])
  })

  it('go on with an import that stopped at one of them, and other options for sheets are refused', async () => {
    const stop = [...ofPrices, '--on-error', 'stop', '--refused', refused]
    expect((await importRows('prices.xlsx', rows, ...stop)).counts).toEqual([1, 0, 0, 1])
    expect([(await cellsOf(refused)).length, existsSync(`${refused}.part`)]).toEqual([2, true])
    const corrected = rows.map((row) => (row[0] === 'B' ? ['B', 1.56, '00012'] : row))
    await expect(importRows('prices.xlsx', corrected, '--type', 'product', '--resume')).rejects.toThrow(
      'The import that --resume goes on with had --type product-price --book Retail: give the same, or import without --resume',
    )
    expect((await importRows('prices.xlsx', corrected, ...stop, '--resume')).counts).toEqual([3, 0, 0, 0])
    expect([await cellsOf(refused), existsSync(`${refused}.part`)]).toEqual([[], false])
  })
})

describe('sheet.kind-by-content, sheet.kind-by-columns: what a file is', () => {
  it('a workbook is read as one whatever its name, and CSV too, and JSON says that it is a workbook', async () => {
    const rows = [
      ['sku', 'EUR.amount'],
      ['A', 1.5],
    ]
    expect((await importRows('prices.csv', rows, ...ofPrices)).counts).toEqual([1, 0, 0, 0])
    const csv = await importSheetFile(services, join(folder, 'prices.xlsx'), 'sku;EUR.amount\nB;1,50\n', ofPrices)
    expect(csv).toEqual({ counts: [1, 0, 0, 0], reported: [] })
    expect((await importRows('prices.jsonl', rows)).reported).toEqual([
      'prices.jsonl:1: is a workbook: its name must end in .xlsx, or by HTTP its Content-Type be that of XLSX',
    ])
  })

  it.each([
    [['sku', 'name', 'status'], ['CUP', 'Cup', 'live'], 'product'],
    [['external_ref', 'billing_frequency'], ['x', 1], 'plan'],
    [['path', 'name'], ['shop/mugs', 'Mugs'], 'node'],
  ])('columns %j that fit one type tell it', async (header, row, noun) => {
    const { reported } = await importRows('sheet.xlsx', [header, row])
    const { rows } = await database.pool.query("SELECT count(*)::int AS n FROM product WHERE sku = 'CUP'")
    expect([rows[0].n, reported.map((one) => one.replace(/ .*/, ''))]).toEqual(
      noun === 'product' ? [1, []] : [0, reported.map(() => 'sheet.xlsx')],
    )
  })

  it.each([
    [['sku', 'EUR.amount'], 'sheet.csv row 1: has prices: the price book must be given, by its name or id'],
    [
      ['external_ref', 'name'],
      'sheet.csv row 1: has columns that fit several types: the type must be given, one of product, node, subscription_product, subscription_plan',
    ],
    [
      ['sku', 'nmae'],
      'sheet.csv row 1: has columns that fit no type: the type must be given, one of product-price, product, node, subscription_product, subscription_plan',
    ],
  ])('columns %j say what is missing', async (header, problem) => {
    const { reported } = await importSheetFile(services, join(folder, 'sheet.csv'), `${header.join(',')}\nA,1\n`, [])
    expect(reported).toEqual([problem])
  })
})
