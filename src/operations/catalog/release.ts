/** Publishing: use cases that publish and delete releases (release.is-a-snapshot). Drafts: draft.ts. */
import type pg from 'pg'
import { assertSchedulable } from '../../domain/catalog/release-schedule.ts'
import { type ReleaseSummary, releaseUpdatedAt } from '../../domain/catalog/release-summary.ts'
import { conflict, type DomainError, notFound } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { activate, latestReleaseId, readSchedule } from '../../persistence/catalog/activation.ts'
import { removeOldPrices } from '../../persistence/catalog/price-history.ts'
import {
  beginRelease,
  catalogExists,
  failInterrupted,
  failRelease,
  outnumbered,
  removeRetired,
  retire,
} from '../../persistence/catalog/publish/retention.ts'
import { buildRelease, countWords, inClientTransaction, type PublishProgress } from '../../persistence/catalog/publish/run.ts'
import { catalogOfPublished, readSummary, releaseTable, scheduledReleaseTable } from '../../persistence/catalog/release.ts'
import { logChangeOn } from '../../persistence/database/change-log.ts'
import { newId } from '../../persistence/database/id.ts'
import { findStoredResult, type KeyedCall, storeResult } from '../../persistence/idempotency.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertNotStale, authorFor, type CommandOptions } from '../operation.ts'
import { currentDraft, publishCurrentDraft } from './draft.ts'
import { publishLocked, retryPublish } from './publish-lock.ts'

/** The running publishes of this process, by catalog id. */
const running = new Map<string, PublishProgress>()

/** The progress of a running publish of the catalog; null when none runs in this process. */
export function publishProgress(catalogId: string): PublishProgress | null {
  return running.get(catalogId) ?? null
}

/** The input of a publish. */
export interface PublishInput {
  readonly catalogId: string
  /** The instant at which the release becomes the latest, epoch milliseconds; null and absent: once it is published. */
  readonly at?: number | null
  /** Publishes nothing, and returns the draft. */
  readonly dryRun?: boolean
  /** The raw id of a draft, to publish exactly what it shows. */
  readonly fromDraft?: string | null
}

/**
 * Publishes a snapshot of the catalog, which readers see whole or not at all (release.whole-or-not-at-all), and retires older releases of
 * the catalog (release.old-ones-retire). Publishes run one after another. It is not a `command`, since it needs a lock before its
 * transaction and a connection of its own. With `at` the release becomes the latest at that instant, or when it is published, if that is
 * later. Throws notFound without such a catalog, violations of `at`, and the conflict STALE when a publish would show something else than
 * `fromDraft`.
 */
