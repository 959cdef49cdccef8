/** Reference look-up: finds and locks the records that a client's references name. */
import type { Reference } from '../../domain/input/record.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Model } from './columns.ts'
import { type LockStrength, lockRows, withIds } from './row-lock.ts'
import type { Transaction } from './transaction.ts'

/** A record that a reference can name. */
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
  offering: 'offering',
} as const satisfies Record<string, Model>

/** The nouns whose records can be referred to, as messages name them. */
export type LockableNoun = keyof typeof models

/**
 * The records that any of `references` could name, locked until the transaction ends. One statement, none without
 * references.
 */
export async function lockReferenced(
  tx: Transaction,
  noun: LockableNoun,
  references: readonly Reference[],
  strength: LockStrength = 'KEY SHARE',
): Promise<ReferencedRecord[]> {
  if (references.length === 0) return []
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []))
  const externalRefs = references.flatMap((reference) => ('externalRef' in reference ? [reference.externalRef] : []))
  const onlyRoots = noun === 'hierarchy' ? Prisma.sql` AND i.parent_id IS NULL` : Prisma.empty
  const where = Prisma.sql`(${withIds(ids)} OR i.external_ref = ANY (${externalRefs}::text[]))${onlyRoots}`
  return lockRows<ReferencedRecord>(tx, models[noun], where, strength, ['id', 'externalRef'])
}
