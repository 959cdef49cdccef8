/** Workbooks: the rows of XLSX files as imports read and exports write them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { streamXlsxRows } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { formatText } from '../../src/import/sheet/cells.ts'
import { BrokenSheet } from '../../src/import/sheet/row.ts'
import { peek, sheetRows } from '../../src/import/sheet/rows.ts'
import { type Holds, workbookBytes, workbookRow } from '../../src/import/sheet/workbook-bytes.ts'
import { runs } from '../support/effort.ts'
import { workbookOf, zipOf } from '../support/workbook.ts'

async function* inPieces(bytes: Buffer, length = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** The rows of a file by number; an error is the last of them. */
async function rowsOf(bytes: Buffer): Promise<unknown[][]> {
  const found: unknown[][] = []
  try {
    for await (const { number, cells } of sheetRows(await peek(inPieces(bytes)))) found.push([number, ...cells])
  } catch (error) {
    if (!(error instanceof BrokenSheet)) throw error
    found.push([error.row, error.column ?? null, error.message])
  }
  return found
}

/** The error at which a file can't be read any further; its rows are not kept. */
async function errorOf(bytes: Buffer): Promise<unknown[]> {
  try {
    for await (const _ of sheetRows(await peek(inPieces(bytes, 1024 * 1024))));
    return []
  } catch (error) {
    if (!(error instanceof BrokenSheet)) throw error
    return [error.row, error.column ?? null, error.message]
  }
}

/** The cells of a sheet with one row of this XML. */
async function cellsOf(xml: string, ...more: [object?, string?]): Promise<unknown[]> {
  const [row = []] = await rowsOf(workbookOf([`<row>${xml}</row>`], ...(more as [])))
  return row.slice(1)
}

const dates = {
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d/m/yyyy\\ h:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
}

describe('sheet.workbook-cells: the cells of a workbook', () => {
  it.each([
    ['0.30000000000000004', '0.3'],
    ['1250.5', '1250.5'],
    ['4.00638E+12', '4006380000000'],
    ['4006380000001', '4006380000001'],
    ['1E-7', '0.0000001'],
    ['-1.5E-3', '-0.0015'],
    ['999999999999999', '999999999999999'],
    ['12345678901234567', '1.23456789012346e+16'],
    ['1e300', '1e+300'],
    ['-0', '0'],
    ['', ''],
  ])('a number that is stored as %s is read as %s', async (stored, cell) => {
    expect(await cellsOf(`<c><v>${stored}</v></c><c t="str"><v>x</v></c>`)).toEqual([cell, 'x'])
  })

  it.each([
    ['a flag', '<c t="b"><v>1</v></c><c t="b"><v>0</v></c>', ['TRUE', 'FALSE']],
    [
      'the stored value of a formula',
      '<c><f>1+1</f><v>2</v></c><c t="str"><f>A1&amp;""</f><v>a&lt;b_x000D_</v></c>',
      ['2', 'a<b\r'],
    ],
    [
      'an inline text with runs',
      '<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>x</t></rPh></is></c>',
      ['a b'],
    ],
    ['a text with CDATA and codes', '<c t="str"><v>a<![CDATA[<b>]]>_x005F_x0041_&#xe9;</v></c>', ['a<b>_x0041_é']],
    ['the error of a formula', '<c t="e"><v>#N/A</v></c><c t="e"><v>#NEW!</v></c>', ['#N/A', '#VALUE!']],
    ['an ISO date', '<c t="d"><v>2031-11-28T00:00:00Z</v></c>', ['2031-11-28T00:00:00.000Z']],
    ['an ISO date without an offset', '<c t="d"><v>2031-11-28T09:30:00</v></c>', ['2031-11-28T09:30:00.000Z']],
    ['an ISO day', '<c t="d"><v>2031-11-28</v></c>', ['2031-11-28T00:00:00.000Z']],
    [
      'columns by their names',
      '<c r="B1"><v>1</v></c><c><v>2</v></c><c r="AA1"><v>3</v></c>',
      ['', '1', '2', ...Array(23).fill(''), '3'],
    ],
  ])('%s is read as it counts', async (_, xml, cells) => {
    expect(await cellsOf(xml)).toEqual(cells)
  })

  it('shared texts are read with their runs and without their readings', async () => {
    const texts =
      '<sst><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><r><t>a</t></r><r><t>b</t></r></si><si><t/></si></sst>'
    const xml = '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>1</v></c>'
    expect(await cellsOf(xml, { 'xl/texts.xml': texts })).toEqual(['東京', 'ab', '', 'ab'])
  })

  it('numbers are dates where their style shows dates, counted from 1900 or from 1904', async () => {
    const xml =
      '<c s="1"><v>48180</v></c><c s="2"><v>48180.3958333333</v></c><c s="3"><v>48180</v></c><c><v>48180</v></c>'
    const cells = ['2031-11-28T00:00:00.000Z', '2031-11-28T09:30:00.000Z', '48180', '48180']
    expect(await cellsOf(xml, dates)).toEqual(cells)
    const from1904 = await cellsOf(xml, dates, '<workbookPr date1904="1"/>')
    expect(from1904.slice(0, 2)).toEqual(['2035-11-29T00:00:00.000Z', '2035-11-29T09:30:00.000Z'])
  })

  it('a time without a day is no instant, whichever year dates are counted from', async () => {
    const xml = '<c s="2"><v>0.5</v></c><c s="1"><v>0</v></c><c s="2"><v>1</v></c>'
    expect((await cellsOf(xml, dates)).slice(0, 2)).toEqual(['12:00:00.000Z', '00:00:00.000Z'])
    expect((await cellsOf(xml, dates))[2]).toBe('1900-01-01T00:00:00.000Z')
    expect((await cellsOf(xml, dates, '<workbookPr date1904="1"/>'))[0]).toBe('12:00:00.000Z')
  })

  it('rows keep their numbers, and names of tags may have a prefix', async () => {
    const xml =
      '<x:row r="3" xmlns:x="x"><x:c r="A3" t="str"><x:v>a</x:v></x:c></x:row><row/><row r="9"><c t="str"><v>b</v></c></row>'
    expect(await rowsOf(workbookOf([xml]))).toEqual([[3, 'a'], [4], [9, 'b']])
  })
})

