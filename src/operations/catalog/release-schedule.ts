/**
 * Release schedules: use cases that make a release the latest of its catalog again, now or at an instant, and that
 * withdraw it.
 */
import type pg from 'pg'
import { isInEffect, scheduledFor } from '../../domain/catalog/release-activation.ts'
import { assertSchedulable } from '../../domain/catalog/release-schedule.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { conflict, notFound } from '../../domain/input/errors.ts'
import {
  activate,
  latestReleaseId,
  pendingActivations,
  readSchedule,
  withdrawActivations,
} from '../../persistence/catalog/activation.ts'
import { retire } from '../../persistence/catalog/publish/retention.ts'
import { inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { readSummary, releaseTable, saveCarries, scheduledReleaseTable } from '../../persistence/catalog/release.ts'
import { logChangeOn } from '../../persistence/database/change-log.ts'
import { findStoredResult, storeResult } from '../../persistence/idempotency.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { authorFor, type CommandOptions } from '../operation.ts'
import { holderOf, planCarries, writeCarries } from './carry.ts'
import { publishLocked } from './publish-lock.ts'

const PATH = ['releaseId']

/**
 * Makes a published release the latest of its catalog: now, or with `at`, epoch milliseconds, at that instant. Nothing
 * is deleted. A release has at most one scheduled instant: another one replaces it, the same one changes nothing, and
 * becoming the latest now cancels it (release.restored-as-it-is). At once it carries what it changes into scheduled
 * releases, unless `carry` is false; `dryRun` tells what it would carry, and changes nothing. Throws notFound, the
 * conflict ACTION_REFUSED when the release is the latest already or was never published, and violations of `at`.
 */
export async function restoreRelease(
  ctx: Context,
  input: {
    readonly releaseId: string
    readonly at?: number | null
    readonly carry?: boolean
    readonly dryRun?: boolean
  },
  options: CommandOptions = {},
): Promise<ReleaseSummary> {
  return changeSchedule(ctx, 'restoreRelease', input, options, async (client, release, now) => {
    const { id, catalogId } = release
    const at = input.at ?? null
    if (release.status !== 'published')
      throw conflict('ACTION_REFUSED', PATH, 'the release was never published', release)
    if (at !== null)
      assertSchedulable(
        at,
        now,
        await readSchedule(client, catalogId, now),
        scheduledFor(release.activations, now) !== null,
      )
    else if ((await latestReleaseId(client, catalogId, now)) === id)
      throw conflict('ACTION_REFUSED', PATH, 'the release is the latest already', release)
    // Of several releases that are scheduled for one instant, the one scheduled last becomes the latest.
    const coming = await pendingActivations(client, catalogId, now)
    if (coming.findLast((one) => one.at === at)?.releaseId === id) return release
    const change = { catalogId, former: await latestReleaseId(client, catalogId, now), latest: id, now }
    const carries = at === null && (input.carry ?? true)
    if (input.dryRun) return { ...release, carries: carries ? (await planCarries(ctx, client, change)).carries : [] }
    await activate(client, { catalogId, releaseId: id, now, at }, async () => {
      await saveCarries(client, id, carries ? (await writeCarries(ctx, client, change, 'restoreRelease')).carries : [])
    })
    const restored = (await readSummary(client, id)) as ReleaseSummary
    const table = at === null ? releaseTable : scheduledReleaseTable
    await logChangeOn(client, authorFor(ctx.viewer, 'restoreRelease'), table, release, restored)
    return restored
  })
}

/**
 * Withdraws the schedule of a release. One that never was the latest is retired, like a deleted one
 * (release.withdrawn-before-its-instant). The id of a carried release withdraws the one that has its schedule now.
 * Throws notFound, and the conflict ACTION_REFUSED when the release is not scheduled (any more).
 */
export async function withdrawRelease(
  ctx: Context,
  input: { readonly releaseId: string },
  options: CommandOptions = {},
): Promise<ReleaseSummary> {
  return changeSchedule(ctx, 'withdrawRelease', input, options, async (client, release, now) => {
    const { id, catalogId } = release
    if (!(await withdrawActivations(client, catalogId, id, now)))
      throw conflict('ACTION_REFUSED', PATH, 'the release is not scheduled, or has become the latest by now', release)
    const activations = release.activations.filter((one) => isInEffect(one, now))
    const isGone = activations.length === 0
    if (isGone) await retire(client, catalogId, [id], now)
    const withdrawn = { ...release, activations }
    await logChangeOn(
      client,
      authorFor(ctx.viewer, 'withdrawRelease'),
      scheduledReleaseTable,
      release,
      isGone ? null : withdrawn,
    )
    return withdrawn
  })
}

/**
 * Runs a change of a release's activations under the publish lock, once per idempotency key. `change` gets the instant
 * at which the lock was acquired.
 */
async function changeSchedule(
  ctx: Context,
  operation: string,
  input: { readonly releaseId: string; readonly dryRun?: boolean },
  { idempotencyKey: key }: CommandOptions,
  change: (client: pg.PoolClient, release: ReleaseSummary, now: number) => Promise<ReleaseSummary>,
): Promise<ReleaseSummary> {
  const call = key == null || input.dryRun ? null : { viewer: ctx.viewer, operation, key, input, now: ctx.now }
  return publishLocked(ctx, async (client) => {
    const stored = call && ((await findStoredResult(client, call)) as ReleaseSummary | undefined)
    if (stored) return stored
    const now = presentOf(ctx)
    const release = await holderOf(client, input.releaseId, now, operation === 'withdrawRelease')
    if (!release) throw notFound(PATH, 'No such release')
    return inClientTransaction(client, async () => {
      const changed = await change(client, release, now)
      if (call) await storeResult(client, call, changed)
      return changed
    })
  })
}
