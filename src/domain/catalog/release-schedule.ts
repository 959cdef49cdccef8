/** Release schedules: the instants for which a release may be scheduled (release.scheduled-at-its-millisecond). */
import { assertValid, tooMany, type Violation } from '../input/errors.ts'
import { DAY_MS, formatInstant } from '../input/instant.ts'
import { SCHEDULE_DAYS_MAX, SCHEDULED_RELEASES_MAX } from '../input/limits.ts'
import { limitParams } from '../input/violation-params.ts'

const PATH = ['at']

/** The state of a catalog that decides whether a further activation is allowed. */
export interface ScheduleState {
  /** The instant of the last activation in effect, epoch milliseconds; null for none. */
  readonly latestAt: number | null
  /** How many releases are scheduled. */
  readonly scheduled: number
}

/**
 * Throws a `validation` failure unless a release may become the latest at `at`: later than `now` and than the last
 * activation, both in epoch milliseconds, and at most SCHEDULE_DAYS_MAX ahead. At most SCHEDULED_RELEASES_MAX releases
 * are scheduled; with `moves` this release is already one of them.
 */
export function assertSchedulable(
  at: number,
  now: number,
  { latestAt, scheduled }: ScheduleState,
  moves: boolean,
): void {
  const violation = scheduleViolation(at, Math.max(now, latestAt ?? now), now)
  assertValid(violation === null ? [] : [violation])
  if (!moves && scheduled >= SCHEDULED_RELEASES_MAX)
    throw tooMany(
      PATH,
      `a catalog may have at most ${SCHEDULED_RELEASES_MAX} scheduled releases`,
      SCHEDULED_RELEASES_MAX,
    )
}

function scheduleViolation(at: number, earliest: number, now: number): Violation | null {
  if (at <= earliest) {
    const params = [{ name: 'min', value: formatInstant(earliest + 1) }] as const
    return { code: 'INVALID_VALUE', path: PATH, message: `must be later than ${formatInstant(earliest)}`, params }
  }
  if (at <= now + SCHEDULE_DAYS_MAX * DAY_MS) return null
  const message = `must be at most ${SCHEDULE_DAYS_MAX} days ahead`
  return { code: 'OUT_OF_RANGE', path: PATH, message, params: limitParams(null, SCHEDULE_DAYS_MAX) }
}
