/** Instants of imported subscriptions, which may have passed. Epoch milliseconds. */
import type { InputReader } from '../input/input-reader.ts'
import { DAY_MS, formatInstant } from '../input/instant.ts'
import { AHEAD_YEARS_MAX, PLAN_DAYS_MAX } from '../input/limits.ts'
import type { MemberRule } from '../input/member-rule.ts'
import { endOfTime } from './life.ts'

/** The last instant from which a period ends, and the next one, before the end of time. */
const latest = endOfTime - 2 * PLAN_DAYS_MAX * DAY_MS

/** Reads an instant of the hundred years before and after now. */
export function readNear(reader: InputReader, name: string, now: number): number | null | undefined {
  const at = reader.instant(name, { nullable: true })
  if (at == null || (at >= yearsFrom(now, -AHEAD_YEARS_MAX) && at <= yearsFrom(now, AHEAD_YEARS_MAX))) return at
  return reader.addViolation(name, 'OUT_OF_RANGE', `must be from ${AHEAD_YEARS_MAX} years ago to as many ahead`)
}

/** Reads an instant of a subscription that was stored. */
export function readStored(reader: InputReader, name: string, rule: MemberRule): number | null | undefined {
  const at = reader.instant(name, rule)
  if (at == null || at <= latest) return at
  return reader.addViolation(name, 'OUT_OF_RANGE', `must not be after ${formatInstant(latest)}`)
}

/** Reads an instant that has come. */
export function readPast(reader: InputReader, name: string, now: number, rule: MemberRule): number | null | undefined {
  const at = reader.instant(name, rule)
  if (at == null || at <= now) return at
  return reader.addViolation(name, 'OUT_OF_RANGE', 'must not be after the import: check the clock of this computer')
}

function yearsFrom(now: number, years: number): number {
  const date = new Date(now)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.getTime()
}
