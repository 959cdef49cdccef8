/**
 * Release activations: each makes a release the latest of its catalog, at once or at an instant
 * (release.scheduled-at-its-millisecond).
 *
 * The SQL function latest_release chooses among them; readable-releases.ts does the same in memory. All functions run
 * under the publish lock, in the caller's transaction.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type { ScheduleState } from '../../domain/catalog/release-schedule.ts'
import { epochMs } from '../database/columns.ts'
import { namedQuery, type Queryable } from '../database/query.ts'
import { forgetComingSlugs, rememberSlugs } from './former-slugs.ts'
import { forgetComingPrices, rememberPrices } from './price-history.ts'
import { cutPricesOfOlderVersion } from './publish/price-spans.ts'

/** A release that becomes the latest. Instants are epoch milliseconds. */
export interface NewActivation {
  readonly catalogId: string
  readonly releaseId: string
  /** The present. */
  readonly now: number
  /** The later instant at which it takes effect; null for at once. */
  readonly at: number | null
}

/** The id of the catalog's latest release at an instant, epoch milliseconds; null for none. One statement. */
export async function latestReleaseId(on: Queryable, catalogId: string, now: number): Promise<string | null> {
  const text = 'SELECT latest_release($1::uuid, $2::timestamptz) AS id'
  const [row] = await namedQuery<{ id: string | null }>(on, 'latest_release_id', text, [catalogId, new Date(now)])
  return row?.id ?? null
}

/** A release's activation that is not in effect yet. */
interface Pending {
  readonly releaseId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A catalog's activations that take effect after `now`, in their order. One statement. */
export function pendingActivations(on: Queryable, catalogId: string, now: number): Promise<Pending[]> {
  const text = `SELECT release_id AS "releaseId", ${epochMs('effective_at')} AS at FROM release_activation
    WHERE catalog_id = $1::uuid AND scheduled AND effective_at > $2::timestamptz ORDER BY effective_at, id`
  return namedQuery<Pending>(on, 'pending_activations', text, [catalogId, new Date(now)])
}

// An immediate activation sorts after all that are in effect, whatever the clock says, and replaces every other one of
// its release. A scheduled one replaces the pending ones of its release. It restores a release that was the latest
// before, which keeps the instant of its publication (release.published-when-public); moving a schedule restores
// nothing.
const insertActivation = `
WITH replaced AS (
  DELETE FROM release_activation WHERE release_id = $2::uuid AND ($4::timestamptz IS NULL OR scheduled AND effective_at > $3::timestamptz)),
activated AS (
  INSERT INTO release_activation (catalog_id, release_id, effective_at, scheduled, restored)
  SELECT $1::uuid, $2::uuid, coalesce($4::timestamptz, greatest($3::timestamptz, (
    SELECT max(effective_at) FROM release_activation
    WHERE catalog_id = $1::uuid AND (NOT scheduled OR effective_at <= $3::timestamptz)))), $4::timestamptz IS NOT NULL,
    EXISTS (SELECT FROM release_activation WHERE release_id = $2::uuid AND (NOT scheduled OR effective_at <= $3::timestamptz))
  RETURNING effective_at, restored),
published AS (UPDATE release SET published_at = a.effective_at FROM activated a WHERE id = $2::uuid AND NOT a.restored)
UPDATE catalog c SET
  first_published_at = CASE WHEN c.first_published_at <= $3::timestamptz THEN c.first_published_at
    ELSE least(a.effective_at, c.first_published_at) END
FROM activated a WHERE c.id = $1::uuid`

/**
 * Makes a release the latest of its catalog, at once or at an instant, and remembers the prices and slugs that this
 * changes, and that `alongside` changes in scheduled releases. Statements: `changeLatest`.
 */
export async function activate(
  on: Queryable,
  { catalogId, releaseId, now, at }: NewActivation,
  alongside: () => Promise<void> = async () => {},
): Promise<void> {
  await changeLatest(on, catalogId, now, async () => {
    const instants = [new Date(now), at === null ? null : new Date(at)]
    await on.query(insertActivation, [catalogId, releaseId, ...instants])
    await alongside()
  })
}

// While a catalog's first publish is still to come, the first remaining activation sets its instant.
const deleteActivations = `
WITH removed AS (
  DELETE FROM release_activation
  WHERE release_id = ANY ($2::uuid[]) AND ($4::boolean OR scheduled AND effective_at > $3::timestamptz) RETURNING id),
left_over AS (
  SELECT min(effective_at) AS first FROM release_activation WHERE catalog_id = $1::uuid AND id NOT IN (SELECT id FROM removed)),
changed AS (
  UPDATE catalog SET first_published_at = (SELECT first FROM left_over)
  WHERE id = $1::uuid AND first_published_at > $3::timestamptz AND EXISTS (SELECT FROM removed))
SELECT FROM removed`

/** Withdraws the pending activations of a release; false when there is none. Statements: `changeLatest`. */
export async function withdrawActivations(
  on: Queryable,
  catalogId: string,
  releaseId: string,
  now: number,
): Promise<boolean> {
  let withdrawn = 0
  await changeLatest(on, catalogId, now, async () => {
    withdrawn = (await on.query(deleteActivations, [catalogId, [releaseId], new Date(now), false])).rowCount ?? 0
  })
  return withdrawn > 0
}

/** Removes all activations of releases that retire now. Statements: `changeLatest`. */
export async function removeActivations(
  on: Queryable,
  catalogId: string,
  releaseIds: readonly string[],
  now: number,
): Promise<void> {
  await changeLatest(on, catalogId, now, async () => {
    await on.query(deleteActivations, [catalogId, releaseIds, new Date(now), true])
  })
}

/**
 * Runs a change of a catalog's activations and keeps its price history and its former slugs true: it records what ends
 * now and what pending activations will end. Eleven statements at most, and five for each pending activation.
 */
async function changeLatest(on: Queryable, catalogId: string, now: number, change: () => Promise<void>): Promise<void> {
  const from = await latestReleaseId(on, catalogId, now)
  const comingBefore = (await pendingActivations(on, catalogId, now)).map(({ at }) => at)
  await change()
  const to = await latestReleaseId(on, catalogId, now)
  await forgetComingPrices(on, catalogId, comingBefore)
  await rememberPrices(on, { catalogId, from, to, at: now })
  await forgetComingSlugs(on, catalogId, comingBefore)
  await rememberSlugs(on, { catalogId, from, to, at: now })
  let latest = to
  for (const { releaseId, at } of await pendingActivations(on, catalogId, now)) {
    if (latest !== null) await cutPricesOfOlderVersion(on, latest)
    await rememberPrices(on, { catalogId, from: latest, to: releaseId, at })
    await rememberSlugs(on, { catalogId, from: latest, to: releaseId, at })
    latest = releaseId
  }
}

/** What a further activation of a catalog depends on at `now`, epoch milliseconds. One statement. */
export async function readSchedule(on: Queryable, catalogId: string, now: number): Promise<ScheduleState> {
  const text = `
SELECT ${epochMs('max(effective_at) FILTER (WHERE NOT scheduled OR effective_at <= $2::timestamptz)')} AS "latestAt",
  count(*) FILTER (WHERE scheduled AND effective_at > $2::timestamptz)::int AS scheduled
FROM release_activation WHERE catalog_id = $1::uuid`
  const [row] = await namedQuery<ScheduleState>(on, 'release_schedule', text, [catalogId, new Date(now)])
  return row ?? { latestAt: null, scheduled: 0 }
}