describe('sheet.one-sheet-of-a-workbook, sheet.kind-by-content: which rows of a file are read', () => {
  const row = (cell: string) => `<row><c t="str"><v>${cell}</v></c></row>`

  it('the one sheet with cells is read, wherever it stands', async () => {
    expect(await rowsOf(workbookOf(['', row('a'), '<row><c s="1"/></row>']))).toEqual([[1, 'a']])
    expect(await rowsOf(workbookOf(['', '<row/>']))).toEqual([])
  })

  it('a workbook with cells in several sheets is refused by their names', async () => {
    expect(await rowsOf(workbookOf([row('a'), '', row('b')]))).toEqual([
      [null, null, 'has cells in several sheets, "S0", "S2": keep the one to import'],
    ])
  })

  it('of many sheets with cells ten are named, each by at most 100 characters', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `<sheet name="${at}${'x'.repeat(200)}" r:id="r0"/>`)
    const parts = { 'xl/workbook.xml': `<workbook><sheets>${names.join('')}</sheets></workbook>` }
    const named = Array.from({ length: 10 }, (_, at) => `"${at}${'x'.repeat(99)}"`)
    expect(await rowsOf(workbookOf([row('a')], parts))).toEqual([
      [null, null, `has cells in several sheets, ${named.join(', ')} and 2 more: keep the one to import`],
    ])
  })

  it('a file is CSV where it does not begin as a workbook', async () => {
    expect(await rowsOf(Buffer.from('PK,b\n1,2\n'))).toEqual([
      [1, 'PK', 'b'],
      [2, '1', '2'],
    ])
    expect(await rowsOf(Buffer.from(''))).toEqual([])
  })

  it('the separator of a CSV file is that of its whole first line, however the file arrives', async () => {
    const text = Buffer.from('external_ref;name\nA;B\n')
    const rows = await listOf(sheetRows(await peek(inPieces(text, 4))))
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['external_ref', 'name'],
      ['A', 'B'],
    ])
    expect(await rowsOf(Buffer.from('path;name'))).toEqual([[1, 'path', 'name']])
  })

  it.each([
    ['sep=;\r\nname;size\r\na,b;2\r\n', ';'],
    ['\nSEP=,\nname,size\na;b,2\n', ','],
    ['sep=\t\nname\tsize\na;b\t2\n', '\t'],
  ])('sheet.kind-by-content: the first line of %j names the separator, and is no row', async (text, separator) => {
    const rows = await listOf(sheetRows(await peek(inPieces(Buffer.from(text), 5))))
    const filled = rows.filter(({ cells }) => cells.join('') !== '')
    expect(filled.map(({ cells, separator: cut }) => [cells.length, cells[1], cut])).toEqual([
      [2, 'size', separator],
      [2, '2', separator],
    ])
    expect(filled[0]?.number).toBe(text.startsWith('\n') ? 3 : 2)
  })

  it('a line that names a separator is a row behind the first line', async () => {
    expect(await rowsOf(Buffer.from('name;size\nsep=;\n'))).toEqual([
      [1, 'name', 'size'],
      [2, 'sep=', ''],
    ])
  })

  it.each([
    [
      'an older file of Excel',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      'is an older file of Excel, or one with a password: save it as XLSX without one',
    ],
    [
      'a ZIP file of something else',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      'is a ZIP file without a workbook: save it as XLSX',
    ],
    ['a ZIP file that is cut', workbookOf([row('a')]).subarray(0, 400), expect.stringMatching(/^can't be unpacked: /)],
  ])('%s is refused in words', async (_, bytes, message) => {
    expect(await rowsOf(bytes)).toEqual([[null, null, message]])
  })
})

