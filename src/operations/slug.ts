/** Slugs: makes those that are not given, and refuses given ones that a sibling has (slug.made-ones-differ). */
import { DomainError } from '../domain/input/errors.ts'
import { freeSlugs } from '../domain/input/free-slug.ts'
import { slugKey, slugOf } from '../domain/input/slug.ts'
import { keyParams } from '../domain/input/violation-params.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { lockSlugs, type SlugScope, slugOwner, takenSlugs } from '../persistence/slugs.ts'
import type { Context } from '../request/context.ts'

/** The names of records without a given slug, and the scope in which theirs differ from those of others. */
interface Unnamed {
  readonly scope: SlugScope
  readonly names: readonly string[]
  /** The record itself, in an update. */
  readonly id?: string
  /** Slugs that others get at the same time. */
  readonly given?: readonly string[]
}

/** A free slug for each name, in their order. Two statements, and a few more where slugs are taken. */
export async function makeSlugs(
  tx: Transaction,
  { scope, names, id, given = [] }: Unnamed,
  { config }: Context,
): Promise<string[]> {
  const made = names.map((name) => slugOf(name, config.storeLanguage))
  await lockSlugs(tx, scope, made)
  return freeSlugs(made, given.map(slugKey), (keys) => takenSlugs(tx, scope, keys, id ?? null))
}

/** The slug of one record without a given one. */
export async function makeSlug(
  tx: Transaction,
  { name, ...unnamed }: Omit<Unnamed, 'names'> & { readonly name: string },
  ctx: Context,
): Promise<string> {
  const [slug] = await makeSlugs(tx, { ...unnamed, names: [name] }, ctx)
  return slug as string
}

/**
 * Throws the conflict SLUG_TAKEN when a sibling has the given slug, in whatever case (node.sibling-names-differ),
 * unless it has the name too: the write is refused for the name. `id` is the node itself, in an update. Two statements.
 */
export async function assertSiblingsLack(
  tx: Transaction,
  { slug, name, parentId, id }: { slug: string; name: string; parentId: string; id: string | null },
): Promise<void> {
  const scope = { of: 'siblings', parentId } as const
  await lockSlugs(tx, scope, [slugKey(slug)])
  const owner = await slugOwner(tx, scope, slugKey(slug), id)
  if (owner === null || owner.name === name) return
  const differs = owner.slug === slug ? '' : `, which differs in case alone from "${owner.slug}",`
  const message = `the slug "${slug}"${differs} is that of the sibling "${owner.name}" (${owner.id}), give another`
  const params = keyParams(slug, owner.name)
  throw new DomainError('conflict', [{ code: 'SLUG_TAKEN', path: ['attributes', 'slug'], message, params }])
}
