/** What administrators alone do to a subscription: they move the end of its trial, and mark it as suspended. */
import { assertValid } from '../../domain/input/errors.ts'
import { applyPatch } from '../../domain/input/patch.ts'
import { inexactSums } from '../../domain/subscriptions/first-terms.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { moveTrialEnd as moved, readTrialEnd } from '../../domain/subscriptions/trial-move.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { updateSubscriptionRow } from '../../persistence/subscriptions/subscription.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { command, readNothing } from '../operation.ts'
import { askingOf, keptSubscription, lockSubscription } from './held-subscription.ts'

interface Input {
  readonly subscriptionId: string
}

const load = (tx: Transaction, { subscriptionId }: Input, { viewer }: Context) =>
  lockSubscription(tx, subscriptionId, viewer)

/** Moves the end of a trial that has not come (subscription.trial-end-moves). `data` is `{ trial_ends_at }`. */
export const moveTrialEnd = command<Input & { readonly data: unknown }, number, Subscription, Subscription>({
  name: 'moveTrialEnd',
  right: 'admin',
  read: ({ data }, { now }) => readTrialEnd(data, now),
  load,
  run: async (tx, trialEndsAt, stored, ctx) => {
    const changed = moved(stored, trialEndsAt, askingOf(ctx, presentOf(ctx)))
    assertValid(inexactSums(changed.agreement, ['trial_ends_at']))
    await updateSubscriptionRow(tx, stored, changed)
    return changed
  },
  kept: keptSubscription,
})

const marking = (name: string, suspended: boolean) =>
  command<Input, undefined, Subscription, Subscription>({
    name,
    right: 'admin',
    read: readNothing as () => { value: undefined; violations: [] },
    load,
    run: async (tx, _, stored, ctx) => {
      const changed = applyPatch(stored, { suspended }, presentOf(ctx))
      if (changed !== stored) await updateSubscriptionRow(tx, stored, changed)
      return changed
    },
    kept: keptSubscription,
  })

/** Marks a subscription as suspended (subscription.suspended-is-a-mark). */
export const suspendSubscription = marking('suspendSubscription', true)

/** Takes the mark away. */
export const unsuspendSubscription = marking('unsuspendSubscription', false)
