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

/** A record that has a slug, in whatever language. */
export interface SlugOwner {
  readonly key: string
  readonly id: string
  readonly name: string
  /** As it is stored. */
  readonly slug: string
}

/** The key of a slug (domain/input/slug.ts), as an expression of indexes. */
export const SLUG_KEY = 'lower(slug COLLATE "C")'

/** The slugs in languages among `locales` (slug.in-language), as a JSON array; empty without one. */
export const languageSlugs = (locales: string): string => `jsonb_path_query_array(${locales}, '$.*.slug')`

/** The keys of an array of slugs, as an expression of indexes: slugs have no character that JSON escapes. */
export const slugKeys = (slugs: string): string => `lower(${slugs}::text COLLATE "C")::jsonb`

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
  // A count for each key reads an index; the planner would rather scan the table for a list of keys.
  const records = recordsWith(scope, exceptId)
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT key FROM unnest(${keys}::text[]) k (key)
    WHERE (SELECT count(*) FROM ${records} AND ${hasKey}) > 0 OR (SELECT count(*) FROM ${records} AND ${hasKeyInLanguage}) > 0`
  return new Set(rows.map(({ key }) => key))
}

/** For each of the slugs `keys` a record of the scope that has it, other than `exceptId`. One statement. */
export async function slugOwners(
  tx: Transaction,
  scope: SlugScope,
  keys: readonly string[],
  exceptId: string | null,
): Promise<Map<string, SlugOwner>> {
  const records = recordsWith(scope, exceptId)
  const owners = await tx.$queryRaw<SlugOwner[]>`
    SELECT k.key, o.* FROM unnest(${keys}::text[]) k (key) CROSS JOIN LATERAL (
      SELECT id, name, slug FROM ${records} AND ${hasKey}
      UNION ALL
      SELECT id, name, (SELECT min(s) FROM jsonb_array_elements_text(${ofLanguages}) s WHERE lower(s COLLATE "C") = k.key)
      FROM ${records} AND ${hasKeyInLanguage}
      ORDER BY id LIMIT 1) o`
  return new Map(owners.map((owner) => [owner.key, owner]))
}

const ofLanguages = Prisma.raw(languageSlugs('locales'))
const hasKey = Prisma.raw(`${SLUG_KEY} = k.key`)
const hasKeyInLanguage = Prisma.raw(`locales @? '$.*.slug' AND (${slugKeys(languageSlugs('locales'))}) ? k.key`)

function recordsWith(scope: SlugScope, exceptId: string | null): Prisma.Sql {
  const other = Prisma.sql`id IS DISTINCT FROM ${exceptId}::uuid`
  if (scope.of === 'products') return Prisma.sql`product WHERE ${other}`
  const parent = scope.of === 'siblings' ? Prisma.sql`= ${scope.parentId}::uuid` : Prisma.sql`IS NULL`
  return Prisma.sql`catalog_node WHERE ${other} AND parent_id ${parent}`
}
