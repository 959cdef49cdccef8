/**
 * Billing places: where in the cycles of a cadence invoices of a subscription are due, as rows that an index finds for
 * any time (subscription.due-in-a-window). Places are candidates: what is due at one says `invoiceAt`.
 */
import { DAY_MS } from '../input/instant.ts'
import type { Agreement } from './agreement.ts'
import type { Cadence } from './cadence.ts'
import { endOfTime, lifeOf } from './life.ts'

/** The name of a cadence; of single instants it is empty. Zone, unit and length, such as `Europe/Berlin m1`. */
export type CadenceName = string
export const SINGLE: CadenceName = ''

/** A place that is used for a time. Instants are epoch milliseconds. */
export interface BillingPlace {
  readonly cadence: CadenceName
  /**
   * Milliseconds of local time into the cycle: of days since a cycle began that is counted from 1970, of months with 32
   * days for each. The instant itself for a single one.
   */
  readonly slot: number
  readonly from: number
  /** Its end, which is not in it. */
  readonly until: number
}

/** Days that a month has in slots, so that each day of each month has a place of its own. */
export const SLOT_DAYS = 32

/** The places of all invoices of an agreement that are shown. At no instant does a slot have two. */
export function placesOf(agreement: Agreement): BillingPlace[] {
  const places: BillingPlace[] = []
  const shownFrom = agreement.invoicesFrom ?? Number.NEGATIVE_INFINITY
  const add = (place: BillingPlace): void => {
    const from = Math.max(place.from, shownFrom)
    const until = Math.min(place.until, endOfTime)
    if (from >= until) return
    const last = places.at(-1)
    const isSameSlot = last && last.cadence === place.cadence && last.slot === place.slot
    // A proration and a first start are due at one instant.
    if (isSameSlot && last.from === from) return
    if (isSameSlot && last.until === from) places[places.length - 1] = { ...last, until }
    else places.push({ ...place, from, until })
  }
  const addSingle = (at: number) => add({ cadence: SINGLE, slot: at, from: at, until: at + 1 })
  for (const { from, to, phase, cadence, items, prorations } of lifeOf(agreement).stretches) {
    if (prorations.length > 0) addSingle(from)
    if (phase !== 'active' || items.length === 0) continue
    const { first } = cadence
    // The first start may be a part of an interval, or moved by the clock.
    if (first >= from && first < to) addSingle(first)
    add({ cadence: nameOf(cadence), slot: slotOf(cadence), from: Math.max(from, first + 1), until: to })
  }
  return places
}

function nameOf({ zone, days, months }: Cadence): CadenceName {
  return `${zone ?? 'UTC'} ${days === null ? `m${months}` : `d${days}`}`
}

function slotOf({ days, months, local }: Cadence): number {
  if (days !== null) return modulo(local.whole, days * DAY_MS)
  return (modulo(local.month, months) * SLOT_DAYS + local.day) * DAY_MS + local.time
}

/** The remainder, which is not negative. */
export function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor
}
