/**
 * Columns of a sheet of prices: what the name of each says (sheet.columns-known-by-name).
 *
 * `sku`, `external_ref`, `USD.amount`, `USD.includes_tax`, `USD.tier.6`; and of the sale Summer `sale.Summer`,
 * `sale.Summer.valid_from`, `sale.Summer.valid_to`, `sale.Summer.bundle_ids`, `sale.Summer.USD`,
 * `sale.Summer.USD.includes_tax`, `sale.Summer.USD.tier.6`. A `.` in the name of a sale is doubled.
 */
import { isCurrencyCode } from '../../domain/input/currency.ts'
import { nearestTo } from '../../domain/input/unknown-members.ts'
import { compareCodePoints } from '../../lib/code-point.ts'
import { joinSegments, segmentsOf } from './column-name.ts'

const priceMembers = ['sku', 'external_ref'] as const
const saleMembers = ['exists', 'valid_from', 'valid_to', 'bundle_ids'] as const

/** A column; `sale` is the name of a sale, null for the list price. */
export type PriceColumn =
  | { readonly on: 'price'; readonly member: (typeof priceMembers)[number] }
  | { readonly on: 'sale'; readonly sale: string; readonly member: (typeof saleMembers)[number] }
  | ({ readonly on: 'currency'; readonly sale: string | null; readonly currency: string } & CurrencyMember)

/** What a column has of a currency: the amount, the tax flag, or the amount from a minimum quantity on. */
export type CurrencyMember =
  | { readonly member: 'amount' | 'includes_tax' }
  | { readonly member: 'tier'; readonly minimum: number }

/** The name of a column. */
export function columnName(column: PriceColumn): string {
  if (column.on === 'price') return column.member
  if (column.on === 'sale') return `${saleName(column.sale)}${column.member === 'exists' ? '' : `.${column.member}`}`
  const { sale, currency } = column
  const prefix = sale === null ? currency : `${saleName(sale)}.${currency}`
  if (column.member === 'tier') return `${prefix}.tier.${column.minimum}`
  return sale !== null && column.member === 'amount' ? prefix : `${prefix}.${column.member}`
}

function saleName(name: string): string {
  return joinSegments(['sale', name])
}

/** The column with a name; undefined when there is none. */
export function parseColumn(name: string): PriceColumn | undefined {
  const member = priceMembers.find((known) => known === name)
  if (member) return { on: 'price', member }
  const parts = name.startsWith('sale.') ? segmentsOf(name.slice('sale.'.length)) : segmentsOf(name)
  if (!name.startsWith('sale.')) return currencyColumn(null, parts)
  const [sale = '', ...rest] = parts
  if (sale === '') return undefined
  const own = saleMembers.find(
    (known) => known === (rest[0] ?? 'exists') && (known === 'exists') === (rest.length === 0),
  )
  if (own && rest.length <= 1) return { on: 'sale', sale, member: own }
  return currencyColumn(sale, rest)
}

function currencyColumn(
  sale: string | null,
  [currency = '', member, minimum, ...more]: string[],
): PriceColumn | undefined {
  if (!isCurrencyCode(currency) || more.length > 0) return undefined
  const of = { on: 'currency', sale, currency } as const
  if (member === 'tier') {
    if (minimum === undefined || !/^[1-9]\d*$/.test(minimum)) return undefined
    return Number.isSafeInteger(Number(minimum)) ? { ...of, member, minimum: Number(minimum) } : undefined
  }
  if (minimum !== undefined) return undefined
  if (member === 'includes_tax') return { ...of, member }
  return member === (sale === null ? 'amount' : undefined) ? { ...of, member: 'amount' } : undefined
}

/** A sentence for a name that no column has, with the nearest one. */
export function unknownColumn(name: string): string {
  const nearest = isCurrencyCode(name) ? `${name}.amount` : nearestTo(name, likeColumns(name))
  return nearest === undefined
    ? 'is unknown, allowed are sku, external_ref, USD.amount, USD.includes_tax, USD.tier.6, sale.NAME, sale.NAME.valid_from, ' +
        'sale.NAME.valid_to, sale.NAME.bundle_ids, sale.NAME.USD, sale.NAME.USD.includes_tax and sale.NAME.USD.tier.6'
    : `is unknown, did you mean ${nearest}?`
}

/** Columns with the sale, currency and minimum of a wrong name, as far as it has them. */
function likeColumns(name: string): string[] {
  const parts = segmentsOf(name)
  const isOfSale = /^sales?$/i.test(parts[0] ?? '')
  const sale = (isOfSale && parts[1]) || null
  const rest = isOfSale ? parts.slice(2) : parts
  const [, currency = ''] = /^([A-Z]{3})[A-Z]?$/.exec(rest[0]?.toUpperCase() ?? '') ?? []
  const minimum = Number(/[1-9]\d{0,14}/.exec(rest.slice(1).join('.'))?.[0] ?? 1)
  const columns: PriceColumn[] = priceMembers.map((member) => ({ on: 'price', member }))
  if (sale !== null) columns.push(...saleMembers.map((member) => ({ on: 'sale', sale, member }) as const))
  if (isCurrencyCode(currency))
    for (const member of [{ member: 'amount' }, { member: 'includes_tax' }, { member: 'tier', minimum }] as const)
      columns.push({ on: 'currency', sale, currency, ...member })
  return columns.map(columnName)
}

/** Compares columns in the order of an export: the price, its currencies, then sale by sale. */
export function compareColumns(left: PriceColumn, right: PriceColumn): number {
  const [one, other] = [placeOf(left), placeOf(right)]
  return (
    compareCodePoints(one.sale, other.sale) ||
    one.member - other.member ||
    compareCodePoints(one.currency, other.currency) ||
    one.of - other.of
  )
}

/** Names of sales have at least one character, so that the list price comes first. */
function placeOf(column: PriceColumn): { sale: string; member: number; currency: string; of: number } {
  if (column.on === 'price') return { sale: '', member: priceMembers.indexOf(column.member), currency: '', of: 0 }
  if (column.on === 'sale')
    return { sale: column.sale, member: saleMembers.indexOf(column.member), currency: '', of: 0 }
  const of = column.member === 'tier' ? column.minimum : column.member === 'amount' ? -1 : 0
  return { sale: column.sale ?? '', member: saleMembers.length, currency: column.currency, of }
}
