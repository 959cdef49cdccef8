/** When something that is asked for a subscription takes effect (subscription.asked-for-an-instant). */
import { DomainError } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import type { Agreement } from './agreement.ts'
import { readAhead } from './first-terms.ts'
import { lifeOf } from './life.ts'
import { nextStart, stretchAt } from './life-readings.ts'

/** The moments that can be named. */
export const momentWords = ['now', 'period_end'] as const

/** Now, the next start of a period, or an instant. */
export type AskedTime = (typeof momentWords)[number] | number

/** Who asks, and when. */
export interface Asking {
  readonly now: number
  readonly byShopper: boolean
  readonly newId: () => string
}

/** Milliseconds that a preview is kept for at most. */
const PREVIEW_KEPT_MS = 60 * 60 * 1000

/** Reads `{ moment }` or `{ instant }`. */
export function readAskedTime(reader: InputReader, name: string, now: number): AskedTime | null | undefined {
  const at = reader.object(name)
  if (at == null) return at
  return readAhead(at, 'instant', now) ?? at.oneOf('moment', momentWords)
}

/** The instant of an asked time: one that has passed meanwhile, while the call waited, is now. */
export function instantOf(time: AskedTime, agreement: Agreement, now: number): number {
  if (time === 'now') return now
  return time === 'period_end' ? nextStart(lifeOf(agreement), now) : Math.max(time, now)
}

/** The instant of what is asked for now: changes are in the order of their asking, also when the clock went back. */
export function presentIn({ changes }: Agreement, now: number): number {
  return Math.max(now, ...changes.map(({ askedAt }) => askedAt))
}

/** What every change has. */
export function askedBy({ byShopper, newId }: Asking, now: number, at: number) {
  return { id: newId(), askedAt: now, at, undoneAt: null, ...(byShopper && { byShopper: true as const }) }
}

/**
 * The instant that parts are counted from when a preview is kept; undefined: that of the action. Throws for another
 * action than one of now, and for an instant that is not of the same period, more than an hour ago, or before something
 * that took effect since: then amounts are not those of the preview
 * (subscription.kept-preview).
 */
export function keptPreview(prorateAt: number | null, agreement: Agreement, at: number, now: number) {
  if (prorateAt === null) return undefined
  const path = ['attributes', 'prorate_at']
  if (at !== now)
    throw new DomainError('validation', [{ code: 'INVALID_VALUE', path, message: 'is for what takes effect now' }])
  const life = lifeOf(agreement)
  const isKept =
    prorateAt <= now &&
    now - prorateAt <= PREVIEW_KEPT_MS &&
    nextStart(life, prorateAt) > now &&
    stretchAt(life, prorateAt) === stretchAt(life, now)
  if (isKept) return prorateAt
  const message = 'must be an instant of the last hour in the same period, since the last change: preview it again'
  throw new DomainError('validation', [{ code: 'OUT_OF_RANGE', path, message }])
}