describe('sheet.memory-is-bounded: hostile workbooks', () => {
  const many = (count: number, text: string) => Buffer.alloc(count * text.length, text)
  const sheet = (start: string, middle: Buffer, end = '</sheetData></worksheet>') =>
    Buffer.concat([Buffer.from(`<worksheet><sheetData>${start}`), middle, Buffer.from(end)])
  const a = '<row><c t="str"><v>a</v></c></row>'

  it.each([
    [
      '10 million columns',
      { 'xl/s0.xml': sheet(`${a}<row>`, many(10_000_000, '<c/>'), '</row></sheetData></worksheet>') },
      [2, null, 'has more than 16384 columns'],
    ],
    [
      'a column of four letters',
      { 'xl/s0.xml': sheet(`${a}<row><c r="ZZZZ2"/></row>`, many(0, '')) },
      [2, null, 'has more than 16384 columns'],
    ],
    [
      'a row behind the last one',
      { 'xl/s0.xml': sheet(`${a}<row r="1048577"/>`, many(0, '')) },
      [1048577, null, 'is more than the 1048576 rows that a sheet may have'],
    ],
    [
      'rows that are not in order',
      { 'xl/s0.xml': sheet(`${a}<row r="1"/>`, many(0, '')) },
      [1, null, 'is followed by row 1: rows must be in order'],
    ],
    [
      'one cell of 30 MB',
      {
        'xl/s0.xml': sheet(`${a}<row><c t="str"><v>`, many(30_000_000, 'x'), '</v></c></row></sheetData></worksheet>'),
      },
      [2, null, 'has a cell with more than 1048576 bytes'],
    ],
    [
      'one tag of 30 MB',
      { 'xl/s0.xml': sheet(`${a}<row r="`, many(30_000_000, '1'), '"/></sheetData></worksheet>') },
      [2, null, 'has a cell with more than 1048576 bytes'],
    ],
    [
      'a row of many long cells',
      {
        'xl/s0.xml': sheet(
          `${a}<row>`,
          many(100, `<c t="str"><v>${'x'.repeat(20_000)}</v></c>`),
          '</row></sheetData></worksheet>',
        ),
      },
      [2, null, 'has more than 1048576 bytes'],
    ],
    [
      'more cells than a sheet may have',
      { 'xl/s0.xml': sheet(a, many(1300, '<row><c r="XFD1" t="b"><v>1</v></c></row>')) },
      [1222, null, 'is behind 20000000 cells, the most that a sheet may have'],
    ],
    [
      'XML that is cut',
      { 'xl/s0.xml': sheet(`${a}<row>`, many(0, ''), '') },
      [2, null, expect.stringMatching(/^has XML that can't be read: .*unclosed tag: row$/)],
    ],
    [
      'a text that the workbook does not have',
      { 'xl/s0.xml': sheet(`${a}<row><c/><c t="s"><v>7</v></c></row>`, many(0, '')) },
      [2, 1, 'names a text that the workbook does not have'],
    ],
    [
      'a number that is none',
      { 'xl/s0.xml': sheet(`${a}<row><c><v>0x1G</v></c></row>`, many(0, '')) },
      [2, 0, 'is no number'],
    ],
  ])('%s is refused by its row', async (_, parts, error) => {
    expect(await errorOf(workbookOf([''], parts))).toEqual(error)
  })

  it('rows before the one that is refused are read', async () => {
    const xml =
      '<row><c t="str"><v>a</v></c></row><row><c r="B2" t="b"><v>0</v></c></row><row r="3"><c t="s"><v>9</v></c></row>'
    expect(await rowsOf(workbookOf([xml]))).toEqual([
      [1, 'a'],
      [2, '', 'FALSE'],
      [3, 0, 'names a text that the workbook does not have'],
    ])
  })

  it.each([
    [
      'entities of their own',
      {
        'xl/texts.xml':
          '<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>',
      },
      'has XML with a DOCTYPE, which no workbook has',
    ],
    [
      'entities that are not known',
      { 'xl/texts.xml': '<sst><si><t>&b;</t></si></sst>' },
      expect.stringMatching(/^has XML that can't be read: .*undefined entity/),
    ],
    [
      'tags in tags without an end',
      { 'xl/s0.xml': Buffer.concat([Buffer.from('<worksheet>'), many(1_000_000, '<a>')]) },
      'has XML that is nested deeper than 64 levels',
    ],
    [
      'a cell with tags in its value',
      { 'xl/s0.xml': sheet('<row><c><v>', many(300, `${'1'.repeat(5000)}<a/>`), '</v></c></row>') },
      'has a cell with more than 1048576 bytes',
    ],
    [
      'one sheet that is named 1001 times',
      { 'xl/workbook.xml': `<workbook><sheets>${'<sheet name="S" r:id="r0"/>'.repeat(1001)}</sheets></workbook>` },
      'has more than 1000 sheets',
    ],
    [
      'a bomb in a part that says what others are',
      { 'xl/styles.xml': Buffer.concat([Buffer.from('<styleSheet>'), Buffer.alloc(20_000_000, '<xf/>')]) },
      'has more than 8388608 bytes in xl/styles.xml, unpacked',
    ],
    [
      'a bomb of texts',
      {
        'xl/texts.xml': Buffer.concat([
          Buffer.from('<sst>'),
          Buffer.alloc(160_000_000, `<si><t>${' '.repeat(500_000)}</t></si>`),
        ]),
      },
      'has more than 134217728 bytes in xl/texts.xml, unpacked',
    ],
    [
      'more texts than are held',
      { 'xl/texts.xml': Buffer.concat([Buffer.from('<sst>'), Buffer.alloc(20_000_005, '<si/>')]) },
      'has more than 4000000 shared texts',
    ],
    [
      'a directory that says that a bomb is small',
      { 'xl/s0.xml': { bytes: Buffer.alloc(10_000_000, '<cols/>'), declared: 100 } },
      expect.stringMatching(/^can't be unpacked: too many bytes in the stream/),
    ],
  ])('a workbook with %s is refused', async (_, parts, message) => {
    expect((await errorOf(workbookOf([a], parts))).at(-1)).toEqual(message)
  })

  it('a file of more than 64 MiB is refused before it is unpacked', async () => {
    const bytes = Buffer.concat([workbookOf([a]), Buffer.alloc(64 * 1024 * 1024)])
    expect(await errorOf(bytes)).toEqual([null, null, 'has more than 67108864 bytes: save it as CSV'])
  })
})

describe('sheet.workbook-numbers-exact: what an export writes to a workbook', () => {
  async function bytesOf(...rows: (readonly (string | number | boolean | null)[])[]): Promise<Buffer> {
    const all = async function* () {
      yield* rows
    }
    return Buffer.concat(await listOf(workbookBytes(all())))
  }

  it.each([
    ['number', '12.50', 12.5],
    ['number', '9007199254740.99', 9007199254740.99],
    ['number', '90071992547409.91', '90071992547409.91'],
    ['number', '0.30000000000000004', '0.30000000000000004'],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['text', '00012', '00012'],
    ['text', "'=SUM(A1)", '=SUM(A1)'],
    ['text', "'+49", '+49'],
    ['text', "'-", "'-"],
    ['text', "'", "'"],
    ['text', "''q", "''q"],
    ['text', "'4.00638E+12", "'4.00638E+12"],
    ['text', "'4E6", '4E6'],
    ['text', "'#N/A", "'#N/A"],
    ['text', '', null],
  ] as const)('the %s %s is written as %j', (holds, cell, written) => {
    expect(workbookRow([cell], [holds])).toEqual([written])
  })

  it('a cell that is longer than spreadsheets have them is told to the operator', () => {
    expect(() => workbookRow(['SKU', 'x'.repeat(32_768)], [])).toThrow(
      'A cell of SKU has more than 32767 characters: export it as CSV',
    )
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('_', 'x', '0', 'D', '\r', '\n', '\t', ' ', '&', '<', '\u0001', '\ufffe', "'", '-'),
      maxLength: 12,
    }),
  )
  const anyCell = fc.oneof(
    anyText.map((text): [string, Holds] => [formatText(text), 'text']),
    fc.boolean().map((flag): [string, Holds] => [String(flag), 'flag']),
    fc.nat().map((amount): [string, Holds] => [(amount / 100).toFixed(2), 'number']),
  )

  it('any cells are read as they were written, and as another reader reads them, and equal cells give equal bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCell, { minLength: 1, maxLength: 8 }), async (cells) => {
        const row = workbookRow(
          cells.map(([cell]) => cell),
          cells.map(([, holds]) => holds),
        )
        const bytes = await bytesOf(['head'], row)
        expect(await bytesOf(['head'], row)).toEqual(bytes)
        const [, ...read] = (await rowsOf(bytes))[1] ?? []
        const wanted = row.map((cell) =>
          cell === null ? '' : typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell),
        )
        while (wanted.at(-1) === '') wanted.pop()
        expect(read).toEqual(wanted)
        const others = (await listOf(streamXlsxRows(bytes)))[1]?.values ?? []
        expect(others.map((cell, at) => cell ?? (typeof row[at] === 'string' ? '' : null))).toEqual(
          row.slice(0, others.length),
        )
      }),
      runs(200),
    )
  })
})

