/** Publishing: use cases that publish and delete releases (release.is-a-snapshot). */
import type pg from 'pg'
import { type ReleaseSummary, releaseUpdatedAt } from '../../domain/catalog/release-summary.ts'
import { conflict, type DomainError, notFound } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/pricing/lowest-prior.ts'
import { latestReleaseId, rememberPrices, removeOldPrices } from '../../persistence/catalog/price-history.ts'
import {
  beginRelease,
  catalogExists,
  failInterrupted,
  failRelease,
  removeRetired,
  retire,
  retireOld,
} from '../../persistence/catalog/publish/retention.ts'
import { buildRelease, type PublishProgress, tryPublishLock, withPublishLock } from '../../persistence/catalog/publish/run.ts'
import { catalogOfPublished, readSummary } from '../../persistence/catalog/release.ts'
import type { Database } from '../../persistence/database/database.ts'
import { isTransient, translateFailure } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import { findStoredResult, type KeyedCall, storeResult } from '../../persistence/idempotency.ts'
import type { Context } from '../../request/context.ts'
import { assertNotStale, assertRight, type CommandOptions } from '../operation.ts'

/** The running publishes of this process, by catalog id. */
const running = new Map<string, PublishProgress>()

/** The progress of a running publish of the catalog; null when none runs in this process. */
export function publishProgress(catalogId: string): PublishProgress | null {
  return running.get(catalogId) ?? null
}

/** Attempts of a publish whose catalog is changed meanwhile. */
const ATTEMPTS = 3

/**
 * Publishes a snapshot of the catalog, which readers see whole or not at all (release.whole-or-not-at-all), and retires all but the newest
 * RELEASES_KEPT releases of the catalog. Publishes run one after another. It is not a `command`, since it needs a lock before its
 * transaction and a connection of its own. Throws notFound without such a catalog.
 */
export async function publishRelease(
  ctx: Context,
  input: { catalogId: string },
  options: CommandOptions = {},
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<ReleaseSummary> {
  if (ctx.deadline) ctx.deadline.exempt = true
  const { catalogId } = input
  const key = options.idempotencyKey
  const call = key == null ? null : { viewer: ctx.viewer, operation: 'publishRelease', key, input, now: ctx.now }
  return publishLocked(ctx, async (client) => {
    const stored = call && (await findStoredResult(client, call))
    if (stored) {
      if (!(await catalogExists(client, catalogId))) throw catalogNotFound()
      return stored as ReleaseSummary
    }
    return publishUnderLock(ctx, client, { catalogId, id: newId() }, call, onProgress)
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
    await publishUnderLock(ctx, client, release, null)
    return true
  })
}

async function publishLocked<T>(ctx: Context, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  assertRight('admin', ctx.viewer)
  try {
    return await withPublishLock(ctx.database.pool, work)
  } catch (error) {
    throw translateFailure(error)
  } finally {
    ctx.releases.invalidate()
  }
}

async function publishUnderLock(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id }: { readonly catalogId: string; readonly id: string },
  call: KeyedCall | null,
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<ReleaseSummary> {
  await failInterrupted(client)
  if (!(await beginRelease(client, { id, catalogId, now: ctx.now }))) throw catalogNotFound()
  try {
    await buildWithRetry(ctx, client, { id, catalogId, now: ctx.now }, call, (progress) => {
      running.set(catalogId, progress)
      onProgress(progress)
    })
  } catch (error) {
    await failRelease(client, id, 'the publish failed; the log of the server says why').catch(() => undefined)
    throw error
  } finally {
    // Under the lock, so that the entry is always that of the running publish.
    running.delete(catalogId)
  }
  await retireOld(client, catalogId, ctx.config.releasesKept, ctx.now)
  await removeRetired(client, ctx.now)
  await removeOldPrices(client, ctx.now - ctx.config.priceHistoryDays * DAY_MS)
  return (await readSummary(client, id)) as ReleaseSummary
}

function catalogNotFound(): DomainError {
  return notFound(['catalogId'], 'No such catalog')
}

/** Starts again, ATTEMPTS times in all, when the catalog was changed between the lock and the snapshot. */
async function buildWithRetry(
  ctx: Context,
  client: pg.PoolClient,
  release: { id: string; catalogId: string; now: number },
  call: KeyedCall | null,
  onProgress: (progress: PublishProgress) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await buildRelease(client, release, onProgress, async (tx) => {
        if (call) await storeResult(tx, call, (await readSummary(tx, release.id)) as ReleaseSummary)
      })
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS) throw error
      ctx.log.info({ release: release.id, attempt }, 'publish starts again: the catalog was changed meanwhile')
    }
  }
}

/** Fails interrupted publishes and removes retired releases, at the start of a server. False when a publish holds the lock. */
export async function cleanUpReleases(database: Database, now: number): Promise<boolean> {
  const done = await tryPublishLock(database.pool, async (client) => {
    await failInterrupted(client)
    await removeRetired(client, now)
    return true
  })
  return done === true
}

/** Hides a release from readers at once and returns it; the newest remaining release becomes the latest. Throws notFound and STALE. */
export async function deleteRelease(ctx: Context, input: { releaseId: string }, options: CommandOptions = {}): Promise<ReleaseSummary> {
  return publishLocked(ctx, async (client) => {
    const deleted = await readSummary(client, input.releaseId)
    if (!deleted) throw notFound(['releaseId'], 'No such release')
    assertNotStale(releaseUpdatedAt(deleted), options.ifUpdatedAt, deleted)
    const { catalogId } = deleted
    const from = await latestReleaseId(client, catalogId)
    await retire(client, input.releaseId, ctx.now)
    await rememberPrices(client, { catalogId, from, to: await latestReleaseId(client, catalogId), at: ctx.now })
    return deleted
  })
}
