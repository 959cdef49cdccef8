/**
 * Instants: RFC 3339 text in, epoch milliseconds inside, UTC text with milliseconds out
 * (value.instants-cut-to-milliseconds); and whole days of the store's time zone.
 */
import { type Day, instantIn, startOfDay } from '../../lib/time-zone.ts'

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))?$/

/**
 * The first and last instant of the years 0001 to 9999, in epoch milliseconds. PostgreSQL's text form has no year 0.
 */
const earliest = -62135596800000
const latest = 253402300799999

let timeZone = 'UTC'

/**
 * Sets the time zone of days and of instants without an offset (value.local-instants-in-store-zone). A process has one
 * store, and values of the graph are parsed without a context, so that it is set once, when the process starts.
 */
export function setStoreTimeZone(zone: string): void {
  timeZone = zone
}

/**
 * Parses an RFC 3339 date-time into epoch milliseconds; null for any other text.
 *
 * Without an offset it is in the time zone of the store. Digits past the millisecond are cut, not rounded. Null also
 * for a date without a time, for second 60, for days that the calendar lacks, and for instants outside the years 0001
 * to 9999 of UTC.
 */
export function parseInstant(text: string): number | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) => Number(match[group])) as Six
  if (!isDay({ year, month, day })) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const offsetHour = Number(match[10] ?? 0)
  const offsetMinute = Number(match[11] ?? 0)
  if (offsetHour > 23 || offsetMinute > 59) return null
  const date = new Date(0)
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const offset = (offsetHour * 60 + offsetMinute) * 60_000
  const hasOffset = match[8] !== undefined || match[9] !== undefined
  const ms =
    hasOffset || timeZone === 'UTC'
      ? date.getTime() - (match[9] === '-' ? -offset : offset)
      : instantIn(timeZone, { year, month, day, hour, minute, second, millisecond: date.getUTCMilliseconds() })
  return isInstant(ms) ? ms : null
}

/**
 * The first instant of a day of the store's time zone, `2030-11-29`, or of the day after it; null for any other text,
 * and for an instant outside the years 0001 to 9999 of UTC.
 */
export function parseDay(text: string, bound: 'start' | 'end'): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return null
  const [year, month, day] = [1, 2, 3].map((group) => Number(match[group])) as [number, number, number]
  if (!isDay({ year, month, day })) return null
  const ms = startOfDay(timeZone, { year, month, day }, bound === 'start' ? 0 : 1)
  return isInstant(ms) ? ms : null
}

function isDay({ year, month, day }: Day): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** Whether the epoch milliseconds lie in the years 0001 to 9999 of UTC, which formatInstant needs. */
export function isInstant(ms: number): boolean {
  return ms >= earliest && ms <= latest
}

/**
 * The RFC 3339 text of epoch milliseconds in the years 0001 to 9999, in UTC with milliseconds:
 * `2026-01-31T10:00:00.000Z`.
 */
export function formatInstant(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

/** The last formatted instant: most records of a page share that of their release, sale or import. */
let last = { ms: 0, text: new Date(0).toISOString() }

type Six = [number, number, number, number, number, number]

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
