/** Cells of Shopify's CSV that have to be words, flags, codes or numbers. */
import { readFlag, readText } from '../sheet/cells.ts'
import type { Field } from './shopify-columns.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** Error of a row that can't be taken; the message completes its place, "row 7: ..." or "B7: Title ...". */
export class WrongCell extends Error {
  override readonly name = 'WrongCell'
  constructor(
    message: string,
    readonly cell?: { readonly row: ShopifyRow; readonly field: Field },
  ) {
    super(message)
  }
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
  if (!status) throw wrong(first, 'status', `must be active, draft, archived or unlisted, and is ${given}`)
  return flagOf(first, 'published') === false ? 'draft' : status
}

/** The kind of goods of a variant; a gift card is one by the first row. Throws WrongCell. */
export function commodityOf(row: ShopifyRow, first: ShopifyRow): 'physical' | 'digital' {
  const isGiftCard = flagOf(first, 'giftCard') === true
  return isGiftCard || flagOf(row, 'requiresShipping') === false ? 'digital' : 'physical'
}

/** The weight of a variant in grams; undefined where it has none. Throws WrongCell. */
export function gramsOf(row: ShopifyRow): number | undefined {
  const text = row.text('grams')
  if (text === '') return undefined
  if (!/^\d+(\.\d+)?$/.test(text)) throw wrong(row, 'grams', `must be a number such as 250, and is ${text}`)
  return Number(text)
}

/** A code without the `'` that keeps spreadsheets from reading it as a number; empty for none. Throws WrongCell. */
export function codeOf(row: ShopifyRow, field: Field): string {
  const read = readText(row.raw(field))
  if ('value' in read) return read.value
  throw wrong(row, field, read.message)
}

function flagOf(row: ShopifyRow, field: Field): boolean | undefined {
  const text = row.text(field)
  if (text === '') return undefined
  const read = readFlag(text)
  if ('value' in read) return read.value
  throw wrong(row, field, `${read.message}, and is ${text}`)
}

function wrong(row: ShopifyRow, field: Field, message: string): WrongCell {
  return new WrongCell(message, { row, field })
}
