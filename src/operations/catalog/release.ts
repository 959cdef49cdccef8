/** Publishing: use cases that publish and delete releases (release.is-a-snapshot). Drafts: draft.ts. */
import type pg from 'pg'
import type { PublishedPart } from '../../domain/catalog/partial-change.ts'
import { nameViolations } from '../../domain/catalog/release-name.ts'
import { assertSchedulable } from '../../domain/catalog/release-schedule.ts'
import { type ReleaseSummary, releaseUpdatedAt } from '../../domain/catalog/release-summary.ts'
import { assertValid, badRequest, conflict, type DomainError, notFound } from '../../domain/input/errors.ts'
import { activate, latestReleaseId, readSchedule } from '../../persistence/catalog/activation.ts'
import {
  beginRelease,
  catalogExists,
  failInterrupted,
  failRelease,
  retire,
} from '../../persistence/catalog/publish/retention.ts'
import { buildRelease, inClientTransaction, type PublishProgress } from '../../persistence/catalog/publish/run.ts'
import {
  catalogOfPublished,
  readSummary,
  releaseTable,
  saveCarries,
  saveName,
  scheduledReleaseTable,
} from '../../persistence/catalog/release.ts'
import { logChangeOn } from '../../persistence/database/change-log.ts'
import { newId } from '../../persistence/database/id.ts'
import type { Queryable } from '../../persistence/database/query.ts'
import { findStoredResult, type KeyedCall, storeResult } from '../../persistence/idempotency.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertNotStale, authorFor, type CommandOptions } from '../operation.ts'
import { holderOf, planCarries, writeCarries } from './carry.ts'
import { currentDraft, draftForLater, publishCurrentDraft } from './draft.ts'
import { partViolations, publishPart } from './partial-publish.ts'
import { publishLocked, retryPublish } from './publish-lock.ts'
import { afterPublish } from './release-clean-up.ts'

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
  /** False leaves scheduled releases alone. */
  readonly carry?: boolean
  /** Publishes these records alone. */
  readonly only?: PublishedPart | null
  /** What administrators call the release. */
  readonly name?: string | null
}

/**
 * Publishes a snapshot of the catalog, which readers see whole or not at all (release.whole-or-not-at-all), and retires
 * older ones. It is not a `command`, since it needs a lock before its transaction and a connection of its own. With
 * `at` the release becomes the latest at that instant, or when it is published, if that is later; at once it carries
 * what it changes into scheduled releases, unless `carry` is false. Throws notFound without such a catalog, violations
 * of `at`, `only` and `name`, and the conflict STALE or SCHEDULES_CHANGED when a publish would not do what `fromDraft`
 * told.
 */
export async function publishRelease(
  ctx: Context,
  input: PublishInput,
  options: CommandOptions = {},
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<ReleaseSummary> {
  const { catalogId, at = null, dryRun = false, fromDraft = null, carry = true, only = null, name = null } = input
  assertValid(nameViolations(name))
  if (only) assertValid(partViolations(only))
  if (only && fromDraft !== null)
    throw badRequest('INVALID_VALUE', ['fromDraft'], 'a draft is published whole: leave out fromDraft or only')
  const key = options.idempotencyKey
  const call = key == null ? null : { viewer: ctx.viewer, operation: 'publishRelease', key, input, now: ctx.now }
  return publishLocked(ctx, async (client) => {
    const stored = call && (await findStoredResult(client, call))
    if (stored) {
      if (!(await catalogExists(client, catalogId))) throw catalogNotFound()
      return stored as ReleaseSummary
    }
    if (at !== null) assertSchedulable(at, ctx.now, await readSchedule(client, catalogId, ctx.now), false)
    const carries = carry && at === null
    if (only) {
      const release = { catalogId, id: newId(), at, carries, name: dryRun ? null : name }
      const activatePart = () => makeLatest(ctx, client, release, dryRun ? null : call)
      const draft = await publishPart(ctx, client, { ...release, only, isDry: dryRun }, activatePart)
      return draft ?? afterPublish(ctx, client, release)
    }
    if (dryRun) {
      const draft = await currentDraft(ctx, client, catalogId, fromDraft)
      if (at !== null) return draftForLater(draft)
      return carries ? draft : { ...draft, carries: [] }
    }
    const release = { catalogId, id: fromDraft ?? newId(), at, carries, name }
    if (fromDraft === null) await publishAnew(ctx, client, release, call, onProgress)
    else await publishCurrentDraft(ctx, client, release, () => makeLatest(ctx, client, release, call))
    return afterPublish(ctx, client, release)
  })
}

/**
 * Publishes the catalog as the release `id` unless that id was published before, even if the release is deleted by now.
 * Returns whether it was published. Throws the conflict ID_TAKEN when another catalog published the id.
 */
export async function publishOnce(
  ctx: Context,
  release: Pick<NewRelease, 'catalogId' | 'id' | 'confirm'>,
): Promise<boolean> {
  return publishLocked(ctx, async (client) => {
    const publishedOf = await catalogOfPublished(client, release.id)
    if (publishedOf === release.catalogId) return false
    if (publishedOf !== null) throw conflict('ID_TAKEN', ['id'], 'A record with the id already exists')
    await publishAnew(ctx, client, { ...release, at: null, carries: true, name: null }, null)
    await afterPublish(ctx, client, release)
    return true
  })
}

interface NewRelease {
  readonly catalogId: string
  readonly id: string
  readonly at: number | null
  /** Whether it carries what it changes into scheduled releases. */
  readonly carries: boolean
  /** Null for none. */
  readonly name: string | null
  /** Called at the end of the transaction that makes it the latest, which is undone when it throws. */
  readonly confirm?: (on: Queryable) => Promise<void>
}

async function publishAnew(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id, ...latest }: NewRelease,
  call: KeyedCall | null,
  onProgress: (progress: PublishProgress) => void = () => {},
): Promise<void> {
  await failInterrupted(client)
  const release = { id, catalogId, now: ctx.now, storeLanguage: ctx.config.storeLanguage }
  if (!(await beginRelease(client, release))) throw catalogNotFound()
  const reportProgress = (progress: PublishProgress): void => {
    running.set(catalogId, progress)
    onProgress(progress)
  }
  try {
    const isBuilt = await retryPublish(ctx, id, () =>
      buildRelease(client, release, reportProgress, () => makeLatest(ctx, client, { ...release, ...latest }, call)),
    )
    if (!isBuilt) throw catalogNotFound()
  } catch (error) {
    await failRelease(client, id, 'the publish failed; the log of the server says why').catch(() => undefined)
    throw error
  } finally {
    // This runs under the lock, so the entry always belongs to this publish.
    running.delete(catalogId)
  }
}

