/** Sheets of products: CSV files that teams export, change in a spreadsheet and import again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LeftOut, recordSheetOf, recordSheetText } from '../../src/export/record-sheet.ts'
import { sheetWorkbook } from '../../src/export/sheet-text.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runs } from '../support/effort.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'
import { bytesOf, importSheetFile, type SheetRun } from '../support/sheet.ts'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-products-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

/** Imports a text as products.csv. */
function importSheet(text: string | Buffer, ...options: string[]): Promise<SheetRun> {
  return importSheetFile(services, join(folder, 'products.csv'), text, ['--type', 'product', ...options])
}

async function exported(leftOut = new LeftOut('product')): Promise<string> {
  let text = ''
  for await (const piece of recordSheetText(database, 'product', leftOut)) text += piece
  return text
}

function workbook(): Promise<Buffer> {
  return bytesOf(recordSheetOf(sheetWorkbook, database, 'product', new LeftOut('product')))
}

/** The products as they are stored, without instants and versions. */
async function stored(): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query('SELECT * FROM product ORDER BY sku COLLATE "C", id')
  return rows.map(({ created_at: _, updated_at: __, version: ___, ...product }) => product)
}

async function entries(): Promise<number> {
  return (await database.pool.query('SELECT count(*)::int AS n FROM change')).rows[0].n
}

async function fill(...products: object[]): Promise<void> {
  const { refused } = await runImport(
    services,
    products.map((attributes) => ({ type: 'product', attributes })),
  )
  expect(refused).toEqual([])
}

const hostile = [
  '#DIV/0!',
  '=SUM(A1)',
  '+49',
  '-5',
  '-',
  '@home',
  "'quoted'",
  'ü;"x"',
  '4E6',
  '00012',
  '1.5e+9',
  '冬',
  'a,b\tc',
]
const anySku = fc.constantFrom('A-1', ...hostile)
const anyText = fc.constantFrom(
  '',
  ' ',
  'Mug',
  'two\r\nlines',
  'a\rb\nc',
  '\ttab',
  '\nbreak',
  '"',
  '\ufeffbom',
  ...hostile,
)
const anyName = fc.constantFrom('Mug', 'two\nlines', ...hostile)
const anyTag = fc.constantFrom('new', "'tis", '=x', 'a;b', '-', 'ü "q"')
const anyLocales = fc.dictionary(
  fc.constantFrom('de', 'fr-CA', 'zh-Hant'),
  fc.record({
    name: fc.option(anyName),
    description: fc.option(fc.constantFrom(...hostile)),
    slug: fc.option(fc.constantFrom('mug', '4e5', '-')),
  }),
)
const anyProduct = fc.record({
  sku: anySku,
  name: anyName,
  description: fc.option(anyText),
  slug: fc.constantFrom('mug', 'Mug-2', '4e5', '-x'),
  status: fc.constantFrom('live', 'draft'),
  commodity_type: fc.option(fc.constantFrom('physical', 'digital')),
  upc_ean: fc.option(fc.constantFrom('0001234567890', '', '4.00638E+12')),
  manufacturer_part_num: fc.option(fc.constantFrom(...hostile)),
  external_ref: fc.option(anyText),
  tags: fc.uniqueArray(anyTag, { maxLength: 4 }),
  locales: anyLocales,
  custom_inputs: fc.constantFrom(null, {
    engraving: { name: 'Engraving', validation_rules: [{ type: 'string', options: { max_length: 20 } }] },
  }),
  extensions: fc.constantFrom(null, { 'products(care)': { wash: 'cold' } }),
})

