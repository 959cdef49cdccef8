/**
 * Columns of members: how the value of a member of each kind stands in cells.
 *
 * A member is one column, or it has parts that are columns of their own, such as `name.de`. What an object replaces
 * whole is made of the stored value and the parts that the row gives (sheet.absent-columns-stay).
 */
import { isCurrencyCode } from '../../domain/input/currency.ts'
import type { Member } from '../../domain/input/record-members.ts'
import { type Locales, type LocaleTexts, languageTag } from '../../domain/language/locale.ts'
import type { PriceMap } from '../../domain/pricing/flat-price-map.ts'
import {
  type CellResult,
  formatAmount,
  formatDecimal,
  formatList,
  formatText,
  type NumberFormat,
  readAmount,
  readDecimal,
  readFlag,
  readInteger,
  readList,
  readText,
} from './cells.ts'
import { joinSegments } from './column-name.ts'
import type { Holds } from './workbook-bytes.ts'

/** What a column says of its member. */
export interface PartColumn {
  /** The steps to the part of the value, as objects name them; none for the whole. */
  readonly part: readonly string[]
  /** The first part of the name of the column beside which an export has it; absent: its own. */
  readonly beside?: string
  read(cell: string, format: NumberFormat): CellResult<unknown>
  /** What its cells are in a workbook; absent: text. */
  readonly holds?: Holds
}

/** A part of a value that a cell gives; null clears it. */
export interface Part {
  readonly part: readonly string[]
  readonly value: unknown
}

/** The columns of one member. */
export interface MemberColumns {
  /** The names of its columns, for sentences and documentation. */
  readonly shown: readonly string[]
  /** The column with a name, given by the parts between its dots. */
  parse(segments: readonly string[]): PartColumn | undefined
  /** Names that columns of the member could have, which resemble a wrong name. */
  like(segments: readonly string[]): readonly string[]
  /** The names of columns and the cells of a stored value. */
  cells(value: unknown): readonly (readonly [name: string, cell: string])[]
  /** The member of an object: the parts that a row gives, with what it leaves of the stored value. */
  given(parts: readonly Part[], stored: unknown): unknown
}

/** The columns of a member with a name in REST. */
export type ColumnsOf = (name: string) => MemberColumns

/** One column; `write` gives no cell for a value that is none. */
function whole(
  read: PartColumn['read'],
  write: (value: NonNullable<unknown>) => string | undefined,
  holds: Holds = 'text',
): ColumnsOf {
  return (name) => ({
    shown: [name],
    parse: ([first, ...more]) => (first === name && more.length === 0 ? { part: [], read, holds } : undefined),
    like: () => [name],
    cells: (value) => {
      const cell = value == null ? undefined : write(value)
      return cell === undefined ? [] : [[name, cell]]
    },
    given: ([given]) => given?.value,
  })
}

const texts = whole(readText, (value) => formatText(value as string))
const integers = whole(readInteger, String, 'number')
const numbers = whole(readDecimal, (value) => formatDecimal(value as number), 'number')
const flags = whole(readFlag, String, 'flag')

/** A text under another name than the member's. */
export function textColumn(own: string): ColumnsOf {
  return (name) => {
    const columns = texts(own)
    return { ...columns, parse: (segments) => columns.parse(segments) && { part: [], beside: name, read: readText } }
  }
}

/** Texts in one cell, with commas between; no cell for an empty list. */
export const listColumn = whole(readList, (value) => {
  const entries = value as readonly string[]
  return entries.length > 0 ? formatList(entries) : undefined
})

/** Members of a value with fixed parts as columns `price_units.unit`; they are given together where one is. */
export function partColumns(parts: Readonly<Record<string, 'word' | 'integer'>>): ColumnsOf {
  return (name) => ({
    shown: Object.keys(parts).map((part) => joinSegments([name, part])),
    parse: ([first, part = '', ...more]) =>
      first === name && Object.hasOwn(parts, part) && more.length === 0
        ? { part: [part], ...(parts[part] === 'integer' ? { read: readInteger, holds: 'number' } : { read: readText }) }
        : undefined,
    like: () => Object.keys(parts).map((part) => joinSegments([name, part])),
    cells: (value) =>
      Object.entries((value ?? {}) as object).map(([part, of]) => [
        joinSegments([name, part]),
        typeof of === 'number' ? String(of) : formatText(of as string),
      ]),
    given: (given, stored) => {
      const value: Record<string, unknown> = { ...(stored as object | null) }
      for (const { part, value: of } of given) value[part[0] ?? ''] = of
      return Object.values(value).every((of) => of === null) ? null : value
    },
  })
}

