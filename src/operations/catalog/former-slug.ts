/**
 * Former slugs: hierarchies, nodes and products that a former release of the catalog called so (slug.old-ones-go-on).
 */
import { nodeByPath } from '../../domain/catalog/menu.ts'
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import { slug as slugProblem } from '../../domain/input/formats.ts'
import { slugKey } from '../../domain/input/slug.ts'
import type { FormerKind } from '../../persistence/catalog/former-slugs.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

/**
 * The hierarchy or node of a release at the end of a path of slugs: the one that has it in the release, else the one
 * that had it in a former release, the latest first. Null when there is none.
 */
export const nodeAtPath = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, path }: { release: Release; path: readonly string[] }): Promise<ReleaseNode | null> => {
    const found = nodeByPath(release, path)
    if (found) return found
    for (const id of await formerIds(ctx, release, 'node', path)) {
      const node = release.nodes.get(id)
      if (node) return node
    }
    return null
  },
})

/** The number of the document of the product that a former release called so; null when the release lacks it. */
export async function formerProduct(ctx: Context, release: Release, slug: string): Promise<number | null> {
  const ids = await formerIds(ctx, release, 'product', [slug])
  const numberOf = ctx.loaders.documentNumberByReleaseAndProductId(release)
  return (await Promise.all(ids.map((id) => numberOf.load(id)))).find((number) => number !== null) ?? null
}

/** The records that had the path, exactly first, then the latest first. One statement, none for what is no path. */
async function formerIds(
  { loaders, cachePolicy, releaseReader }: Context,
  { catalogId }: Release,
  kind: FormerKind,
  path: readonly string[],
): Promise<string[]> {
  if (path.some((slug) => slugProblem(slug) !== undefined)) return []
  // What former releases called a record depends on more than the release that is read.
  cachePolicy.doNotStore()
  const wanted = path.join('/')
  const key = { catalogId, kind, key: slugKey(wanted), now: releaseReader.now }
  const found = await loaders.formerRecordsByPath.load(key)
  const inOrder = found.toSorted((left, right) => Number(right.path === wanted) - Number(left.path === wanted))
  return [...new Set(inOrder.map(({ id }) => id))]
}
