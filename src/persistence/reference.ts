import type { Reference } from '../domain/record.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Transaction } from './transaction.ts'

/** A record that references may name. */
export interface Named {
  readonly id: string
  readonly externalRef: string | null
}

const tables = {
  product: Prisma.sql`product WHERE true`,
  hierarchy: Prisma.sql`catalog_node WHERE parent_id IS NULL`,
  catalog: Prisma.sql`catalog WHERE true`,
  'price book': Prisma.sql`price_book WHERE true`,
  'subscription product': Prisma.sql`subscription_product WHERE true`,
  plan: Prisma.sql`plan WHERE true`,
} as const

export type HeldNoun = keyof typeof tables

/** KEY SHARE keeps a record from being deleted; NO KEY UPDATE also keeps out whoever takes the same lock, or changes the record. */
export type HoldStrength = 'KEY SHARE' | 'NO KEY UPDATE'

/** The records that any of `references` could mean, which can't be deleted before the transaction ends. One statement, none without references. */
export async function holdReferenced(
  tx: Transaction,
  noun: HeldNoun,
  references: readonly Reference[],
  strength: HoldStrength = 'KEY SHARE',
): Promise<Named[]> {
  if (references.length === 0) return []
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []))
  const externalRefs = references.flatMap((reference) => ('externalRef' in reference ? [reference.externalRef] : []))
  return tx.$queryRaw`
    SELECT id, external_ref AS "externalRef" FROM ${tables[noun]}
    AND (id = ANY (${ids}::uuid[]) OR external_ref = ANY (${externalRefs}::text[])) ORDER BY id FOR ${Prisma.raw(strength)}`
}
