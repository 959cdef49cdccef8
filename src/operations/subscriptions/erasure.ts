/** Erasing a subscriber, for administrators. */
import { notFound } from '../../domain/input/errors.ts'
import { assertAllEnded, erased } from '../../domain/subscriptions/erasure.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { lockSubscriptionsOf, writeErased } from '../../persistence/subscriptions/erasure.ts'
import { presentOf } from '../../request/context.ts'
import { command, readNothing } from '../operation.ts'

interface Input {
  readonly accountId: string
}

/**
 * Erases who subscribed and paid from all subscriptions of an account that are not erased yet, once all have ended
 * (subscription.erased-when-ended). Returns how many.
 */
export const eraseSubscriber = command<Input, undefined, Subscription[], number>({
  name: 'eraseSubscriber',
  right: 'admin',
  read: readNothing as () => { value: undefined; violations: [] },
  load: async (tx, { accountId }) => {
    const held = await lockSubscriptionsOf(tx, accountId)
    if (held.length === 0) throw notFound(['account_id'], 'No such account')
    return held
  },
  run: async (tx, _, held, ctx) => {
    const now = presentOf(ctx)
    assertAllEnded(held, now)
    const stored = held.filter(({ erasedAt }) => erasedAt === null)
    if (stored.length > 0)
      await writeErased(
        tx,
        stored,
        stored.map((one) => erased(one, now)),
      )
    return stored.length
  },
})
