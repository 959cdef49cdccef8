/**
 * Time zones: the instants of local times and days. Zones change their clocks by rules that the runtime knows; which
 * instant a local time stands for is what Temporal says ("compatible").
 */
import { Temporal } from 'temporal-polyfill'

/** A day of the calendar. */
export interface Day {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

/** A time that clocks of a zone show. */
export interface LocalTime extends Day {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

/** Whether `name` is a zone of the IANA database that the runtime knows, such as `Europe/Berlin`, and no offset. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * The instant, in epoch milliseconds, at which clocks of the zone show a valid time. A time that they skip moves on by
 * as much as they do; one that they show twice is the first.
 */
export function instantIn(zone: string, time: LocalTime): number {
  return Temporal.PlainDateTime.from(time).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** The first instant, in epoch milliseconds, of a valid day in the zone, or of the day `later` days after it. */
export function startOfDay(zone: string, day: Day, later = 0): number {
  return Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).epochMilliseconds
}
