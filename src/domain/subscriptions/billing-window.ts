/** Billing windows: the ranges of slots (billing-places.ts) that fall into a time, for each cadence. */
import { DAY_MS } from '../input/instant.ts'
import { type CadenceName, modulo, SINGLE, SLOT_DAYS } from './billing-places.ts'
import { type ClockPiece, clockPieces } from './local-time.ts'

/** A range of slots. What is at a slot of it is due at that slot plus `shift`, epoch milliseconds. */
export interface SlotRange {
  readonly cadence: CadenceName
  readonly from: number
  /** Its end, which is not in it. */
  readonly until: number
  readonly shift: number
}

/** The ranges for the time from `from` to `to`, which is not in it; epoch milliseconds. */
export function slotRanges(cadences: readonly CadenceName[], from: number, to: number): SlotRange[] {
  const clocks = new Map<string, readonly ClockPiece[]>()
  return cadences.flatMap((cadence): SlotRange[] => {
    if (cadence === SINGLE) return [{ cadence, from, until: to, shift: 0 }]
    const [zone = '', length = ''] = cadence.split(' ')
    const pieces = clocks.get(zone) ?? clockPieces(zone === 'UTC' ? null : zone, from, to)
    clocks.set(zone, pieces)
    const count = Number(length.slice(1))
    return pieces.flatMap((piece) =>
      length.startsWith('d') ? dayRanges(cadence, piece, count * DAY_MS) : monthRanges(cadence, piece, count),
    )
  })
}

function dayRanges(cadence: CadenceName, { from, until, shift }: ClockPiece, cycle: number): SlotRange[] {
  const ranges: SlotRange[] = []
  for (let begin = Math.floor(from / cycle) * cycle; begin < until; begin += cycle)
    ranges.push({
      cadence,
      from: Math.max(from - begin, 0),
      until: Math.min(until - begin, cycle),
      shift: begin + shift,
    })
  return ranges
}

function monthRanges(cadence: CadenceName, { from, until, shift }: ClockPiece, months: number): SlotRange[] {
  const ranges: SlotRange[] = []
  const add = (slot: number, local: number, length: number): void => {
    const range = { from: Math.max(from - local, 0), until: Math.min(until - local, length) }
    if (range.from >= range.until) return
    ranges.push({ cadence, from: slot + range.from, until: slot + range.until, shift: local - slot + shift })
  }
  const first = new Date(from)
  for (let month = first.getUTCFullYear() * 12 + first.getUTCMonth(); monthStart(month) < until; month++) {
    const begin = monthStart(month)
    const days = Math.round((monthStart(month + 1) - begin) / DAY_MS)
    const slot = (modulo(month, months) * SLOT_DAYS + 1) * DAY_MS
    add(slot, begin, days * DAY_MS)
    // On its last day also what is on a day that it lacks.
    for (let day = days + 1; day < SLOT_DAYS; day++) add(slot + (day - 1) * DAY_MS, begin + (days - 1) * DAY_MS, DAY_MS)
  }
  return ranges
}

/** The local time at which a month begins, counted in months from the year 0. */
function monthStart(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), modulo(month, 12), 1)
  return date.getTime()
}
