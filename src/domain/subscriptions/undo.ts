/** Undoing what is ahead of a subscription (subscription.undone-until-its-instant). */
import { conflict, DomainError, notFound } from '../input/errors.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import type { AgreedChange, Agreement } from './agreement.ts'
import { type Asking, presentIn } from './asked-time.ts'
import { lifeOf } from './life.ts'
import { MONEY_BACK, paysBack } from './pay-back.ts'
import type { Agreed } from './subscription-state.ts'

/**
 * The subscription as if a change that is ahead had never been asked for; a pause takes its `resumeAt` with it. Throws
 * notFound, `forbidden` for a shopper who did not ask for it, and a conflict from its instant on, and when it would pay
 * a shopper back.
 */
export function undo<S extends Agreed>(
  subscription: S,
  changeId: string,
  asking: Pick<Asking, 'now' | 'byShopper'>,
): S {
  const { agreement, updatedAt } = subscription
  const now = presentIn(agreement, asking.now)
  const change = agreement.changes.find(({ id, type }) => id === changeId && type !== 'trial')
  if (!change) throw notFound(['change_key'], 'No such change of the subscription')
  if (asking.byShopper && !change.byShopper) throw new DomainError('forbidden', 'An administrator asked for the change')
  const reason = refusalReason(agreement, change, now)
  if (reason !== null) throw conflict('ACTION_REFUSED', ['change_key'], reason)
  const goes = (one: AgreedChange) =>
    one === change || (one.type === 'resume' && one.pauseId === changeId && one.undoneAt === null)
  const changes = agreement.changes.map((one) => (goes(one) ? { ...one, undoneAt: now } : one))
  const after = { ...agreement, changes }
  if (asking.byShopper && paysBack(agreement, after, now)) throw conflict('ACTION_REFUSED', ['change_key'], MONEY_BACK)
  return { ...subscription, agreement: after, updatedAt: nextUpdatedAt(now, updatedAt) }
}

function refusalReason(agreement: Agreement, { id, at, undoneAt }: AgreedChange, now: number): string | null {
  if (undoneAt !== null) return 'the change is undone already'
  const endedAt = lifeOf(agreement).outcomes.get(id)?.endedAt ?? null
  if (endedAt !== null && endedAt <= now) return 'a resume took the change back'
  return at <= now ? 'the instant of the change has come' : null
}
