/** Import jobs: files that administrators send, and that a server then imports (job.states-in-order). */
import { conflict } from '../input/errors.ts'
import type { StoredRecord } from '../input/patch.ts'

/** What a job is doing; `checking` and `running` also while it waits for those that were started before it. */
export const jobStates = [
  ...(['uploading', 'uploaded', 'checking', 'checked'] as const),
  ...(['running', 'done', 'failed', 'canceled'] as const),
] as const
export type JobState = (typeof jobStates)[number]

/** What a file holds: JSON objects, or the rows of a sheet. */
export const jobFormats = ['json', 'csv', 'xlsx'] as const
export type JobFormat = (typeof jobFormats)[number]

/** How a file is imported; absent members are as on the command line. */
export interface JobOptions {
  /** What happens at a refused object: the import ends, or goes on with the next. */
  readonly onError: 'stop' | 'skip'
  readonly ignoreUnknown: boolean
  /** Whether catalogs are published although objects before their release were refused. */
  readonly publishAnyway?: boolean
  /** What the rows of a sheet are. */
  readonly type?: string
  /** The price book of prices in a sheet, by name or id. */
  readonly book?: string
  /** The decimal mark of a sheet. */
  readonly decimal?: '.' | ','
}

/** The number of objects of a type by outcome. */
export interface JobCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
}

/** How far a job or its check is, as the last batch stored it. */
export interface JobProgress {
  readonly counts: Readonly<Record<string, JobCounts>>
  /** Unknown members that were left out, with their number. */
  readonly ignored?: Readonly<Record<string, number>>
  /** Bytes of the file of refused objects. */
  readonly refusedBytes: number
}

/** A stored job. */
export interface ImportJob extends StoredRecord {
  /** The subject of the token that sent the file. */
  readonly author: string
  readonly fileName: string
  readonly format: JobFormat
  /** Whether the file was sent compressed. */
  readonly gzipped: boolean
  readonly options: JobOptions
  readonly state: JobState
  /** Bytes of the file as it was sent. */
  readonly bytes: number
  /** Why it failed, or why it would or its check did. */
  readonly failure: string | null
  readonly progress: JobProgress | null
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Bytes of a stored piece of a file. */
export const CHUNK_BYTES = 1024 * 1024
/** Jobs that have not ended, of a store at once. */
export const OPEN_JOBS_MAX = 20
/** Days for which a job is kept. */
export const JOB_DAYS = 30
/** How many times larger than what may be sent a file may be when it is unpacked. */
export const UNPACKED_FACTOR = 10
/** How many times larger than what may be sent the file of refused objects may become (job.refused-as-a-file). */
export const REFUSED_FACTOR = 10

/** The number of objects with one of the outcomes, of all types together. */
export function countOf({ progress }: ImportJob, kinds: readonly (keyof JobCounts)[]): number {
  const all = Object.values(progress?.counts ?? {})
  return all.reduce((sum, counts) => sum + kinds.reduce((of, kind) => of + counts[kind], 0), 0)
}

/** Throws the conflict ACTION_REFUSED unless the job is in one of the states (job.states-in-order). */
export function assertState(job: ImportJob, allowed: readonly JobState[]): void {
  if (allowed.includes(job.state)) return
  const words: Readonly<Record<JobState, string>> = {
    uploading: 'its file is still on its way',
    uploaded: 'it was not started',
    checking: 'it is being checked',
    checked: 'it was checked',
    running: 'it was started already',
    done: 'it is done',
    failed: 'it has failed',
    canceled: 'it was canceled',
  }
  throw conflict('ACTION_REFUSED', ['id'], words[job.state], job)
}
