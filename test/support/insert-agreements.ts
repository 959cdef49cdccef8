/** Subscriptions of agreements, as a version before their rows has written them. */
import type { Agreement } from '../../src/domain/subscriptions/agreement.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { idOf } from './subscriptions.ts'

/** Inserts them with rising ids, of three accounts in turns, without spans and places; a start derives those. */
export async function insertAgreements(
  { prisma }: Database,
  agreements: readonly Agreement[],
  currency = 'USD',
): Promise<void> {
  await prisma.storeFact.deleteMany({ where: { name: 'agreement_rows_derived' } })
  const at = new Date(Date.UTC(2026, 0, 1))
  await prisma.subscription.createMany({
    data: agreements.map((agreement, index) => ({
      id: idOf('subscription', index + 1),
      accountId: idOf('account', (index % 3) + 1),
      offeringId: idOf('offering', 1),
      planId: agreement.plan.id,
      currency,
      paymentAuthority: { type: 'manual' },
      subscriberName: 'Ada',
      subscriberEmail: 'ada@example.com',
      offering: {},
      agreement: agreement as object,
      createdAt: at,
      updatedAt: at,
    })),
  })
}
