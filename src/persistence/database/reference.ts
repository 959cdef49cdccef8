import type { Reference } from '../../domain/input/record.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Model } from './columns.ts'
import { type LockStrength, lockRows, withIds } from './row-lock.ts'
import type { Transaction } from './transaction.ts'

/** A record that references may name. */
export interface ReferencedRecord {
  readonly id: string
  readonly externalRef: string | null
}

const models = {
  product: 'product',
  hierarchy: 'catalogNode',
  catalog: 'catalog',
  'price book': 'priceBook',
  'subscription product': 'subscriptionProduct',
  plan: 'plan',
} as const satisfies Record<string, Model>

export type LockableNoun = keyof typeof models

/** The records that any of `references` could mean, which can't be deleted before the transaction ends. One statement, none without references. */
export async function lockReferenced(
  tx: Transaction,
  noun: LockableNoun,
  references: readonly Reference[],
  strength: LockStrength = 'KEY SHARE',
): Promise<ReferencedRecord[]> {
  if (references.length === 0) return []
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []))
  const externalRefs = references.flatMap((reference) => ('externalRef' in reference ? [reference.externalRef] : []))
  const where = Prisma.sql`(${withIds(ids)} OR i.external_ref = ANY (${externalRefs}::text[]))${noun === 'hierarchy' ? Prisma.sql` AND i.parent_id IS NULL` : Prisma.empty}`
  return lockRows<ReferencedRecord>(tx, models[noun], where, strength, ['id', 'externalRef'])
}
