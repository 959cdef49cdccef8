/** Referencing records: how many records still refer to one to be deleted, and some of their names. */
import type { Prisma } from '../generated/prisma/client.ts'
import type { Model } from './database/columns.ts'
import { type CountWithSamples, countWithSamples } from './database/table.ts'
import type { Transaction } from './database/transaction.ts'

/** The records of one noun (`child node`) that refer to a record. */
export interface ReferencingRecords extends CountWithSamples {
  readonly noun: string
}

type Lookup = (tx: Transaction, id: string) => Promise<ReferencingRecords>

/** A look-up of the records of a model that meet a condition on the id referred to; nameless ones are only counted. */
function lookup<M extends Model>(
  noun: string,
  model: M,
  where: (id: string) => Prisma.Args<Transaction[M], 'findMany'>['where'] & object,
  isNamed = true,
): Lookup {
  return async (tx, id) => ({ noun, ...(await countWithSamples(tx, model, where(id), isNamed)) })
}

const lookups = {
  hierarchy: [
    lookup('node', 'catalogNode', (parentId) => ({ parentId })),
    lookup('catalog', 'catalog', (hierarchyId) => ({ hierarchies: { some: { hierarchyId } } })),
  ],
  node: [lookup('child node', 'catalogNode', (parentId) => ({ parentId }))],
  catalog: [
    lookup('catalog rule', 'catalogRule', (catalogId) => ({ catalogId })),
    // Published releases and those being published.
    lookup('release', 'release', (catalogId) => ({ catalogId, status: { in: ['publishing', 'published'] } }), false),
  ],
  priceBook: [lookup('catalog', 'catalog', (priceBookId) => ({ priceBooks: { some: { priceBookId } } }))],
  product: [
    lookup('child product', 'product', (parentId) => ({ parentId })),
    lookup('bundle', 'product', (id) => ({ componentProductIds: { has: id } })),
  ],
  plan: [lookup('offering', 'offering', (planId) => ({ plans: { some: { planId } } }))],
  subscriptionProduct: [lookup('offering', 'offering', (productId) => ({ products: { some: { productId } } }))],
} satisfies Record<string, readonly Lookup[]>

/** The kinds of records whose deletion is refused while others refer to them. */
export type ReferencedKind = keyof typeof lookups

/** The records that refer to one of a kind, one entry for each noun. Two statements for each noun, one for releases. */
export async function findReferencingRecords(
  tx: Transaction,
  kind: ReferencedKind,
  id: string,
): Promise<ReferencingRecords[]> {
  const found: ReferencingRecords[] = []
  for (const find of lookups[kind]) found.push(await find(tx, id))
  return found
}
