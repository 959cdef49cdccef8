/**
 * Slugs that records have, and the locks of those that are given away (slug.made-ones-differ).
 *
 * SQL, since Prisma can't take an advisory lock, nor compare by an expression. Slugs have letters of ASCII alone, which
 * `lower` with the collation "C" folds alike on every database, and by which indexes are.
 */
import { Prisma } from '../generated/prisma/client.ts'
import type { Transaction } from './database/transaction.ts'

/** Records whose slugs are compared with each other: all products, all hierarchies, or the nodes below one. */
export type SlugScope =
  | { readonly of: 'products' | 'hierarchies' }
  | { readonly of: 'siblings'; readonly parentId: string }

/** A record that has a slug. */
export interface SlugOwner {
  readonly id: string
  readonly name: string
  readonly slug: string
}

/** The key of a slug (domain/input/slug.ts), as an expression of indexes. */
export const SLUG_KEY = 'lower(slug COLLATE "C")'

/**
 * Locks that one transaction takes at most, since each needs memory that all transactions share. Only the import of
 * everything in one transaction makes more slugs: the further ones may then equal those of others that are made at the
 * same time.
 */
const LOCKS_MAX = 1_000

const lockedBy = new WeakMap<Transaction, number>()

/**
 * Waits until no other transaction gives away one of the slugs `keys` in the scope, and keeps others waiting until this
 * one ends. One statement.
 */
export async function lockSlugs(tx: Transaction, scope: SlugScope, keys: readonly string[]): Promise<void> {
  const before = lockedBy.get(tx) ?? 0
  const names = [...new Set(keys)].sort().slice(0, LOCKS_MAX - before)
  if (names.length === 0) return
  lockedBy.set(tx, before + names.length)
  const space = scope.of === 'siblings' ? scope.parentId : scope.of
  await tx.$queryRaw`
    SELECT count(pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ${space} || ' ' || key, 0)))
    FROM unnest(${names}::text[]) k (key)`
}

/** The keys among `keys` that records of the scope have, other than the record `exceptId`. One statement. */
export async function takenSlugs(
  tx: Transaction,
  scope: SlugScope,
  keys: readonly string[],
  exceptId: string | null,
): Promise<Set<string>> {
  // A count for each key reads the index; the planner would rather scan the table for a list of keys.
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT key FROM unnest(${keys}::text[]) k (key)
    WHERE (SELECT count(*) FROM ${recordsWith(scope, exceptId)} AND ${keyColumn} = k.key) > 0`
  return new Set(rows.map(({ key }) => key))
}

/** A record of the scope that has the slug `key`, other than `exceptId`; null when there is none. One statement. */
export async function slugOwner(
  tx: Transaction,
  scope: SlugScope,
  key: string,
  exceptId: string | null,
): Promise<SlugOwner | null> {
  const [owner] = await tx.$queryRaw<SlugOwner[]>`
    SELECT id, name, slug FROM ${recordsWith(scope, exceptId)} AND ${keyColumn} = ${key} ORDER BY id LIMIT 1`
  return owner ?? null
}

const keyColumn = Prisma.raw(SLUG_KEY)

function recordsWith(scope: SlugScope, exceptId: string | null): Prisma.Sql {
  const other = Prisma.sql`id IS DISTINCT FROM ${exceptId}::uuid`
  if (scope.of === 'products') return Prisma.sql`product WHERE ${other}`
  const parent = scope.of === 'siblings' ? Prisma.sql`= ${scope.parentId}::uuid` : Prisma.sql`IS NULL`
  return Prisma.sql`catalog_node WHERE ${other} AND parent_id ${parent}`
}
