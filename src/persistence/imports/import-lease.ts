/**
 * Leases of import jobs: of all servers one runs a job, and one job runs at a time (job.one-at-a-time).
 *
 * A run has an id of its own. What it stores is stored only while the job has that id: so a server that was too slow,
 * and whose job another one has taken, stores nothing more (job.nothing-twice). Instants of leases are by the
 * database's clock. SQL, for its row locks.
 */
import type { ImportJob, JobFormat, JobOptions } from '../../domain/imports/import-job.ts'
import { toStorable } from '../../domain/input/text.ts'
import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/query.ts'
import { advisoryLock } from '../database/schema.ts'
import type { Transaction } from '../database/transaction.ts'

/** The advisory lock of those that look for a job. The number is arbitrary but must not change. */
const JOB_LOCK = advisoryLock(7_262_008)
/** Milliseconds for which a job belongs to its run, unless that renews it. */
export const LEASE_MS = 30_000
/** Runs without progress after which a job has failed. */
export const ATTEMPTS_MAX = 5

const until = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`

/** The run of a job. */
export interface JobRun {
  readonly jobId: string
  readonly leaseId: string
}

/** How far an import is, as it is stored. */
export interface StoredProgress {
  /** The price book of prices in a sheet, which may have another name by now. */
  readonly bookId?: string
}

/** A job that is run: what it needs to be run. */
export interface LeasedJob extends Pick<ImportJob, 'id' | 'author' | 'fileName' | 'gzipped' | 'bytes'> {
  readonly state: 'checking' | 'running'
  readonly format: JobFormat
  readonly options: JobOptions
  /** The state of the import as it was stored last; null before that. */
  readonly progress: StoredProgress | null
  /** How many runs began since the last progress, this one included. */
  readonly attempts: number
}

/** Error of a run whose job belongs to another one by now, or was canceled: what it had begun is undone. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded'
}

/** A job that a server checks or runs, or will. */
const isStarted = `state IN ('checking', 'running')`
const isWaiting = `${isStarted} AND (leased_until IS NULL OR leased_until < clock_timestamp())`

/** Whether there is a job that could be taken. One statement. */
export async function hasWaitingJob(database: Database): Promise<boolean> {
  const text = `SELECT 1 FROM import_job WHERE ${isWaiting} LIMIT 1`
  return (await database.query<object>('import-job-waits', text)).length > 0
}

// Under the lock, so that it sees what others have taken: two that each took another job would run both.
const takeOldest = `
  WITH oldest AS (
    SELECT id FROM import_job WHERE ${isWaiting}
      AND NOT EXISTS (SELECT FROM import_job WHERE ${isStarted} AND leased_until >= clock_timestamp())
    ORDER BY started_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE import_job j SET lease_id = $1::uuid, leased_until = ${until}, attempts = attempts + 1 FROM oldest WHERE j.id = oldest.id
  RETURNING j.id, author, file_name AS "fileName", gzipped, bytes, j.state, format, options, progress, attempts`

/** Takes the job that was started first, unless another one runs; null for none. Two statements. */
export async function takeJob({ prisma }: Database, leaseId: string): Promise<LeasedJob | null> {
  return prisma.$transaction(async (tx) => {
    const [lock] = await tx.$queryRawUnsafe<{ isMine: boolean }[]>(
      `SELECT pg_try_advisory_xact_lock(${JOB_LOCK}) AS "isMine"`,
    )
    if (!lock?.isMine) return null
    const [job] = await tx.$queryRawUnsafe<LeasedJob[]>(takeOldest, leaseId)
    return job ?? null
  })
}

/** Keeps a job for its run; false when it is no longer of that run. One statement. */
export async function renewLease(database: Database, { jobId, leaseId }: JobRun): Promise<boolean> {
  const text = `UPDATE import_job SET leased_until = ${until} WHERE id = $1 AND lease_id = $2 AND ${isStarted} RETURNING id`
  return (await database.query<object>('import-job-renew', text, [jobId, leaseId])).length > 0
}

/** Gives a job back, so that another server goes on with it at once. One statement. */
export async function releaseJob(database: Database, { jobId, leaseId }: JobRun): Promise<void> {
  const text = `UPDATE import_job SET leased_until = NULL, attempts = greatest(attempts - 1, 0) WHERE id = $1 AND lease_id = $2 AND ${isStarted}`
  await database.query('import-job-release', text, [jobId, leaseId])
}

/** A chunk of a job's file. Throws RunEnded when it is gone. One statement. */
export async function readChunk(database: Database, jobId: string, number: number): Promise<Buffer> {
  const text = 'SELECT bytes FROM import_job_chunk WHERE job_id = $1 AND number = $2'
  const [row] = await database.query<{ bytes: Buffer }>('import-job-chunk', text, [jobId, number])
  if (!row) throw new RunEnded('the chunks of the job are gone')
  return row.bytes
}

/** Locks a job for its run, and returns how much of its file of refused objects is stored. One statement. */
export async function lockRun(tx: Transaction, { jobId, leaseId }: JobRun): Promise<number> {
  const [row] = await tx.$queryRaw<{ refused: number }[]>`
    SELECT coalesce((progress ->> 'refusedBytes')::float8, 0) AS refused FROM import_job
    WHERE id = ${jobId}::uuid AND lease_id = ${leaseId}::uuid AND state IN ('checking', 'running') FOR UPDATE`
  if (!row) throw new RunEnded('the job is of another run, or was canceled')
  return row.refused
}

/** Locks a job for its run in a transaction of a client. Throws RunEnded. One statement. */
export async function confirmRun(on: Queryable, { jobId, leaseId }: JobRun): Promise<void> {
  const text = `SELECT 1 FROM import_job WHERE id = $1 AND lease_id = $2 AND ${isStarted} FOR UPDATE`
  const { rows } = await on.query(text, [jobId, leaseId])
  if (rows.length === 0) throw new RunEnded('the job is of another run, or was canceled')
}

/** Stores a piece of the file of refused objects of a locked job. One statement. */
export async function storeRefused(tx: Transaction, jobId: string, at: number, bytes: Uint8Array): Promise<void> {
  await tx.$executeRaw`INSERT INTO import_job_refused (job_id, at, bytes) VALUES (${jobId}::uuid, ${at}::bigint, ${bytes})`
}

/** Stores how far a locked job is. One statement. */
export async function storeProgress(tx: Transaction, jobId: string, progress: StoredProgress): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE import_job SET progress = $2::jsonb, attempts = 0, leased_until = ${until}, updated_at = clock_timestamp() WHERE id = $1::uuid`,
    jobId,
    JSON.stringify(progress),
  )
}