describe('sheet.export-restores-it, sheet.absent-columns-stay, sheet.texts-are-no-formulas: a sheet of products', () => {
  it('random products that are exported as CSV or as a workbook and imported again are unchanged and give the same bytes; imported where columns were changed or products are missing, they are as before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyProduct, { minLength: 1, maxLength: 12, selector: ({ sku }) => sku }),
        fc.boolean(),
        async (products, hasSkus) => {
          await reset(database)
          await fill(
            ...products.map(({ sku, external_ref: ref, ...product }) => {
              const given = { ...product, external_ref: ref === null ? null : ref + sku }
              return hasSkus ? { sku, ...given } : given
            }),
          )
          const [before, text, log] = [await stored(), await exported(), await entries()]
          expect(await importSheet(text)).toEqual({ counts: [0, 0, products.length, 0], reported: [] })
          expect([await stored(), await exported(), await entries()]).toEqual([before, text, log])
          const bytes = await workbook()
          expect(await importSheet(bytes)).toEqual({ counts: [0, 0, products.length, 0], reported: [] })
          expect([await stored(), await workbook(), await entries()]).toEqual([before, bytes, log])
          await database.pool.query(`UPDATE product SET name = 'Other', status = 'draft', slug = 'other', locales = NULL,
            description = 'x' || description, commodity_type = replace(commodity_type, 'digital', 'physical'),
            upc_ean = 'x' || upc_ean, manufacturer_part_num = 'x' || manufacturer_part_num, external_ref = 'x' || external_ref,
            tags = CASE WHEN tags = '{}' THEN tags ELSE '{other}' END`)
          expect((await importSheet(text)).counts[3]).toBe(0)
          expect(await stored()).toEqual(before)
          const inColumns = ({ id: _, custom_inputs: __, extensions: ___, ...columns }: Record<string, unknown>) =>
            columns
          for (const file of [text, bytes]) {
            await database.pool.query('DELETE FROM product')
            expect((await importSheet(file)).counts).toEqual([products.length, 0, 0, 0])
            expect([await exported(), await workbook()]).toEqual([text, bytes])
            expect((await stored()).map(inColumns)).toEqual(before.map(inColumns))
          }
        },
      ),
      runs(25),
    )
  })

  it('changing ten cells changes ten products, each once in the history, and nothing else of them', async () => {
    const attributes = (at: number) => ({
      sku: `MUG-${at}`,
      name: `Mug ${at}`,
      tags: ['new', 'kitchen'],
      locales: {
        de: { name: `Becher ${at}`, description: 'Aus Ton', slug: `becher-${at}`, seo_title: 'Tassen' },
        fr: { name: 'Tasse' },
      },
      seo_title: 'Mugs',
      extensions: { 'products(care)': { wash: 'cold' } },
    })
    await fill(...Array.from({ length: 12 }, (_, at) => attributes(at + 10)))
    const [before, log, text] = [await stored(), await entries(), await exported()]
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffsku,external_ref,name,name.de,name.fr,description,description.de,slug,slug.de,status,commodity_type,upc_ean,manufacturer_part_num,tags,seo_title,seo_title.de,seo_description',
      'MUG-10,,Mug 10,Becher 10,Tasse,,Aus Ton,mug-10,becher-10,draft,,,,"new, kitchen",Mugs,Tassen,',
    ])
    const changed = text.replace(/(MUG-1[0-9],,)Mug/g, '$1Cup')
    expect(await importSheet(changed)).toEqual({ counts: [0, 10, 2, 0], reported: [] })
    const after = before.map((one, at) => (at < 10 ? { ...one, name: `Cup ${at + 10}` } : one))
    expect([await stored(), await entries()]).toEqual([after, log + 10])
  })

  it('a column for one text in German leaves the other texts alone, whatever the case of its tag, and a dash removes the text', async () => {
    const locales = { 'de-AT': { name: 'Häferl', description: 'Aus Ton' }, fr: { name: 'Tasse' } }
    await fill({ sku: 'MUG', name: 'Mug', locales })
    expect((await importSheet('sku,name.DE-at\nMUG,Becher\n')).counts).toEqual([0, 1, 0, 0])
    expect((await stored())[0]?.locales).toEqual({ ...locales, 'de-AT': { name: 'Becher', description: 'Aus Ton' } })
    await importSheet('sku,name.de-AT,description.de-AT\nMUG,-,-\n')
    expect((await stored())[0]?.locales).toEqual({ fr: locales.fr })
    await importSheet('sku,name.fr\nMUG,-\n')
    expect((await stored())[0]?.locales).toBeNull()
  })

  it('tags in two spellings of one language are one column, and each product keeps its own', async () => {
    await fill(
      { sku: 'A', name: 'A', locales: { de: { name: 'Eins' } } },
      { sku: 'B', name: 'B', locales: { DE: { name: 'Zwei' } } },
    )
    const [before, text] = [await stored(), await exported()]
    expect(text.split('\r\n')[0]).toContain('name,name.DE,description')
    expect((await importSheet(text.replace('Zwei', 'Drei'))).counts).toEqual([0, 1, 1, 0])
    expect(await stored()).toEqual([before[0], { ...before[1], locales: { DE: { name: 'Drei' } } }])
  })

  it('sheet.export-counts-what-it-leaves-out: an export counts the products that have what no column holds, and an import keeps it', async () => {
    const file = '0199aaaa-0000-7000-8000-00000000000f'
    await runImport(services, [
      { type: 'product', attributes: { sku: 'A', name: 'A', extensions: { 'products(care)': { wash: 'cold' } } } },
      {
        type: 'product',
        attributes: { sku: 'B', name: 'B', extensions: { 'products(care)': { wash: 'hot' } } },
        relationships: {
          files: { data: [{ type: 'file', id: file }] },
          main_image: { data: { type: 'main_image', id: file } },
        },
      },
    ])
    const leftOut = new LeftOut('product')
    const [text, before] = [await exported(leftOut), await stored()]
    expect(leftOut.toString()).toBe('2 records of type product; left out: extensions of 2, files of 1, main_image of 1')
    await importSheet(text.replace('draft', 'live'))
    expect(await stored()).toEqual([{ ...before[0], status: 'live' }, before[1]])
  })
})

