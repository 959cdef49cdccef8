/**
 * Local times of a time zone (subscription.local-time). A local time is a number of milliseconds, as epoch milliseconds
 * are: those of the instant at which UTC shows the same date and time.
 */
import { Temporal } from 'temporal-polyfill'

/** A time zone of the IANA database; null is UTC. */
export type TimeZone = string | null

/** The local time that a zone shows at an instant. */
export function toLocal(zone: TimeZone, instant: number): number {
  return zone === null ? instant : instant + offsetAt(zone, instant)
}

/**
 * The instant of a local time. One in a gap of the clock moves on by the gap; of two instants with one local time it is
 * the first.
 */
export function toInstant(zone: TimeZone, local: number): number {
  if (zone === null) return local
  const text = new Date(local).toISOString().slice(0, -1)
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** A range of local times that are as far from their instants: those are `shift` later. */
export interface ClockPiece {
  readonly from: number
  /** Its end, which is not in it. */
  readonly until: number
  readonly shift: number
}

/**
 * The local times whose instants lie from `from` to `to`, which is not in it, cut where the clock is turned. Times in a
 * gap and times that come twice have the instants that `toInstant` gives them.
 */
export function clockPieces(zone: TimeZone, from: number, to: number): ClockPiece[] {
  if (zone === null) return [{ from, until: to, shift: 0 }]
  const pieces: ClockPiece[] = []
  const add = (begin: number, until: number, shift: number): void => {
    const piece = { from: Math.max(begin, from - shift), until: Math.min(until, to - shift), shift }
    if (piece.from < piece.until) pieces.push(piece)
  }
  // A turn shortly before the time may move local times into it.
  let begin = from - TURN_REACH_MS
  let known = begin + offsetAt(zone, begin)
  for (;;) {
    const offset = offsetAt(zone, begin)
    const turn = nextTurn(zone, begin)
    const end = turn === null || turn >= to ? to : turn
    if (known < begin + offset) {
      // The clock was turned forward: what it left out moves on by the gap.
      add(known, begin + offset, -offsetAt(zone, begin - 1))
      known = begin + offset
    }
    add(known, end + offset, -offset)
    known = Math.max(known, end + offset)
    if (end >= to) return pieces
    begin = end
  }
}

/** A clock is turned by a day at most. */
const TURN_REACH_MS = 2 * 86_400_000

function nextTurn(zone: string, instant: number): number | null {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return at.getTimeZoneTransition('next')?.epochMilliseconds ?? null
}

/** Whether a text names a time zone, rather than an offset. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    offsetAt(text, 0)
    return true
  } catch {
    return false
  }
}

function offsetAt(zone: string, instant: number): number {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return offsetNanoseconds / 1_000_000
}