/** Ends a job that has failed. Throws RunEnded when it is no longer of this run. Two statements. */
export async function failRun({ prisma }: Database, run: JobRun, failure: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await lockRun(tx, run)
    await storeEnd(tx, run.jobId, failure)
  })
}

/**
 * Ends a locked job and deletes its chunks; `failure` null for one that is done. The end of a check leaves the job as
 * checked, with its chunks (job.check-goes-on). One statement.
 */
export async function storeEnd(tx: Transaction, jobId: string, failure: string | null): Promise<void> {
  await tx.$executeRaw`
    WITH job AS (SELECT id, state FROM import_job WHERE id = ${jobId}::uuid),
      gone AS (DELETE FROM import_job_chunk WHERE job_id IN (SELECT id FROM job WHERE state = 'running')),
      earlier AS (DELETE FROM import_job_earlier WHERE job_id = ${jobId}::uuid),
      keys AS (DELETE FROM import_job_key WHERE job_id = ${jobId}::uuid)
    UPDATE import_job j SET failure = ${failure && toStorable(failure)}, leased_until = NULL, updated_at = clock_timestamp(),
      state = CASE job.state WHEN 'checking' THEN 'checked' ELSE ${failure === null ? 'done' : 'failed'} END,
      ended_at = CASE job.state WHEN 'running' THEN clock_timestamp() END
    FROM job WHERE j.id = job.id`
}
