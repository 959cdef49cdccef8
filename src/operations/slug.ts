/** Slugs: makes those that are not given, and refuses given ones that a sibling has (slug.made-ones-differ). */
import { DomainError, type Path, type Violation } from '../domain/input/errors.ts'
import { freeSlugs } from '../domain/input/free-slug.ts'
import { slugKey, slugOf } from '../domain/input/slug.ts'
import { keyParams } from '../domain/input/violation-params.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { lockSlugs, type SlugScope, slugOwners, takenSlugs } from '../persistence/slugs.ts'
import type { Context } from '../request/context.ts'

/** The names of records without a given slug, and the scope in which theirs differ from those of others. */
interface Unnamed {
  readonly scope: SlugScope
  readonly names: readonly string[]
  /** The record itself, in an update. */
  readonly id?: string
  /** Slugs that others get at the same time. */
  readonly given?: readonly string[]
  /** Slugs that are locked too, since the record gets them beside the made one. */
  readonly beside?: readonly string[]
}

/** A free slug for each name, in their order. Two statements, and a few more where slugs are taken. */
export async function makeSlugs(
  tx: Transaction,
  { scope, names, id, given = [], beside = [] }: Unnamed,
  { config }: Context,
): Promise<string[]> {
  const made = names.map((name) => slugOf(name, config.storeLanguage))
  await lockSlugs(tx, scope, [...made, ...beside.map(slugKey)])
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

/** A slug that an input gives, and its place there. */
export interface GivenSlug {
  readonly slug: string
  readonly path: Path
}

/**
 * Throws the conflict SLUG_TAKEN when a sibling has one of the given slugs, in whatever case and language
 * (node.sibling-names-differ), unless it has the name too: the write is refused for the name. `id` is the node itself,
 * in an update. Two statements, none without a slug.
 */
export async function assertSiblingsLack(
  tx: Transaction,
  given: readonly GivenSlug[],
  { name, parentId, id }: { name: string; parentId: string; id: string | null },
): Promise<void> {
  if (given.length === 0) return
  const scope = { of: 'siblings', parentId } as const
  const keys = [...new Set(given.map(({ slug }) => slugKey(slug)))]
  await lockSlugs(tx, scope, keys)
  const owners = await slugOwners(tx, scope, keys, id)
  const taken = given.flatMap(({ slug, path }): Violation[] => {
    const owner = owners.get(slugKey(slug))
    if (!owner || owner.name === name) return []
    const differs = owner.slug === slug ? '' : `, which differs in case alone from "${owner.slug}",`
    const message = `the slug "${slug}"${differs} is that of the sibling "${owner.name}" (${owner.id}), give another`
    return [{ code: 'SLUG_TAKEN', path, message, params: keyParams(slug, owner.name) }]
  })
  if (taken.length > 0) throw new DomainError('conflict', taken)
}