describe('sheet.workbook-cells: workbooks that LibreOffice wrote', () => {
  const file = (name: string) => readFileSync(join(projectRoot, 'test/import/libreoffice', name))

  it('prices with formulas, dates, flags, grouped numbers and empty rows are read', async () => {
    expect(await rowsOf(file('prices.xlsx'))).toEqual([
      [
        1,
        'sku',
        'EUR.amount',
        'EUR.includes_tax',
        'EUR.tier.6',
        'sale.Black Friday.EUR',
        'sale.Black Friday.valid_from',
        'sale.Black Friday.valid_to',
      ],
      [2, '00012', '1250.5', 'TRUE', '0.3', '999', '2031-11-28T00:00:00.000Z', '2031-12-01T09:30:00.000Z'],
      [5, '4006380000001', '12.50', 'FALSE', '', '', '2031-11-28T00:00:00Z'],
      [6, '="x" & ü', '9.99'],
    ])
  })

  it('errors, lost digits and several sheets are told', async () => {
    expect(await rowsOf(file('errors.xlsx'))).toEqual([
      [1, 'sku', 'external_ref', 'EUR.amount'],
      [2, 'A', '#N/A', '1'],
      [3, 'B', 'b', '#DIV/0!'],
      [4, 'C', 'c', '12.345'],
      [5, 'D', '4.00638E+12', '1e+21'],
    ])
    expect(await rowsOf(file('two-sheets.xlsx'))).toEqual([
      [null, null, 'has cells in several sheets, "Prices", "Notes": keep the one to import'],
    ])
  })
})
