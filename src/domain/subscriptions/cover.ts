/** Covers: what was charged for the items of a subscription, and until when (subscription.proration-by-time). */
import { maxAmount } from '../pricing/money.ts'
import type { Item } from './agreement.ts'

/** What a charge paid for. */
export interface Cover {
  readonly item: Item
  /** The start of the full period that the item's amount is for. */
  readonly from: number
  /** The end of that period. */
  readonly to: number
}

/** The covers of a subscription, by product. */
export type Covers = ReadonlyMap<string, Cover>

/** Why an invoice has a line. */
export type LineReason = 'period' | 'proration_credit' | 'proration_charge'

/** A line of an invoice. */
export interface InvoiceLine {
  readonly item: Item
  readonly reason: LineReason
  /** Minor units, below 0 for a credit; null for an item without a price. */
  readonly amount: number | null
}

/** The amount of an item for a full period; null without a price, and above `maxAmount`. */
export function fullAmount({ unitAmount, quantity }: Pick<Item, 'unitAmount' | 'quantity'>): number | null {
  if (unitAmount === null) return null
  const amount = BigInt(unitAmount) * BigInt(quantity)
  return amount > BigInt(maxAmount) ? null : Number(amount)
}

/** The line that charges an item from an instant to the end of its period. */
export function chargeFrom({ item, from, to }: Cover, at: number, reason: LineReason): InvoiceLine {
  const full = fullAmount(item)
  return { item, reason, amount: full === null ? null : partOf(full, to - at, to - from) }
}

/** Lines that settle the difference of covers at an instant. Those without time left have none. */
export function settlingLines(before: Covers, after: Covers, at: number): InvoiceLine[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].flatMap((id) => {
    const [old, now] = [before.get(id), after.get(id)]
    if (old && now && isSameCover(old, now)) return []
    const credit = old && old.to > at ? [credited(chargeFrom(old, at, 'proration_credit'))] : []
    const charge = now && now.to > at ? [chargeFrom(now, at, 'proration_charge')] : []
    return [...credit, ...charge]
  })
}

/** The sum of the lines' amounts; null when one has none, and beyond `maxAmount`. */
export function sumOf(lines: readonly Pick<InvoiceLine, 'amount'>[]): number | null {
  let sum = 0n
  for (const { amount } of lines) {
    if (amount === null) return null
    sum += BigInt(amount)
  }
  return isExact(sum) ? Number(sum) : null
}

/** Whether the terms of an item are the same: what is charged for it, and how. */
export function isSameItem(one: Item, other: Item): boolean {
  return one.quantity === other.quantity && one.unitAmount === other.unitAmount && one.includesTax === other.includesTax
}

function isSameCover(one: Cover, other: Cover): boolean {
  return isSameItem(one.item, other.item) && one.from === other.from && one.to === other.to
}

function credited(line: InvoiceLine): InvoiceLine {
  // 0 - 0 is 0, and not -0.
  return { ...line, amount: line.amount === null ? null : 0 - line.amount }
}

/** A part of an amount by time, a half rounded up (subscription.part-by-milliseconds). */
function partOf(amount: number, part: number, whole: number): number {
  if (part === whole) return amount
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
}

function isExact(sum: bigint): boolean {
  return sum <= BigInt(maxAmount) && sum >= -BigInt(maxAmount)
}
