/** Cells of a sheet: amounts, flags and texts as a spreadsheet has them. */
import { fractionDigits } from '../../domain/input/currency.ts'
import type { Violation, ViolationCode } from '../../domain/input/errors.ts'

/** The cell that clears a value; an empty cell keeps it (sheet.empty-keeps-dash-clears). */
export const CLEARS = '-'

/** The decimal mark of a sheet. */
export type DecimalMark = '.' | ','

/** How the amounts and numbers of texts are read. */
export interface NumberFormat {
  readonly mark: DecimalMark
  /** The option that would change the mark, as it is given; absent where none does. */
  readonly option?: string
}

/** Numbers with a point, as workbooks and other systems write them. */
export const pointed: NumberFormat = { mark: '.' }

/** A value, or what is wrong with its cell. */
export type CellResult<T> = { readonly value: T } | Pick<Violation, 'code' | 'message'>

/** Reads an amount as minor units, without rounding (sheet.amounts-never-rounded). */
export function readAmount(cell: string, currency: string, { mark, option }: NumberFormat): CellResult<number> {
  const digits = fractionDigits(currency)
  const [whole = '', fraction, ...more] = cell.split(mark)
  const example = digits === 0 ? '12' : `12${mark}${'5'.padEnd(digits, '0')}`
  if (!/^\d+$/.test(whole) || more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) {
    const other = mark === '.' ? ',' : '.'
    const change = option === undefined ? '' : `, ${option} changes it`
    const hint = cell.includes(other) ? `; the decimal mark of this file is "${mark}"${change}` : ''
    return refused('INVALID_FORMAT', `must be an amount such as ${example}, without signs, spaces and exponents${hint}`)
  }
  if (fraction !== undefined && fraction.length > digits)
    return refused(
      'INVALID_FORMAT',
      `has ${fraction.length} ${fraction.length === 1 ? 'decimal' : 'decimals'}, and ${currency} has ${digits}`,
    )
  const value = Number(whole + (fraction ?? '').padEnd(digits, '0'))
  return Number.isSafeInteger(value)
    ? { value }
    : refused('OUT_OF_RANGE', `must be at most ${formatAmount(Number.MAX_SAFE_INTEGER, currency, mark)}`)
}

/** The cell of minor units, with all decimals of the currency. */
export function formatAmount(amount: number, currency: string, mark: DecimalMark): string {
  const digits = fractionDigits(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}${mark}${text.slice(-digits)}`
}

/**
 * An instant as the API takes it, of an ISO date or of a time without an offset, which are in UTC (sheet.dates-in-utc);
 * any other text as it is, which the API refuses where it is no instant.
 */
export function instantOf(cell: string): string {
  const [, day, time, seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?$/.exec(cell) ?? []
  return day === undefined ? cell : `${day}T${time ?? '00:00'}${seconds}Z`
}

/** Reads a whole number. */
export function readInteger(cell: string): CellResult<number> {
  const value = /^-?\d+$/.test(cell) ? Number(cell) : Number.NaN
  return Number.isSafeInteger(value)
    ? { value }
    : refused('INVALID_FORMAT', 'must be a whole number such as 12, without spaces, grouping signs and exponents')
}

/** Reads a number with a fraction; one that can't be kept exactly is refused. */
export function readDecimal(cell: string, { mark }: NumberFormat): CellResult<number> {
  const [, whole = '', fraction = ''] =
    (mark === '.' ? /^(-?\d+)(?:\.(\d+))?$/ : /^(-?\d+)(?:,(\d+))?$/).exec(cell) ?? []
  if (whole === '')
    return refused(
      'INVALID_FORMAT',
      `must be a number such as 12${mark}5, without spaces, grouping signs and exponents`,
    )
  const kept = fraction.replace(/0+$/, '')
  const value = Number(`${whole}.${kept}0`)
  const text = `${whole.replace(/^(-?)0+(?=\d)/, '$1')}${kept && `.${kept}`}`
  return formatDecimal(value) === text ? { value } : refused('INVALID_FORMAT', 'has more digits than are kept')
}

/** The cell of a number below 1e21, without an exponent. */
export function formatDecimal(value: number): string {
  const [, sign = '', digits = '', places = ''] = /^(-?)([\d.]+)e-(\d+)$/.exec(String(value)) ?? []
  return places === '' ? String(value) : `${sign}0.${'0'.repeat(Number(places) - 1)}${digits.replace('.', '')}`
}

/** Reads a flag in any case: spreadsheets write it in capitals. */
export function readFlag(cell: string): CellResult<boolean> {
  const flag = cell.toLowerCase()
  if (flag === 'true' || flag === 'false') return { value: flag === 'true' }
  return refused('INVALID_VALUE', 'must be true or false')
}

/** Texts that a spreadsheet would take for a formula, or that would read as another text. */
const special = /^[=+\-@\t\r\n']|^$/
/** What Excel makes of a code of many digits, which are lost; without a sign a code that Excel would take for one. */
const exponent = /^\d(?:[.,]\d+)?E([+-]?)\d+$/i

/** The errors that spreadsheets show in place of a value. */
const errorValue = /^(?:#(?:N\/A|NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|SPILL!|CALC!|FIELD!|GETTING_DATA)|Err:\d{3})$/

/** Whether a cell is the error of a formula (sheet.errors-of-formulas-refused). */
export function isErrorValue(cell: string): boolean {
  return errorValue.test(cell)
}

/** The cell of a text, with a `'` before what is no plain text to a spreadsheet (sheet.texts-are-no-formulas). */
export function formatText(text: string): string {
  return special.test(text) || exponent.test(text) || isErrorValue(text) ? `'${text}` : text
}

/** Reads a text that `formatText` wrote, or that was typed. */
export function readText(cell: string): CellResult<string> {
  if (cell.startsWith("'")) return { value: cell.slice(1) }
  if (isErrorValue(cell))
    return refused('INVALID_FORMAT', "is the error of a formula: write the text, or a ' before it")
  return exponent.exec(cell)?.[1]
    ? refused('INVALID_FORMAT', "is a number that a spreadsheet made of a code: write the code, or a ' before the text")
    : { value: cell }
}

/**
 * The cell of texts, with `, ` between; a comma within one is doubled. One that begins or ends with a space, or begins
 * with `'`, has a `'` before it, and is read as it stands.
 */
export function formatList(texts: readonly string[]): string {
  const entries = texts.map((text) => (text !== text.trim() || text.startsWith("'") ? `'${text}` : text))
  return formatText(entries.map((text) => text.replaceAll(',', ',,')).join(', '))
}

/** Reads a list that `formatList` wrote, or that was typed. */
export function readList(cell: string): CellResult<string[]> {
  const text = readText(cell)
  if (!('value' in text)) return text
  const entries = ['']
  for (const [token] of text.value.matchAll(/,,|, ?|[^,]+/g)) {
    if (token === ',' || token === ', ') entries.push('')
    else entries[entries.length - 1] += token === ',,' ? ',' : token
  }
  return { value: entries.map((entry) => (entry.startsWith("'") ? entry.slice(1) : entry.trim())) }
}

function refused(code: ViolationCode, message: string): CellResult<never> {
  return { code, message }
}