describe('sheet.row-finds-its-record: a row of a sheet of products', () => {
  beforeEach(() => fill({ sku: 'MUG', name: 'Mug', external_ref: 'mug' }, { name: 'Bowl', external_ref: 'bowl' }))

  it('finds its product by its id, else its SKU, else its external_ref, so that each of them can be changed', async () => {
    const bowl = (await stored())[1]?.id
    expect((await importSheet('sku,external_ref\nMUG,cup\n')).counts).toEqual([0, 1, 0, 0])
    expect((await importSheet('sku,external_ref\nBOWL,other\n')).reported[0]).toContain('name must be given')
    expect((await importSheet(`id,sku,external_ref\n${bowl},BOWL,\n`)).counts).toEqual([0, 1, 0, 0])
    expect((await importSheet('external_ref,name\nbowl,Big bowl\n')).counts).toEqual([0, 1, 0, 0])
    expect((await stored()).map(({ sku, external_ref, name }) => [sku, external_ref, name])).toEqual([
      ['BOWL', 'bowl', 'Big bowl'],
      ['MUG', 'cup', 'Mug'],
    ])
  })

  it('has the id in an export where its product has no SKU, and adds a product where none has its key', async () => {
    const bowl = (await stored())[1]?.id
    expect(
      (await exported())
        .split('\r\n')
        .slice(0, 3)
        .map((row) => row.split(',').slice(0, 4)),
    ).toEqual([
      ['\ufeffid', 'sku', 'external_ref', 'name'],
      ['', 'MUG', 'mug', 'Mug'],
      [bowl, '', 'bowl', 'Bowl'],
    ])
    expect((await importSheet('sku,name\nCUP,Cup\n')).counts).toEqual([1, 0, 0, 0])
    expect((await stored())[0]).toMatchObject({ sku: 'CUP', name: 'Cup', slug: 'cup', status: 'draft', tags: [] })
  })

  it.each([
    [
      'sku,name\n,Cup\n',
      'products.csv A2: sku must be given, since a row finds its record by id or sku or external_ref',
    ],
    [
      'sku,name\n-,Cup\n',
      'products.csv A2: sku must be given, since a row finds its record by id or sku or external_ref',
    ],
    [
      'name,status\nCup,live\n',
      'products.csv row 1: has no column id or sku or external_ref, by which a row finds its record',
    ],
    ['id,name\nCUP,Cup\n', 'products.csv A2: id must be a UUID'],
  ])('is refused without a key that can be read: %j', async (text, message) => {
    const before = await stored()
    expect((await importSheet(text)).reported[0]).toContain(message)
    expect(await stored()).toEqual(before)
  })
})

