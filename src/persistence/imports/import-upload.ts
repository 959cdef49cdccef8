/**
 * Uploads of import jobs: a file is stored in chunks as it comes, each in a statement of its own. A job whose upload
 * ended early is removed (job.upload-whole-or-nothing): at once, or when its last chunk is old, if the client is gone
 * or the server was killed.
 *
 * SQL, since a chunk is stored only while its job is there.
 */
import { type ImportJob, OPEN_JOBS_MAX } from '../../domain/imports/import-job.ts'
import type { Database } from '../database/database.ts'

/** Seconds without a further chunk after which an upload counts as broken. */
export const UPLOAD_SILENT_SECONDS = 120

/** What is known of a job before its file. */
export type NewJob = Pick<ImportJob, 'id' | 'author' | 'fileName' | 'format' | 'gzipped' | 'options' | 'createdAt'>

const silentUntil = `clock_timestamp() + interval '${UPLOAD_SILENT_SECONDS} seconds'`

const insertJob = `
  INSERT INTO import_job (
    id, author, file_name, format, gzipped, options, state, bytes, attempts, created_at, updated_at, leased_until)
  SELECT $1, $2, $3, $4, $5, $6, 'uploading', 0, 0, $7, $7, ${silentUntil}
  WHERE (SELECT count(*) FROM import_job WHERE state IN ('uploading', 'uploaded', 'checking', 'checked', 'running')) < ${OPEN_JOBS_MAX}
  RETURNING id`

/**
 * Begins an upload. False when there are OPEN_JOBS_MAX jobs that have not ended (job.twenty-open-at-most). One
 * statement.
 */
export async function beginUpload(database: Database, job: NewJob): Promise<boolean> {
  const { id, author, fileName, format, gzipped, options, createdAt } = job
  const values = [id, author, fileName, format, gzipped, JSON.stringify(options), new Date(createdAt)]
  return (await database.query<object>('import-upload-begin', insertJob, values)).length > 0
}

const insertChunk = `
  WITH job AS (
    UPDATE import_job SET bytes = bytes + length($3::bytea), leased_until = ${silentUntil}
    WHERE id = $1 AND state = 'uploading' RETURNING id)
  INSERT INTO import_job_chunk (job_id, number, bytes) SELECT id, $2, $3 FROM job RETURNING number`

/** Stores a chunk; false when the upload counted as broken and was removed. One statement. */
export async function storeChunk(database: Database, id: string, number: number, bytes: Buffer): Promise<boolean> {
  const stored = await database.query<object>('import-upload-chunk', insertChunk, [id, number, bytes])
  return stored.length > 0
}

/** Ends an upload: the job can be started now; false when it was removed. One statement. */
export async function endUpload(database: Database, id: string): Promise<boolean> {
  const text = `UPDATE import_job SET state = 'uploaded', leased_until = NULL WHERE id = $1 AND state = 'uploading' RETURNING id`
  return (await database.query<object>('import-upload-end', text, [id])).length > 0
}

/** Removes a job whose upload broke, with its chunks. One statement. */
export async function removeUpload(database: Database, id: string): Promise<void> {
  const text = `DELETE FROM import_job WHERE id = $1 AND state = 'uploading'`
  await database.query('import-upload-remove', text, [id])
}

const removeOld = `
  DELETE FROM import_job WHERE (state = 'uploading' AND leased_until < clock_timestamp())
    OR (state NOT IN ('uploading', 'checking', 'running') AND created_at < $1)`

/**
 * Removes broken uploads, and jobs that were created before `before`, epoch milliseconds (job.kept-thirty-days). One
 * statement.
 */
export async function removeOldJobs(database: Database, before: number): Promise<void> {
  await database.query('import-jobs-old', removeOld, [new Date(before)])
}
