/**
 * Import jobs in the database: the jobs as the graph reads them, and what administrators change of them.
 *
 * They are no records: no entry of the change log, no version. SQL, since Prisma can't change jobs and delete their
 * chunks in one statement.
 */
import type { ImportJob, JobFormat, JobOptions, JobProgress, JobState } from '../../domain/imports/import-job.ts'
import type { ImportJob as Row } from '../../generated/prisma/client.ts'
import type { Database } from '../database/database.ts'
import type { RecordSource } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'
import { recordsById } from '../loading/loader.ts'

type ReadRow = Omit<Row, 'leaseId' | 'leasedUntil' | 'attempts'>

/** The jobs, without what belongs to the server that runs one. */
export const importJobSource: RecordSource<ReadRow, ImportJob> = {
  model: 'importJob',
  members: [
    ...(['id', 'author', 'fileName', 'format', 'gzipped', 'options', 'state', 'bytes', 'failure', 'progress'] as const),
    ...(['startedAt', 'endedAt', 'createdAt', 'updatedAt'] as const),
  ],
  fromRow: ({ format, options, state, progress, startedAt, endedAt, createdAt, updatedAt, ...row }) => ({
    ...row,
    format: format as JobFormat,
    options: options as unknown as JobOptions,
    state: state as JobState,
    progress: progress as unknown as JobProgress | null,
    startedAt: startedAt?.getTime() ?? null,
    endedAt: endedAt?.getTime() ?? null,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  }),
}

/** The factories of a request's loaders. */
export const importJobLoaders = {
  importJobById: recordsById('importJobs', importJobSource),
}

/**
 * Lets a server check or run a job that is locked, from its start: what an earlier check found goes. `now` is epoch
 * milliseconds. One statement.
 */
export async function storeStart(
  tx: Transaction,
  id: string,
  { state, now }: { readonly state: 'checking' | 'running'; readonly now: number },
): Promise<void> {
  await tx.$executeRaw`
    WITH refused AS (DELETE FROM import_job_refused WHERE job_id = ${id}::uuid),
      prices AS (DELETE FROM import_job_price WHERE job_id = ${id}::uuid)
    UPDATE import_job SET state = ${state}, failure = NULL, progress = NULL, attempts = 0, started_at = ${new Date(now)},
      updated_at = ${new Date(now)}
    WHERE id = ${id}::uuid`
}

/**
 * Ends a job that is locked, and deletes its chunks, and what only a check found when `progress` is null. What runs it
 * finds out with its next statement. One or two statements.
 */
export async function storeCancel(
  tx: Transaction,
  { id, progress, updatedAt }: Pick<ImportJob, 'id' | 'progress' | 'updatedAt'>,
): Promise<void> {
  const at = new Date(updatedAt)
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM import_job_chunk WHERE job_id = ${id}::uuid),
      earlier AS (DELETE FROM import_job_earlier WHERE job_id = ${id}::uuid),
      keys AS (DELETE FROM import_job_key WHERE job_id = ${id}::uuid)
    UPDATE import_job SET state = 'canceled', ended_at = ${at}, updated_at = ${at}, leased_until = NULL
    WHERE id = ${id}::uuid`
  if (progress !== null) return
  await tx.$executeRaw`
    WITH refused AS (DELETE FROM import_job_refused WHERE job_id = ${id}::uuid),
      prices AS (DELETE FROM import_job_price WHERE job_id = ${id}::uuid)
    UPDATE import_job SET progress = NULL, started_at = NULL WHERE id = ${id}::uuid`
}

/** The pieces of the file of refused objects of a job, in order, up to its length. One statement each. */
export async function* refusedPieces(database: Database, id: string, length: number): AsyncGenerator<Buffer> {
  const text = 'SELECT bytes FROM import_job_refused WHERE job_id = $1 AND at = $2'
  for (let at = 0; at < length; ) {
    const [row] = await database.query<{ bytes: Buffer }>('import-job-refused', text, [id, at])
    if (!row) throw new Error(`the file of refused objects of job ${id} lacks what is at ${at}`)
    yield row.bytes
    at += row.bytes.length
  }
}
