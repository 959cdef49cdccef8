/** Drafts: use cases that show what a publish of a catalog would show, and publish exactly that (release.draft-shows-a-publish). */
import type pg from 'pg'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { conflict, type DomainError, notFound, Unavailable } from '../../domain/input/errors.ts'
import { type Draft, insertDraft, publishDraft, readDraft, saveDraft } from '../../persistence/catalog/publish/draft.ts'
import { removeRetired } from '../../persistence/catalog/publish/retention.ts'
import { buildRelease, inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { readSummary } from '../../persistence/catalog/release.ts'
import { throwTranslated } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertRight } from '../operation.ts'
import { publishLocked, retryPublish } from './publish-lock.ts'

/** Attempts to read a draft that others publish or replace meanwhile. */
const DRAFT_ATTEMPTS = 5

/** Points of a draft: one request may read those of some catalogs, each of which may have to be built. */
const DRAFT_POINTS = 5_000

/**
 * What a publish of the catalog would show now, for administrators; null when there is no such catalog. One statement while nothing has
 * changed that a publish reads; else it takes as long as a publish that follows another, and waits for publishes that run.
 */
export async function catalogDraft(ctx: Context, { catalogId }: { readonly catalogId: string }): Promise<Release | null> {
  assertRight('admin', ctx.viewer)
  ctx.cachePolicy.doNotStore()
  ctx.work.spend(DRAFT_POINTS)
  // Between two steps another request may publish the draft or replace it.
  for (let attempt = 1; ; attempt++) {
    const draft = await readDraft(ctx.database.pool, catalogId).catch(throwTranslated)
    const id = draft?.isFresh ? draft.releaseId : await publishLocked(ctx, (client) => freshDraft(ctx, client, catalogId, draft))
    if (id === null) return null
    // Another server may have built it within the second in which this one knows the releases.
    if (ctx.releases.getCached(catalogId, id, ctx.releaseReader) === null) ctx.releases.invalidate()
    const release = await ctx.loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: id })
    if (release?.isDraft) return release
    if (attempt === DRAFT_ATTEMPTS) throw new Unavailable('the draft was published or replaced again and again')
  }
}

/**
 * The draft of a catalog as a publish would show it now, built when it is not there; under the publish lock. Throws notFound without such a
 * catalog, and the conflict STALE when it is another one than `expected`, its id.
 */
export async function currentDraft(
  ctx: Context,
  client: pg.PoolClient,
  catalogId: string,
  expected: string | null,
): Promise<ReleaseSummary> {
  const id = await freshDraft(ctx, client, catalogId)
  const draft = id === null ? null : await readSummary(client, id)
  if (!draft) throw notFound(['catalogId'], 'No such catalog')
  if (expected !== null && draft.id !== expected) throw staleDraft(draft)
  return draft
}

/**
 * Publishes the draft with the id `expected` (release.published-from-draft), which stays that of the release, unless a publish would show
 * something else now: then it throws STALE. What is written after that was compared comes with the next publish, as what is written while a
 * release is built. `activate` makes it the latest, in the same transaction. Under the publish lock.
 */
export async function publishCurrentDraft(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id }: { readonly catalogId: string; readonly id: string },
  activate: () => Promise<void>,
): Promise<void> {
  await currentDraft(ctx, client, catalogId, id)
  await inClientTransaction(client, async () => {
    if (!(await publishDraft(client, { id, catalogId, now: ctx.now }))) throw notFound(['catalogId'], 'No such catalog')
    await activate()
  })
}

/** The id of the draft, built when what it was built from has changed, as in `stale`; null without such a catalog. */
async function freshDraft(ctx: Context, client: pg.PoolClient, catalogId: string, stale: Draft | null = null): Promise<string | null> {
  const draft = await readDraft(client, catalogId, stale)
  if (draft?.isFresh) return draft.releaseId
  const built = { id: newId(), catalogId, now: ctx.now }
  let id: string | null = null
  await retryPublish(ctx, built.id, () =>
    buildRelease(
      client,
      built,
      () => {},
      async (tx) => {
        // The draft in whose place it comes retires now, however long ago the request began.
        id = await saveDraft(tx, { ...built, now: presentOf(ctx) })
      },
      (tx) => insertDraft(tx, built),
    ),
  )
  await removeRetired(client, presentOf(ctx))
  return id
}

function staleDraft(current: ReleaseSummary): DomainError {
  return conflict('STALE', ['fromDraft'], 'is not what a publish would show now', current)
}
