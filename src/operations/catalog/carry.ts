/**
 * Carries: what a publish or restore at once changes in the latest release goes into every scheduled release
 * (release.corrections-carried).
 */
import type pg from 'pg'
import { type Carry, CONFLICTS_MAX, type LatestChange, type ShownEarly } from '../../domain/catalog/carry.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { scheduledFor } from '../../domain/catalog/release-activation.ts'
import type { ReleaseSummary, ReleaseWarning } from '../../domain/catalog/release-summary.ts'
import { analyserOf } from '../../domain/catalog/search-text.ts'
import { pendingActivations } from '../../persistence/catalog/activation.ts'
import { replaceScheduled } from '../../persistence/catalog/publish/carried-release.ts'
import { carryInto, readLatestChange } from '../../persistence/catalog/publish/carry.ts'
import { indexRelease } from '../../persistence/catalog/publish/search-texts.ts'
import { carriedInto, readSummary, scheduledReleaseTable } from '../../persistence/catalog/release.ts'
import { readIndexes } from '../../persistence/catalog/release-index.ts'
import { logChangeOn } from '../../persistence/database/change-log.ts'
import { newId } from '../../persistence/database/id.ts'
import type { Context } from '../../request/context.ts'
import { authorFor } from '../operation.ts'

/** A change of the latest release of a catalog; `former` is null when there was none, so that nothing is carried. */
export interface NewLatest {
  readonly catalogId: string
  readonly former: string | null
  readonly latest: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** What a change does to scheduled releases. */
export interface Carried {
  readonly carries: readonly Carry[]
  /** What it shows of them already, a warning for each release (release.early-shows-warned). */
  readonly shownEarly: readonly ReleaseWarning[]
}

/** What a change would carry. Statements: those of `carryInto` for each scheduled release. */
export function planCarries(ctx: Context, client: pg.PoolClient, change: NewLatest): Promise<Carried> {
  return eachScheduled(ctx, client, change, async (found, release, { at }) => {
    const outcome = await carryInto(client, found, release, null)
    return { ...outcome, from: release.id, releaseId: release.id, at }
  })
}

/**
 * Carries a change into each scheduled release: a new one takes its place at its instant (release.carried-is-another).
 * It runs in the transaction that makes the change, and leaves an entry in history for each of both releases.
 */
export function writeCarries(
  ctx: Context,
  client: pg.PoolClient,
  change: NewLatest,
  operation: 'publishRelease' | 'restoreRelease',
): Promise<Carried> {
  const { catalogId, now } = change
  return eachScheduled(ctx, client, change, async (found, release, { at }) => {
    const build = { id: newId(), catalogId, now, publishedAt: at }
    const outcome = await carryInto(client, found, release, build)
    if (!outcome.isCarried) return { ...outcome, from: release.id, releaseId: release.id, at }
    const before = (await readSummary(client, release.id)) as ReleaseSummary
    await replaceScheduled(client, release.id, build.id, now)
    await indexRelease(client, build.id, analyserOf(ctx.config.storeLanguage), { like: release.id })
    const [old, next] = [await readSummary(client, release.id), await readSummary(client, build.id)]
    const author = authorFor(ctx.viewer, operation)
    await logChangeOn(client, author, scheduledReleaseTable, before, old)
    await logChangeOn(client, author, scheduledReleaseTable, null, next)
    return { ...outcome, from: release.id, releaseId: build.id, at }
  })
}

type Outcome = Pick<Carry, 'from' | 'releaseId' | 'at'> & Awaited<ReturnType<typeof carryInto>>

/** Runs `carry` for each scheduled release in the order of their instants, and tells of those that it concerns. */
async function eachScheduled(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, former, latest, now }: NewLatest,
  carry: (change: LatestChange, release: Release, activation: { readonly at: number }) => Promise<Outcome>,
): Promise<Carried> {
  const none: Carried = { carries: [], shownEarly: [] }
  if (former === null || former === latest) return none
  const pending = (await pendingActivations(client, catalogId, now)).filter(({ releaseId }) => releaseId !== latest)
  if (pending.length === 0) return none
  // A release never changes, so one in memory is what the database has.
  const indexOf = async (id: string) =>
    ctx.releases.inMemory(id) ?? ((await readIndexes(client, [id])).get(id) as Release)
  const change = await readLatestChange(client, await indexOf(former), await indexOf(latest))
  const carries: Carry[] = []
  const early: ReleaseWarning[] = []
  for (const activation of pending) {
    const { releaseId } = activation
    const release = await indexOf(releaseId)
    const { isCarried, conflicts, shownEarly, ...outcome } = await carry(change, release, activation)
    early.push(...warningsOf(shownEarly, outcome))
    if (!isCarried && conflicts.length === 0) continue
    carries.push({
      ...outcome,
      former,
      conflicts: conflicts.slice(0, CONFLICTS_MAX),
      conflictCount: conflicts.length,
    })
  }
  return { carries, shownEarly: early }
}

/** The warning that a change shows what a scheduled release holds; none when it doesn't. */
function warningsOf(
  { productIds, nodeCount, texts }: ShownEarly,
  { releaseId, at }: Pick<Carry, 'releaseId' | 'at'>,
): ReleaseWarning[] {
  const [first] = productIds
  if (first === undefined && nodeCount === 0 && !texts) return []
  const counts = { count: productIds.length, node_count: nodeCount }
  const code = 'SCHEDULED_SHOWN_EARLY'
  return [
    { code, ...counts, ...(first !== undefined && { product_id: first }), release_id: releaseId, scheduled_for: at },
  ]
}

/**
 * A release by its id; for one that was carried, the release that has its schedule now. One that was public itself is
 * followed only for its schedule, with `wantsSchedule`. Null without a release.
 */
export async function holderOf(
  client: pg.PoolClient,
  id: string,
  now: number,
  wantsSchedule: boolean,
): Promise<ReleaseSummary | null> {
  const release = await readSummary(client, id)
  const isIt =
    release && (wantsSchedule ? scheduledFor(release.activations, now) !== null : release.activations.length > 0)
  if (isIt) return release
  const into = await carriedInto(client, id)
  return (into === null ? null : await readSummary(client, into)) ?? release
}
