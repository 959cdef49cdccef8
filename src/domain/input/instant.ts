/** Instants: RFC 3339 text in, epoch milliseconds inside, UTC text with milliseconds out (value.instants-cut-to-milliseconds). */

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))?$/

/** The first and last instant of the years 0001 to 9999, in epoch milliseconds. PostgreSQL's text form has no year 0. */
const earliest = -62135596800000
const latest = 253402300799999

/**
 * Parses an RFC 3339 date-time into epoch milliseconds; null for any other text.
 *
 * Without an offset it is UTC. Digits past the millisecond are cut, not rounded. Null also for a date without a time, for second 60,
 * for days that the calendar lacks, and for instants outside the years 0001 to 9999 of UTC.
 */
export function parseInstant(text: string): number | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) => Number(match[group])) as Six
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const offsetHour = Number(match[10] ?? 0)
  const offsetMinute = Number(match[11] ?? 0)
  if (offsetHour > 23 || offsetMinute > 59) return null
  const date = new Date(0)
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const offset = (offsetHour * 60 + offsetMinute) * 60_000
  const ms = date.getTime() - (match[9] === '-' ? -offset : offset)
  return ms < earliest || ms > latest ? null : ms
}

/** Whether the epoch milliseconds lie in the years 0001 to 9999 of UTC, which formatInstant needs. */
export function isInstant(ms: number): boolean {
  return ms >= earliest && ms <= latest
}

/** The RFC 3339 text of epoch milliseconds in the years 0001 to 9999, in UTC with milliseconds: `2026-01-31T10:00:00.000Z`. */
export function formatInstant(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

/** The last formatted instant: the records of a page mostly share one, of their release, sale or import. */
let last = { ms: 0, text: new Date(0).toISOString() }

type Six = [number, number, number, number, number, number]

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