export async function publishRelease(
  ctx: Context,
  input: PublishInput,
  options: CommandOptions = {},
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<ReleaseSummary> {
  const { catalogId, at = null, dryRun = false, fromDraft = null } = input
  const key = options.idempotencyKey
  const call = key == null ? null : { viewer: ctx.viewer, operation: 'publishRelease', key, input, now: ctx.now }
  return publishLocked(ctx, async (client) => {
    const stored = call && (await findStoredResult(client, call))
    if (stored) {
      if (!(await catalogExists(client, catalogId))) throw catalogNotFound()
      return stored as ReleaseSummary
    }
    if (at !== null) assertSchedulable(at, ctx.now, await readSchedule(client, catalogId, ctx.now), false)
    if (dryRun) return currentDraft(ctx, client, catalogId, fromDraft)
    const release = { catalogId, id: fromDraft ?? newId(), at }
    if (fromDraft === null) await publishAnew(ctx, client, release, call, onProgress)
    else await publishCurrentDraft(ctx, client, release, () => makeLatest(ctx, client, release, call))
    return afterPublish(ctx, client, release)
  })
}

/**
 * Publishes the catalog as the release `id` unless that id was published before, even if the release is deleted by now. Returns whether it
 * was published. Throws the conflict ID_TAKEN when another catalog published the id.
 */
export async function publishOnce(ctx: Context, release: { readonly catalogId: string; readonly id: string }): Promise<boolean> {
  return publishLocked(ctx, async (client) => {
    const publishedOf = await catalogOfPublished(client, release.id)
    if (publishedOf === release.catalogId) return false
    if (publishedOf !== null) throw conflict('ID_TAKEN', ['id'], 'A record with the id already exists')
    await publishAnew(ctx, client, { ...release, at: null }, null)
    await afterPublish(ctx, client, release)
    return true
  })
}

interface NewRelease {
  readonly catalogId: string
  readonly id: string
  readonly at: number | null
}

async function publishAnew(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id, at }: NewRelease,
  call: KeyedCall | null,
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<void> {
  await failInterrupted(client)
  const release = { id, catalogId, now: ctx.now }
  if (!(await beginRelease(client, release))) throw catalogNotFound()
  const reportProgress = (progress: PublishProgress): void => {
    running.set(catalogId, progress)
    onProgress(progress)
  }
  try {
    const isBuilt = await retryPublish(ctx, id, () =>
      buildRelease(client, release, reportProgress, () => makeLatest(ctx, client, { ...release, at }, call)),
    )
    if (!isBuilt) throw catalogNotFound()
  } catch (error) {
    await failRelease(client, id, 'the publish failed; the log of the server says why').catch(() => undefined)
    throw error
  } finally {
    // Under the lock, so that the entry is always that of the running publish.
    running.delete(catalogId)
  }
}

/**
 * Makes a release the latest, at once or at its instant, logs it, and stores the result of the call, in the transaction that publishes it.
 */
async function makeLatest(ctx: Context, tx: pg.PoolClient, { catalogId, id, at }: NewRelease, call: KeyedCall | null): Promise<void> {
  const now = presentOf(ctx)
  await activate(tx, { catalogId, releaseId: id, now, at })
  await countWords(tx, { catalogId, id, now })
  const summary = (await readSummary(tx, id)) as ReleaseSummary
  await logChangeOn(tx, authorFor(ctx.viewer, 'publishRelease'), at === null ? releaseTable : scheduledReleaseTable, null, summary)
  if (call) await storeResult(tx, call, summary)
}

/**
 * Removes what a publish makes superfluous, and returns the summary of the release. What retires does so now, however long ago the request
 * began: schedules that took effect meanwhile are no longer to come, and requests may be reading it.
 */
async function afterPublish(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id }: Pick<NewRelease, 'catalogId' | 'id'>,
): Promise<ReleaseSummary> {
  const now = presentOf(ctx)
  await inClientTransaction(client, async () => {
    await retire(client, catalogId, await outnumbered(client, catalogId, ctx.config.releasesKept, now), now)
  })
  await removeRetired(client, now)
  await removeOldPrices(client, now - ctx.config.priceHistoryDays * DAY_MS)
  return (await readSummary(client, id)) as ReleaseSummary
}

function catalogNotFound(): DomainError {
  return notFound(['catalogId'], 'No such catalog')
}

/**
 * Hides a release from readers at once and returns it; the newest remaining release becomes the latest, and subscribers to the catalog
 * learn of it. Throws notFound, STALE, and ACTION_REFUSED for a draft.
 */
export async function deleteRelease(ctx: Context, input: { releaseId: string }, options: CommandOptions = {}): Promise<ReleaseSummary> {
  return publishLocked(ctx, async (client) => {
    const deleted = await readSummary(client, input.releaseId)
    if (!deleted) throw notFound(['releaseId'], 'No such release')
    if (deleted.status === 'draft') throw conflict('ACTION_REFUSED', ['releaseId'], 'the release was never published', deleted)
    assertNotStale(releaseUpdatedAt(deleted), options.ifUpdatedAt, deleted)
    await inClientTransaction(client, async () => {
      const { catalogId } = deleted
      const [now, author] = [presentOf(ctx), authorFor(ctx.viewer, 'deleteRelease')]
      const before = await latestReleaseId(client, catalogId, now)
      await retire(client, catalogId, [deleted.id], now)
      await logChangeOn(client, author, releaseTable, deleted, null)
      const latest = await latestReleaseId(client, catalogId, now)
      // Those who show the latest release have to learn of it as they do of a restored one (live.latest-again).
      const again = latest === null || latest === before ? null : await readSummary(client, latest)
      const asLatest = again && { ...again, isLatest: true }
      if (again) await logChangeOn(client, author, releaseTable, again, asLatest)
    })
    return deleted
  })
}
