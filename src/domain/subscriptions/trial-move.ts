/** Another end of a subscription's trial (subscription.trial-end-moves). */
import { conflict } from '../input/errors.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { type Asking, askedBy, presentIn } from './asked-time.ts'
import { assertRoom } from './changes-limit.ts'
import { readAhead } from './first-terms.ts'
import { lifeOf } from './life.ts'
import { lifeStatusAt } from './life-readings.ts'
import type { Agreed } from './subscription-state.ts'

/** Reads `{ trial_ends_at }`, an instant from now to a hundred years ahead. */
export function readTrialEnd(data: unknown, now: number): ReadResult<number> {
  return readInput(
    data,
    (reader) => {
      reader.raw('trial_ends_at', { required: true })
      return readAhead(reader, 'trial_ends_at', now) ?? undefined
    },
    newRecord,
  )
}

/**
 * The subscription with another end of its trial; one that passed while the call waited is now. Throws a conflict when
 * the end has come, and once the subscription has ended or a cancel was asked for.
 */
export function moveTrialEnd<S extends Agreed>(subscription: S, trialEndsAt: number, asking: Asking): S {
  const { agreement, updatedAt } = subscription
  const now = presentIn(agreement, asking.now)
  const { closed, canceled } = lifeStatusAt(agreement, now)
  const refuse = (reason: string) => conflict('ACTION_REFUSED', ['trial_ends_at'], reason)
  if (closed || canceled) throw refuse(`the subscription is ${closed ? 'closed' : 'canceled'}`)
  if (lifeOf(agreement).trialEndsAt <= now) throw refuse('its trial has ended, or it has none')
  const at = Math.max(trialEndsAt, now)
  if (at < agreement.startsAt) throw refuse('a trial ends at the start of the subscription at the earliest')
  const move = { ...askedBy(asking, now, at), type: 'trial' as const }
  assertRoom(agreement, [move])
  const replaced = agreement.changes.map((one) =>
    one.type === 'trial' && one.undoneAt === null ? { ...one, undoneAt: now } : one,
  )
  return {
    ...subscription,
    agreement: { ...agreement, changes: [...replaced, move] },
    updatedAt: nextUpdatedAt(now, updatedAt),
  }
}
