/** What became of what was asked of a subscription. */
import type { AgreedChange, Agreement } from './agreement.ts'
import { outcomeOf } from './life-readings.ts'

/** The words for it. */
export type ChangeStatus = 'scheduled' | 'effective' | 'overtaken' | 'taken_back' | 'undone'

/** What became of a change at an instant; a change that will have no effect says so before. */
export function changeStatusOf(agreement: Agreement, { id, type, undoneAt }: AgreedChange, now: number): ChangeStatus {
  if (undoneAt !== null) return 'undone'
  // The end of a trial counts at once.
  if (type === 'trial') return 'effective'
  const { effectiveAt = null, endedAt = null } = outcomeOf(agreement, id) ?? {}
  if (effectiveAt !== null) return effectiveAt <= now ? 'effective' : 'scheduled'
  return endedAt === null ? 'overtaken' : 'taken_back'
}

/** Whether a change is ahead at an instant: asked for, for a later one, and neither undone nor taken back. */
export function isAhead(agreement: Agreement, { id, type, at, undoneAt }: AgreedChange, now: number): boolean {
  if (type === 'trial' || undoneAt !== null || at <= now) return false
  const endedAt = outcomeOf(agreement, id)?.endedAt ?? null
  return endedAt === null || endedAt > now
}

/** What of a kind is ahead. */
export function aheadOf(agreement: Agreement, type: AgreedChange['type'], now: number): AgreedChange | undefined {
  return agreement.changes.find((change) => change.type === type && isAhead(agreement, change, now))
}
