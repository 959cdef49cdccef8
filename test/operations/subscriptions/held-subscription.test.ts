/** Actions on a subscription that another transaction has locked: they count from when they have the lock. */
import { describe, expect, test } from 'vitest'
import type { StateAction } from '../../../src/domain/subscriptions/asked-action.ts'
import { lifeStatusAt } from '../../../src/domain/subscriptions/life-readings.ts'
import { changeSubscriptionState } from '../../../src/operations/subscriptions/subscription-change.ts'
import { lockRecord } from '../../../src/persistence/database/table.ts'
import type { Transaction } from '../../../src/persistence/database/transaction.ts'
import { subscriptionTable } from '../../../src/persistence/subscriptions/subscription.ts'
import { hold, untilItWaits } from '../../support/held-transaction.ts'
import { resultOrViolations } from '../../support/result-or-violations.ts'
import { END, iso, SECOND_BILLING, THIRD_BILLING, useSubscription } from '../../support/subscription-life.ts'
import { contextAs } from '../../support/subscriptions.ts'

const living = useSubscription()
const { database, server } = living

/** Requests an action at an instant, alone or in a transaction. */
function act(action: StateAction, now: number, tx?: Transaction) {
  const data = { type: 'subscription_state', attributes: { action } }
  return changeSubscriptionState(contextAs(server.services, now), { subscriptionId: living.id, data }, {}, tx)
}

describe.runIf(database.kind === 'server')('beside another write that has not committed [needs PostgreSQL]', () => {
  /** The outcome of an action that is requested at one instant and gets the lock at another. */
  async function waiting(action: StateAction, from: number, until: number) {
    const commit = await hold(database, (tx) => lockRecord(tx, subscriptionTable, living.id))
    server.now = from
    const outcome = resultOrViolations(act(action, from))
    await untilItWaits(database, outcome)
    server.now = until
    await commit()
    return outcome
  }

  test.each(['pause', 'cancel'] as const)(
    'subscription.inactive-from-next-billing: a %s of a subscription that a billing overtook takes effect at the next billing',
    async (action) => {
      await waiting(action, SECOND_BILLING - 1_000, SECOND_BILLING + 1_000)
      expect(await living.meta()).toMatchObject({ status: 'active' })
      server.now = THIRD_BILLING - 1
      expect(await living.meta()).toMatchObject({ status: 'active' })
      server.now = THIRD_BILLING
      expect(await living.meta()).toMatchObject({ status: 'inactive' })
    },
  )

  test('subscription.allowed-actions: an action on a subscription that the end overtook is refused', async () => {
    expect(await waiting('cancel', END - 1, END)).toEqual(['conflict', 'attributes.action ACTION_REFUSED'])
    expect(await living.actions()).toEqual([])
  })

  test('the instants of actions on a subscription have the order in which they were done', async () => {
    const at = SECOND_BILLING + 5_000
    server.now = at
    const commit = await hold(database, (tx) => act('pause', at, tx))
    const resuming = act('resume', at - 1_000)
    await untilItWaits(database, resuming)
    await commit()
    const { agreement, updatedAt } = await resuming
    const { pausedAt, resumedAt } = lifeStatusAt(agreement, updatedAt)
    expect([pausedAt, resumedAt].map((instant) => iso(instant ?? 0))).toEqual([iso(at), iso(at)])
  })
})