const localeTexts = ['name', 'description', 'slug', 'seo_title', 'seo_description'] as const

/** Columns such as `name.de` and `seo_title.de`, of records with pages of their own. Stored tags keep their case. */
const localeColumns: ColumnsOf = () => ({
  shown: localeTexts.map((text) => `${text}.de`),
  parse: ([text = '', tag = '', ...more]) =>
    localeTexts.some((known) => known === text) && languageTag(tag) === undefined && more.length === 0
      ? { part: [tag, text], beside: text, read: readText }
      : undefined,
  like: ([, tag = '']) => localeTexts.map((text) => joinSegments([text, languageTag(tag) === undefined ? tag : 'de'])),
  cells: (value) =>
    Object.entries((value ?? {}) as Locales).flatMap(([tag, of]) =>
      localeTexts.flatMap((text) => (of[text] == null ? [] : [[`${text}.${tag}`, formatText(of[text])] as const])),
    ),
  given: (parts, stored) => {
    const locales = new Map<string, LocaleTexts>(Object.entries((stored ?? {}) as Locales))
    for (const { part, value } of parts) {
      const [tag = '', text = ''] = part
      const known = [...locales.keys()].find((one) => one.toLowerCase() === tag.toLowerCase()) ?? tag
      locales.set(known, { ...locales.get(known), [text]: value as string | null })
    }
    return Object.fromEntries(locales)
  },
})

const priceMembers = ['amount', 'includes_tax'] as const

/** Columns `EUR.amount` and `EUR.includes_tax`, behind `prefix` where it is not empty. */
function priceColumns(prefix: readonly string[]): MemberColumns {
  const nameOf = (currency: string, member: string): string => joinSegments([...prefix, currency, member])
  return {
    shown: priceMembers.map((member) => nameOf('EUR', member)),
    parse: (segments) => {
      const [currency = '', member, ...more] = segments.slice(prefix.length)
      const isOurs = prefix.every((part, index) => segments[index] === part) && more.length === 0
      if (!isOurs || !isCurrencyCode(currency)) return undefined
      const of = prefix.length > 0 ? {} : { beside: 'price' }
      if (member === 'amount')
        return {
          ...{ ...of, part: [currency, member], holds: 'number' },
          read: (cell, format) => readAmount(cell, currency, format),
        }
      return member === 'includes_tax' ? { ...of, part: [currency, member], read: readFlag, holds: 'flag' } : undefined
    },
    like: (segments) => {
      const currency = segments.map((one) => one.toUpperCase()).find(isCurrencyCode) ?? 'EUR'
      return priceMembers.map((member) => nameOf(currency, member))
    },
    cells: (value) =>
      Object.entries((value ?? {}) as PriceMap).flatMap(([currency, { amount, includes_tax }]) => [
        [nameOf(currency, 'amount'), formatAmount(amount, currency, '.')],
        [nameOf(currency, 'includes_tax'), String(includes_tax)],
      ]),
    given: (parts) => {
      const prices = new Map<string, Readonly<Record<string, unknown>> | null>()
      for (const { part, value } of parts) {
        const [currency = '', member = ''] = part
        const before = prices.get(currency)
        if (before === null) continue
        prices.set(currency, member === 'amount' && value === null ? null : { ...before, [member]: value })
      }
      return Object.fromEntries(prices)
    },
  }
}

/** Prices by currency with the member's name before the currency, as in `fixed_price.EUR.amount`. */
const namedPrices: ColumnsOf = (name) => priceColumns([name])

/** Prices by currency without the member's name, as in `EUR.amount`. */
export const ownPrices: ColumnsOf = () => priceColumns([])

/** The columns of a member by its kind; undefined where it has none unless the sheet names them. */
export function columnsByKind({ kind }: Member): ColumnsOf | undefined {
  switch (kind) {
    case 'text':
    case 'word':
      return texts
    case 'integer':
      return integers
    case 'number':
      return numbers
    case 'boolean':
      return flags
    case 'locales':
      return localeColumns
    case 'prices':
      return namedPrices
    case 'tieredPrices':
    case 'link':
    case 'links':
    case 'custom':
      return undefined
  }
}
