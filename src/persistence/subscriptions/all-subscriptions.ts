/**
 * All subscriptions, for an export.
 *
 * SQL, since one statement reads them with their states, however many there are.
 */
import type { SubscriptionState } from '../../domain/subscriptions/subscription.ts'
import type { WholeSubscription } from '../../domain/subscriptions/subscription-object.ts'
import { columnsOf } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { inSnapshot } from '../database/snapshot.ts'
import { subscriptionTable } from './subscription.ts'

const statement = {
  name: 'export_subscription',
  text: `
SELECT ${columnsOf('subscription')}, ARRAY(
  SELECT jsonb_build_object('id', s.id, 'action', s.action, 'createdAt', (extract(epoch FROM s.created_at) * 1000)::bigint)
  FROM subscription_state s WHERE s.subscription_id = i.id ORDER BY s.version) AS "states"
FROM subscription i ORDER BY i.id`,
}

type Row = Parameters<typeof subscriptionTable.fromRow>[0] & { readonly states: readonly SubscriptionState[] }

/** All subscriptions by id, as they are at one instant; only a few of them are in memory at once. */
export function allSubscriptions(database: Database): AsyncGenerator<WholeSubscription> {
  return inSnapshot(database, [statement], async function* (snapshot) {
    for await (const { states, ...row } of snapshot.rows<Row>(statement))
      yield { subscription: subscriptionTable.fromRow(row), states }
  })
}
