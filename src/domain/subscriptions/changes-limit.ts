/** How much an agreement holds (subscription.stored-changes). */
import { DomainError, type Violation } from '../input/errors.ts'
import {
  CANCELS_SPARE_MAX,
  SUBSCRIPTION_CHANGED_ITEMS_MAX as ITEMS_MAX,
  SUBSCRIPTION_CHANGES_MAX,
} from '../input/limits.ts'
import { limitParams } from '../input/violation-params.ts'
import type { AgreedChange, Agreement } from './agreement.ts'

/** Throws when an agreement has no room for more changes. */
export function assertRoom(agreement: Agreement, added: readonly AgreedChange[]): void {
  const violation = roomViolation(agreement, added)
  if (violation) throw new DomainError('conflict', [violation])
}

/** Why an agreement has no room for more changes; null when it has. The last places are for cancels. */
export function roomViolation({ changes }: Agreement, added: readonly AgreedChange[]): Violation | null {
  const after = [...changes, ...added]
  const isCancel = added.every(({ type }) => type === 'cancel')
  const max = SUBSCRIPTION_CHANGES_MAX + (isCancel ? CANCELS_SPARE_MAX : 0)
  const items = after.reduce((sum, change) => sum + (change.type === 'change' ? change.items.length : 0), 0)
  if (after.length > max) return full(`the subscription has ${changes.length} changes, and takes no more`, max)
  if (items > ITEMS_MAX && added.some(({ type }) => type === 'change'))
    return full(`the changes of the subscription would have ${items} items, and may have ${ITEMS_MAX}`, ITEMS_MAX)
  return null
}

function full(message: string, max: number): Violation {
  return { code: 'TOO_MANY', path: ['id'], message, params: limitParams(null, max) }
}
