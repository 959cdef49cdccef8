/** Slugs of a node among its siblings, without a language and in languages (node.sibling-names-differ). */
import type { HierarchyNode, NodePatch } from '../../domain/catalog/hierarchy-node.ts'
import { key } from '../../domain/input/errors.ts'
import { type Slugs, slugsOf } from '../../domain/language/language-slug.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import type { Context } from '../../request/context.ts'
import { assertSiblingsLack, type GivenSlug, makeSlug } from '../slug.ts'

/** A node that gets slugs below a parent. */
interface PlacedNode {
  readonly parentId: string
  readonly name: string
  readonly locales: Locales | null
  /** Null before it is stored. */
  readonly id: string | null
}

/**
 * The slug of a node among the others below its parent: the given one, or one that is made of the name. Throws the
 * conflict SLUG_TAKEN when a sibling has the given one, or one in a language, unless it is among `kept`.
 */
export async function slugAmongSiblings(
  tx: Transaction,
  slug: string | null | undefined,
  { locales, ...node }: PlacedNode,
  ctx: Context,
  kept: readonly string[] = [],
): Promise<string> {
  const isNew = (given: GivenSlug): boolean => !kept.includes(given.slug)
  const inLanguages = slugsInLanguages(locales).filter(isNew)
  const own = slug == null ? [] : [{ slug, path: ['attributes', 'slug'] }].filter(isNew)
  const { parentId, name, id } = node
  const beside = inLanguages.map((given) => given.slug)
  const made =
    slug == null && (await makeSlug(tx, { scope: { of: 'siblings', parentId }, name, ...(id && { id }), beside }, ctx))
  await assertSiblingsLack(tx, [...own, ...inLanguages], node)
  return made || (slug as string)
}

/** The slug after an update; what stays in its place is not compared, since siblings from before may have it. */
export async function changedSlug(
  tx: Transaction,
  given: NodePatch,
  stored: HierarchyNode,
  parentId: string,
  ctx: Context,
): Promise<string> {
  const { slug = stored.slug, name = stored.name, locales = stored.locales } = given
  const kept = parentId === stored.parentId ? slugsOf(stored as Slugs) : []
  return slugAmongSiblings(tx, slug, { parentId, name, locales, id: stored.id }, ctx, kept)
}

function slugsInLanguages(locales: Locales | null): GivenSlug[] {
  return Object.entries(locales ?? {}).flatMap(([tag, { slug }]) =>
    slug == null ? [] : [{ slug, path: ['attributes', 'locales', key(tag), 'slug'] }],
  )
}