describe('sheet.record-columns, sheet.empty-keeps-dash-clears, sheet.errors-name-the-cell: the cells of a sheet of products', () => {
  beforeEach(() =>
    fill({ sku: 'MUG', name: 'Mug', description: 'Clay', upc_ean: '0012', tags: ['new'], status: 'live' }),
  )

  it('an empty cell keeps what is stored, and a dash clears it', async () => {
    await importSheet('sku,name,description,upc_ean,tags,status\nMUG,,,,,\n')
    expect((await stored())[0]).toMatchObject({ description: 'Clay', upc_ean: '0012', tags: ['new'], status: 'live' })
    expect((await importSheet('sku,description,upc_ean,tags,slug,name\nMUG,-,-,-,-,Cup\n')).reported).toEqual([])
    expect((await stored())[0]).toMatchObject({ name: 'Cup', slug: 'cup', description: null, upc_ean: null, tags: [] })
  })

  it.each([
    ['a comma', 'sku,name,tags\nMUG,"Cup, big","a, B"\n'],
    ['a semicolon', 'sku;name;tags\nMUG;Cup, big;a,B\n'],
    ['a tab', 'sku\tname\ttags\nMUG\tCup, big\ta, B\n'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffsku\tname\ttags\r\nMUG\tCup, big\ta, b\r\n', 'utf16le')],
    ['a comma, with a byte order mark', '\ufeff"sku","name","tags"\r\n"MUG","Cup, big","A,b"\r\n'],
  ])('cells are separated by %s', async (_, text) => {
    expect(await importSheet(text)).toEqual({ counts: [0, 1, 0, 0], reported: [] })
    expect((await stored())[0]).toMatchObject({ name: 'Cup, big', tags: ['a', 'b'] })
  })

  it.each([
    ['sku,nmae\nMUG,Cup\n', 'products.csv B1: column nmae is unknown, did you mean name?'],
    ['sku,name..de\nMUG,Cup\n', 'products.csv B1: column name..de is unknown, did you mean name.de?'],
    ['sku,name.de_AT\nMUG,Cup\n', 'products.csv B1: column name.de_AT is unknown, did you mean name.de?'],
    [
      'sku,components\nMUG,x\n',
      'products.csv B1: column components is unknown, allowed are id, sku, external_ref, name, description, slug, status, commodity_type, upc_ean, manufacturer_part_num, tags, seo_title, seo_description, name.de, description.de, slug.de, seo_title.de, seo_description.de',
    ],
    ['sku,name.de,name.DE\nMUG,a,b\n', 'products.csv C1: column name.DE is given twice, first in B1'],
    ['sku,status\nMUG,Live\n', 'products.csv B2: status must be one of live, draft'],
    ['sku,name\nMUG,-\n', 'products.csv B2: name '],
    ['sku,tags\nMUG,"a,,b"\n', 'products.csv B2: tags '],
    ['sku,upc_ean\nMUG,4.00638E+12\n', 'products.csv B2: upc_ean is a number that a spreadsheet made of a code'],
    ['sku,name,description.de\nCUP,,x\n', 'products.csv B2: name must be given'],
    ['sku,name\nMUG,"Cup\n', 'opens a quote that is not closed'],
    ['sku,name\nMUG,Cu"p\n', 'has a quote within a cell that does not begin with one'],
    ['sku,name\nMUG,Cup,x\n', 'products.csv C2: is in a column without a name'],
  ])('what a sheet can not have is refused with its cell, and nothing is stored of it: %j', async (text, message) => {
    const before = await stored()
    expect((await importSheet(text)).reported.join('\n')).toContain(message)
    expect(await stored()).toEqual(before)
  })

  it('the file of refused rows is a sheet with the reason in its last column, also with line breaks in its cells, and is taken once it is corrected', async () => {
    const refused = join(folder, 'refused.csv')
    await importSheet('sku;description;status\nMUG;ok;live\nMUG;"two\nlines";Live\n', '--refused', refused)
    const text = readFileSync(refused, 'utf8')
    expect(text).toMatch(
      /^\ufeffsku;description;status;refused\r\nMUG;"two\nlines";Live;.*products\.csv C3: status must be one of/,
    )
    expect((await importSheet(text.replace('Live', 'draft'))).counts).toEqual([0, 1, 0, 0])
    expect((await stored())[0]).toMatchObject({ description: 'two\nlines', status: 'draft' })
  })

  it('a product whose row would be longer than an import takes is told before the export has a file', async () => {
    const description = '冬'.repeat(65_536)
    const locales = Object.fromEntries(['de', 'fr', 'it', 'es', 'ja', 'zh'].map((tag) => [tag, { description }]))
    await fill({ sku: 'LONG', name: 'Long', locales: { de: locales.de } })
    expect(await exported()).toContain('LONG')
    await fill({ sku: 'LONG', name: 'Long', locales })
    await expect(exported()).rejects.toThrow('The row with sku LONG has more than 1048576 bytes: export it as JSON')
  })
})
