/** Partial publishes: the latest release with a few products and nodes as they are now (release.published-in-part). */
import type pg from 'pg'
import type { CarryConflict } from '../../domain/catalog/carry.ts'
import { type PublishedPart, partOfChange } from '../../domain/catalog/partial-change.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { analyserOf } from '../../domain/catalog/search-text.ts'
import { assertValid, conflict, type Path, type Violation } from '../../domain/input/errors.ts'
import { latestReleaseId } from '../../persistence/catalog/activation.ts'
import { carryInto, readLatestChange } from '../../persistence/catalog/publish/carry.ts'
import { numbersOf } from '../../persistence/catalog/publish/carry-documents.ts'
import { inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { indexRelease } from '../../persistence/catalog/publish/search-texts.ts'
import { readSummary } from '../../persistence/catalog/release.ts'
import { readIndexes } from '../../persistence/catalog/release-index.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { currentDraft } from './draft.ts'

/** Products of a partial publish, and its nodes. */
export const PART_MAX = 1_000

/** A release that is published in part, at once or at `at`, epoch milliseconds. */
export interface PartialRelease {
  readonly catalogId: string
  readonly id: string
  readonly at: number | null
  readonly only: PublishedPart
  readonly isDry: boolean
}

/** What is wrong with the records of a partial publish, before any is read. */
export function partViolations({ products, nodes }: PublishedPart): Violation[] {
  if (products.length + nodes.length === 0)
    return [{ code: 'REQUIRED', path: ['only'], message: 'must name a product or a node' }]
  return Object.entries({ products, nodes }).flatMap(([name, ids]) =>
    ids.length > PART_MAX
      ? [{ code: 'TOO_MANY' as const, path: ['only', name], message: `must have at most ${PART_MAX} entries` }]
      : [],
  )
}

/** Thrown to roll a dry run back. */
class DryRun extends Error {}

/**
 * Publishes a part of what is authored now; `activate` makes it the latest in the same transaction. With `isDry` it
 * does the same, takes it back, and returns the release as a draft, whose contents can't be read; else null. Requires
 * the publish lock. Throws notFound without such a catalog, and what `writePart` throws.
 */
export async function publishPart(
  ctx: Context,
  client: pg.PoolClient,
  release: PartialRelease,
  activate: () => Promise<void>,
): Promise<ReleaseSummary | null> {
  // The draft is what is authored now.
  const { id: authored } = await currentDraft(ctx, client, release.catalogId, null)
  let draft: ReleaseSummary | null = null
  const publish = async (): Promise<void> => {
    await writePart(ctx, client, release, authored)
    await activate()
    if (!release.isDry) return
    draft = await readSummary(client, release.id)
    throw new DryRun()
  }
  await inClientTransaction(client, publish).catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error
  })
  return draft && { ...(draft as ReleaseSummary), status: 'draft', sequence: 0, publishedAt: null, activations: [] }
}

/**
 * Writes a release that is the latest one with the products and nodes of `only` as in `authored`, in the caller's
 * transaction. Throws NOT_FOUND for what neither release has, and ACTION_REFUSED when nothing was published before, and
 * for what can't stand without something else that is not published.
 */
async function writePart(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id, at, only }: PartialRelease,
  authored: string,
): Promise<void> {
  const now = presentOf(ctx)
  const former = await latestReleaseId(client, catalogId, now)
  if (former === null)
    throw conflict('ACTION_REFUSED', ['only'], 'nothing of the catalog is published: publish it whole first')
  const both = await readIndexes(client, [former, authored])
  const [latest, draft] = [both.get(former) as Release, both.get(authored) as Release]
  await assertKnown(client, only, [latest, draft])
  const change = partOfChange(await readLatestChange(client, latest, draft), only)
  const build = { id, catalogId, now, publishedAt: at ?? now }
  const { conflicts } = await carryInto(client, change, latest, build, true)
  assertValid(alone(conflicts, only))
  await indexRelease(client, id, analyserOf(ctx.config.storeLanguage), { like: latest.id })
}

/** Throws NOT_FOUND for what neither release has. Two statements at most. */
async function assertKnown(
  client: pg.PoolClient,
  { products, nodes }: PublishedPart,
  releases: readonly Release[],
): Promise<void> {
  const found = new Set<string>()
  for (const { allProducts } of releases)
    for (const id of (await numbersOf(client, products, allProducts)).keys()) found.add(id)
  for (const { nodes: known } of releases) for (const id of nodes) if (known.has(id)) found.add(id)
  const missing = Object.entries({ products, nodes }).flatMap(([name, ids]) =>
    ids.flatMap((id, at) => (found.has(id) ? [] : [unknown(['only', name, at])])),
  )
  assertValid(missing)
}

const unknown = (path: Path): Violation => ({
  code: 'NOT_FOUND',
  path,
  message: 'is neither in the latest release nor in what a publish would show now',
})

/** What can't be published without something that is not. */
function alone(conflicts: readonly CarryConflict[], { products, nodes }: PublishedPart): Violation[] {
  return conflicts.flatMap(({ productId, nodeId, hierarchyId }) => {
    const product = productId === undefined ? -1 : products.indexOf(productId)
    if (product >= 0)
      return [
        {
          code: 'ACTION_REFUSED' as const,
          path: ['only', 'products', product],
          message: 'stands at no node of the release: publish one of its nodes too',
        },
      ]
    const node = nodes.indexOf(nodeId ?? hierarchyId ?? '')
    if (node < 0) return []
    return [
      {
        code: 'ACTION_REFUSED' as const,
        path: ['only', 'nodes', node],
        message: 'has no place in the release alone: publish its parent, its siblings and what is below it too',
      },
    ]
  })
}
