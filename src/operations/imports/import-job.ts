/** Import jobs: use cases, for administrators (job.for-admins). A server runs what `startImport` started. */
import {
  assertState,
  type ImportJob,
  type JobFormat,
  type JobOptions,
  OPEN_JOBS_MAX,
} from '../../domain/imports/import-job.ts'
import { conflict, type DomainError, notFound, Unavailable } from '../../domain/input/errors.ts'
import { nextUpdatedAt } from '../../domain/input/patch.ts'
import { newId } from '../../persistence/database/id.ts'
import { type BookPriceChange, countPriceChanges, priceChangesOf } from '../../persistence/imports/import-check.ts'
import { importJobSource, refusedPieces, storeCancel, storeStart } from '../../persistence/imports/import-job.ts'
import {
  beginUpload,
  endUpload,
  removeUpload,
  storeChunk,
  UPLOAD_SILENT_SECONDS,
} from '../../persistence/imports/import-upload.ts'
import type { JobChange } from '../../persistence/imports/import-watch.ts'
import { tokenEndsIn } from '../changes/live.ts'
import { command, query, readNothing } from '../operation.ts'
import { lockOrThrow } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A job by its raw id, null when there is none. */
export const importJob = recordById<ImportJob>('admin', ({ importJobById }) => importJobById)

/** All jobs, in pages. */
export const importJobs = recordReads('admin', importJobSource)

/** A job as it is, and as it changes until it has ended (live.import-until-its-end). */
export const watchImport = query({
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<AsyncIterableIterator<JobChange, void>> => {
    if (!(await importJob(ctx, { id }))) throw notFound(['id'], 'No such import')
    if (!ctx.importWatch) throw new Unavailable('imports can not be watched here')
    return ctx.importWatch.listen(id.toLowerCase(), tokenEndsIn(ctx))
  },
})

/** A file that is being sent. */
export interface Upload {
  readonly fileName: string
  readonly format: JobFormat
  readonly gzipped: boolean
  readonly options: JobOptions
  /** The file in chunks of CHUNK_BYTES, the last one shorter; throws when it can't be taken. */
  readonly chunks: AsyncIterable<Buffer>
}

/**
 * Stores a file as a job, which waits for `startImport`. A file that breaks off leaves nothing
 * (job.upload-whole-or-nothing). A statement for each chunk, and two.
 */
export const uploadImport = query<Upload, ImportJob>({
  right: 'admin',
  run: async (ctx, { chunks, ...file }) => {
    const { database, now, viewer } = ctx
    const job = { ...file, id: newId(now), author: viewer.subject, createdAt: now }
    if (!(await beginUpload(database, job)))
      throw conflict('TOO_MANY', [], `A store has at most ${OPEN_JOBS_MAX} imports that have not ended: cancel one`)
    let bytes = 0
    try {
      let number = 0
      for await (const chunk of chunks) {
        if (!(await storeChunk(database, job.id, number++, chunk))) throw removed()
        bytes += chunk.length
      }
      if (!(await endUpload(database, job.id))) throw removed()
    } catch (error) {
      // When the client is gone no statement of its request is sent: the server then removes the job a little later.
      await removeUpload(database, job.id).catch(() => undefined)
      throw error
    }
    const unbegun = { failure: null, progress: null, startedAt: null, endedAt: null }
    return { ...job, ...unbegun, state: 'uploaded', bytes, updatedAt: now }
  },
})

/** The error of an upload that took too long (job.upload-at-its-pace). */
function removed(): DomainError {
  const pace = `a mebibyte took longer than ${UPLOAD_SILENT_SECONDS} s`
  return conflict('ACTION_REFUSED', [], `The upload was removed, since ${pace}: compress it, or send smaller files`)
}

/** Starts a job, which runs when those that were started before it have ended. */
export const startImport = jobStart('startImport', 'running')

/**
 * Checks a job, in its turn like one that runs: tells what the import would do, and stores nothing of it
 * (job.check-writes-nothing).
 */
export const checkImport = jobStart('checkImport', 'checking')

function jobStart(name: string, state: 'checking' | 'running') {
  return command<{ id: string }, undefined, ImportJob, ImportJob>({
    name,
    right: 'admin',
    read: readNothing,
    load: (tx, { id }) => lockOrThrow(tx, importJobSource, id, 'import'),
    run: async (tx, _, job, ctx) => {
      assertState(job, ['uploaded', 'checked'])
      const updatedAt = nextUpdatedAt(ctx.now, job.updatedAt)
      await storeStart(tx, job.id, { state, now: updatedAt })
      return { ...job, state, failure: null, progress: null, startedAt: updatedAt, updatedAt }
    },
  })
}

/**
 * Ends a job. What its batches stored stays, and the batch or publish of that moment is undone
 * (job.cancel-keeps-stored).
 */
export const cancelImport = command<{ id: string }, undefined, ImportJob, ImportJob>({
  name: 'cancelImport',
  right: 'admin',
  read: readNothing,
  load: (tx, { id }) => lockOrThrow(tx, importJobSource, id, 'import'),
  run: async (tx, _, job, ctx) => {
    assertState(job, ['uploaded', 'checking', 'checked', 'running'])
    const updatedAt = nextUpdatedAt(ctx.now, job.updatedAt)
    const found = job.state === 'running' ? {} : { progress: null, startedAt: null }
    const canceled: ImportJob = { ...job, ...found, state: 'canceled', endedAt: updatedAt, updatedAt }
    await storeCancel(tx, canceled)
    return canceled
  },
})

/** The file of the objects that a job refused so far. */
export interface RefusedObjects {
  readonly format: JobFormat
  readonly length: number
  readonly pieces: AsyncIterable<Buffer>
}

/** The refused objects of a job (job.refused-as-a-file). Throws notFound when there is no such job. */
export const refusedObjects = query<{ id: string }, RefusedObjects>({
  right: 'admin',
  run: async (ctx, { id }) => {
    const job = await importJob(ctx, { id })
    if (!job) throw notFound(['id'], 'No such import')
    const length = job.progress?.refusedBytes ?? 0
    return { format: job.format, length, pieces: refusedPieces(ctx.database, id, length) }
  },
})

/** The changes of prices that the check of a job found, by book, SKU and currency (job.check-tells-prices). */
export const importPriceChanges = query<{ id: string; offset: number; limit: number }, BookPriceChange[]>({
  right: 'admin',
  run: ({ database }, { id, ...page }) => priceChangesOf(database, id, page),
})

/** How many prices the check of a job found to change. */
export const importPriceChangeCount = query<{ id: string }, number>({
  right: 'admin',
  run: ({ database }, { id }) => countPriceChanges(database, id),
})
