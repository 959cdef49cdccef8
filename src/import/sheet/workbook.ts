/** Workbook: what its sheets share in an XLSX file (ECMA-376): their names and parts, texts, and styles of dates. */
import { isDateFormat } from 'hucre'
import { BrokenSheet, ROW_BYTES_MAX } from './row.ts'
import { readXml } from './xml.ts'
import { ZipParts } from './zip-parts.ts'

/** Bytes of the part with texts, which is held in memory. */
const TEXTS_BYTES_MAX = 128 * 1024 * 1024
/** Texts in it, empty ones included. */
const TEXTS_MAX = 4_000_000
/** Sheets of a workbook. */
const SHEETS_MAX = 1000
/** Bytes of the parts that say what the others are. */
const PART_BYTES_MAX = 8 * 1024 * 1024

/** A sheet with the name of its part. */
export interface WorkbookSheet {
  readonly name: string
  readonly part: string
}

export interface Workbook {
  readonly parts: ZipParts
  readonly sheets: readonly WorkbookSheet[]
  /** The texts that cells name by their index. */
  readonly texts: readonly string[]
  /** Whether a style, by its index, shows numbers as dates. */
  readonly isDate: readonly boolean[]
  /** Whether dates are counted from 1904. */
  readonly is1904: boolean
}

/** Opens a workbook. Throws BrokenSheet. */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const parts = await ZipParts.open(bytes)
  const [main] = await relationsOf(parts, '')
  if (!main || !parts.has(main.part)) throw new BrokenSheet('is a ZIP file without a workbook: save it as XLSX', null)
  const relations = await relationsOf(parts, main.part)
  const partOf = (type: string): string => relations.find((one) => one.type === type)?.part ?? ''
  const sheets: WorkbookSheet[] = []
  let is1904 = false
  await readXml(parts.read(main.part, PART_BYTES_MAX), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const [, id] = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute)) ?? []
      const relation = relations.find((one) => one.id === id)
      if (relation?.type === 'worksheet') sheets.push({ name: attributes.name ?? '', part: relation.part })
      if (sheets.length > SHEETS_MAX) throw new BrokenSheet(`has more than ${SHEETS_MAX} sheets`, null)
    },
  })
  const [texts, isDate] = [await textsOf(parts, partOf('sharedStrings')), await datesOf(parts, partOf('styles'))]
  return { parts, sheets, texts, isDate, is1904 }
}

interface Relation {
  readonly id: string
  /** The last part of its type, such as `worksheet`. */
  readonly type: string
  readonly part: string
}

/** The relations of a part; of the file without a name, the one to its workbook. */
async function relationsOf(parts: ZipParts, part: string): Promise<Relation[]> {
  const [, folder = '', file = ''] = /^(.*\/)?([^/]*)$/.exec(part) ?? []
  const found: Relation[] = []
  await readXml(parts.read(`${folder}_rels/${file}.rels`, PART_BYTES_MAX), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const { pathname } = new URL(target, `file:///${folder}`)
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), part: decodeURIComponent(pathname.slice(1)) })
    },
  })
  return part === '' ? found.filter(({ type }) => type === 'officeDocument') : found
}

/** The texts that cells share. Readings of Japanese texts (`rPh`) are no part of them. */
async function textsOf(parts: ZipParts, part: string): Promise<string[]> {
  const texts: string[] = []
  const text = new TextReader()
  await readXml(parts.read(part, TEXTS_BYTES_MAX), {
    open(name) {
      if (name === 'si') text.begin()
      else text.open(name)
    },
    text: (piece) => text.add(piece),
    close(name) {
      if (name !== 'si') return text.close(name)
      if (texts.push(text.end()) > TEXTS_MAX) throw new BrokenSheet(`has more than ${TEXTS_MAX} shared texts`, null)
    },
  })
  return texts
}

/** Whether the cells of each style show dates. */
async function datesOf(parts: ZipParts, part: string): Promise<boolean[]> {
  const formats = new Map<string, string>()
  const isDate: boolean[] = []
  let inCells = false
  await readXml(parts.read(part, PART_BYTES_MAX), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') formats.set(numFmtId, formatCode)
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) isDate.push(isDateFormat(formats.get(numFmtId) ?? numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return isDate
}

/** The text of an element with texts (`t`), some in runs, without readings (`rPh`). */
export class TextReader {
  private text = ''
  private isText = false
  private inReading = false

  begin(): void {
    this.text = ''
  }

  open(name: string): void {
    if (name === 'rPh') this.inReading = true
    else if (name === 't') this.isText = !this.inReading
  }

  add(piece: string): void {
    if (!this.isText) return
    this.text += piece
    if (this.text.length > ROW_BYTES_MAX)
      throw new BrokenSheet(`has a cell with more than ${ROW_BYTES_MAX} bytes`, null)
  }

  close(name: string): void {
    if (name === 'rPh') this.inReading = false
    else if (name === 't') this.isText = false
  }

  /** The text, with the characters that XML can't hold in place of their codes. */
  end(): string {
    return unescaped(this.text)
  }
}

/** A text with the characters that stand in it as `_x000D_`. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
