/** Cells of Shopify's CSV that have to be words, flags, codes or numbers. */
import { readFlag, readText } from '../sheet/cells.ts'
import type { Field } from './shopify-columns.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** Error of a row whose cell can't be taken; the message completes "row 7: ...". */
export class WrongCell extends Error {
  override readonly name = 'WrongCell'
}

const statuses: ReadonlyMap<string, 'live' | 'draft'> = new Map([
  ['', 'live'],
  ['active', 'live'],
  ['draft', 'draft'],
  ['archived', 'draft'],
  ['unlisted', 'draft'],
])

/** Whether a product is live, by the first of its rows. Throws WrongCell. */
export function statusOf(first: ShopifyRow): 'live' | 'draft' {
  const given = first.text('status')
  const status = statuses.get(given.toLowerCase())
  if (!status) throw new WrongCell(`Status must be active, draft, archived or unlisted, and is ${given}`)
  return flagOf(first, 'published', 'Published') === false ? 'draft' : status
}

/** The kind of goods of a variant; a gift card is one by the first row. Throws WrongCell. */
export function commodityOf(row: ShopifyRow, first: ShopifyRow): 'physical' | 'digital' {
  const isGiftCard = flagOf(first, 'giftCard', 'Gift Card') === true
  return isGiftCard || flagOf(row, 'requiresShipping', 'Requires Shipping') === false ? 'digital' : 'physical'
}

/** The weight of a variant in grams; undefined where it has none. Throws WrongCell. */
export function gramsOf(row: ShopifyRow): number | undefined {
  const text = row.text('grams')
  if (text === '') return undefined
  if (!/^\d+(\.\d+)?$/.test(text)) throw new WrongCell(`Grams must be a number such as 250, and is ${text}`)
  return Number(text)
}

/** A code without the `'` that keeps spreadsheets from reading it as a number; empty for none. Throws WrongCell. */
export function codeOf(row: ShopifyRow, field: Field): string {
  const read = readText(row.raw(field))
  if ('value' in read) return read.value
  throw new WrongCell(`${row.raw(field)} ${read.message}`)
}

function flagOf(row: ShopifyRow, field: Field, name: string): boolean | undefined {
  const text = row.text(field)
  if (text === '') return undefined
  const read = readFlag(text)
  if ('value' in read) return read.value
  throw new WrongCell(`${name} ${read.message}, and is ${text}`)
}