/**
 * Makes a release the latest, at once or at its instant, names and logs it, and stores the result of the call, in the
 * transaction that publishes it.
 */
async function makeLatest(
  ctx: Context,
  tx: pg.PoolClient,
  { catalogId, id, at, carries, name, confirm }: NewRelease,
  call: KeyedCall | null,
): Promise<void> {
  const now = presentOf(ctx)
  const change = { catalogId, former: await latestReleaseId(tx, catalogId, now), latest: id, now }
  await activate(tx, { catalogId, releaseId: id, now, at }, async () => {
    if (at !== null) return saveCarries(tx, id, [], [])
    const done = carries ? await writeCarries(ctx, tx, change, 'publishRelease') : await planCarries(ctx, tx, change)
    await saveCarries(tx, id, carries ? done.carries : [], done.shownEarly)
  })
  if (name !== null) await saveName(tx, id, { name, renamedAt: null })
  const summary = (await readSummary(tx, id)) as ReleaseSummary
  const table = at === null ? releaseTable : scheduledReleaseTable
  await logChangeOn(tx, authorFor(ctx.viewer, 'publishRelease'), table, null, summary)
  if (call) await storeResult(tx, call, summary)
  await confirm?.(tx)
}

function catalogNotFound(): DomainError {
  return notFound(['catalogId'], 'No such catalog')
}

/**
 * Hides a release from readers at once and returns it; the newest remaining release becomes the latest, and subscribers
 * to the catalog learn of it. The id of a carried release deletes the one that has its schedule now. Throws notFound,
 * STALE, and ACTION_REFUSED for a draft.
 */
export async function deleteRelease(
  ctx: Context,
  input: { releaseId: string },
  options: CommandOptions = {},
): Promise<ReleaseSummary> {
  return publishLocked(ctx, async (client) => {
    const deleted = await holderOf(client, input.releaseId, presentOf(ctx), false)
    if (!deleted) throw notFound(['releaseId'], 'No such release')
    if (deleted.status === 'draft')
      throw conflict('ACTION_REFUSED', ['releaseId'], 'the release was never published', deleted)
    assertNotStale(releaseUpdatedAt(deleted), options.ifUpdatedAt, deleted)
    await inClientTransaction(client, async () => {
      const { catalogId } = deleted
      const [now, author] = [presentOf(ctx), authorFor(ctx.viewer, 'deleteRelease')]
      const before = await latestReleaseId(client, catalogId, now)
      await retire(client, catalogId, [deleted.id], now)
      await logChangeOn(client, author, releaseTable, deleted, null)
      const latest = await latestReleaseId(client, catalogId, now)
      // Clients that show the latest release must learn of it, as of a restored one (live.latest-again).
      const again = latest === null || latest === before ? null : await readSummary(client, latest)
      const asLatest = again && { ...again, isLatest: true }
      if (again) await logChangeOn(client, author, releaseTable, again, asLatest)
    })
    return deleted
  })
}
