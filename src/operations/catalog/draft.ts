/**
 * Drafts: use cases that show what a publish of a catalog would show, and publish exactly that
 * (release.draft-shows-a-publish).
 */
import type pg from 'pg'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { type AnyRelease, anyRelease } from '../../domain/catalog/release-view.ts'
import { conflict, type DomainError, notFound, Unavailable } from '../../domain/input/errors.ts'
import { latestReleaseId } from '../../persistence/catalog/activation.ts'
import {
  type Draft,
  insertDraft,
  publishDraft,
  readDraft,
  saveDraft,
  showsSame,
} from '../../persistence/catalog/publish/draft.ts'
import { removeRetired } from '../../persistence/catalog/publish/retention.ts'
import { buildRelease, inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { readSummary, saveCarries } from '../../persistence/catalog/release.ts'
import { throwTranslated } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertRight } from '../operation.ts'
import { planCarries } from './carry.ts'
import { publishLocked, retryPublish } from './publish-lock.ts'

/** Attempts to read a draft while other requests publish or replace it. */
const DRAFT_ATTEMPTS = 5

/** Points of a draft, which may have to be built. One request may read the drafts of several catalogs. */
const DRAFT_POINTS = 5_000

/**
 * What a publish of the catalog would show now, for administrators; null when there is no such catalog. One statement
 * when nothing that a publish reads has changed. Otherwise it takes as long as a repeated publish, and waits for
 * running publishes.
 */
export async function catalogDraft(
  ctx: Context,
  { catalogId }: { readonly catalogId: string },
): Promise<AnyRelease | null> {
  assertRight('admin', ctx.viewer)
  ctx.cachePolicy.doNotStore()
  ctx.work.spend(DRAFT_POINTS)
  // Between two steps another request may publish the draft or replace it.
  for (let attempt = 1; ; attempt++) {
    const draft = await readDraft(ctx.database.pool, catalogId, presentOf(ctx)).catch(throwTranslated)
    const id = draft?.isFresh
      ? draft.releaseId
      : await publishLocked(ctx, (client) => freshDraft(ctx, client, catalogId, draft))
    if (id === null) return null
    // Another server may have built it within the last second, since this server refreshed the releases that it knows.
    if (ctx.releases.getCached(catalogId, id, ctx.releaseReader) === null) ctx.releases.invalidate()
    const release = await ctx.loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: id })
    if (release?.status === 'draft') return anyRelease({ release, isLatest: false })
    if (attempt === DRAFT_ATTEMPTS) throw new Unavailable('the draft was published or replaced again and again')
  }
}

/**
 * The draft of a catalog as a publish would show it now, built if there is none. Requires the publish lock. Throws
 * notFound without such a catalog, and the conflict STALE when the draft's id is not `expected`, or SCHEDULES_CHANGED
 * when it shows the same and nothing but schedules changed.
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
  if (expected !== null && draft.id !== expected) throw staleDraft(draft, await showsSame(client, draft.id, expected))
  return draft
}

/**
 * Publishes the draft with the id `expected`; the release keeps the id (release.published-from-draft). Throws STALE or
 * SCHEDULES_CHANGED when a publish would show something else now, or carry it into other releases. What is written
 * after this comparison comes with the next publish, like what is written while a release is built. `activate` makes it
 * the latest in the same transaction. Requires the publish lock.
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

/** The id of the draft, rebuilt when its sources have changed, as in `stale`; null without such a catalog. */
async function freshDraft(
  ctx: Context,
  client: pg.PoolClient,
  catalogId: string,
  stale: Draft | null = null,
): Promise<string | null> {
  const draft = await readDraft(client, catalogId, presentOf(ctx), stale)
  if (draft?.isFresh) return draft.releaseId
  const built = { id: newId(), catalogId, now: ctx.now, storeLanguage: ctx.config.storeLanguage }
  let id: string | null = null
  await retryPublish(ctx, built.id, () =>
    buildRelease(
      client,
      built,
      () => {},
      async (tx) => {
        // The draft that it replaces retires at the present instant, however long ago the request began.
        const now = presentOf(ctx)
        const change = { catalogId, former: await latestReleaseId(tx, catalogId, now), latest: built.id, now }
        const { carries, shownEarly } = await planCarries(ctx, tx, change)
        await saveCarries(tx, built.id, carries, shownEarly)
        id = await saveDraft(tx, { ...built, now })
      },
      (tx) => insertDraft(tx, built),
    ),
  )
  await removeRetired(client, presentOf(ctx))
  return id
}

/** A draft as a publish for later would be: it carries nothing, and shows nothing early. */
export function draftForLater(draft: ReleaseSummary): ReleaseSummary {
  const warnings = draft.warnings.filter(({ code }) => code !== 'SCHEDULED_SHOWN_EARLY')
  const warningCount = draft.warningCount - (draft.warnings.length - warnings.length)
  return { ...draft, carries: [], warnings, warningCount }
}

function staleDraft(current: ReleaseSummary, isSame: boolean): DomainError {
  if (isSame)
    return conflict(
      'SCHEDULES_CHANGED',
      ['fromDraft'],
      'shows what a publish would, but other releases are scheduled',
      current,
    )
  return conflict('STALE', ['fromDraft'], 'is not what a publish would show now', current)
}
