/**
 * Import runner: runs the jobs that administrators started, on every server, but one at a time in all of them.
 *
 * It looks for a job every POLL_MS. The database knows which job is whose (persistence/imports/import-lease.ts), so any
 * server may be killed: another one goes on where the last batch ended.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { JOB_DAYS } from '../../domain/imports/import-job.ts'
import { Unavailable } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { importJob } from '../../import/job.ts'
import { JobRefused } from '../../import/job-refused.ts'
import { Poller } from '../../lib/poller.ts'
import { translateFailure } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import {
  ATTEMPTS_MAX,
  failRun,
  hasWaitingJob,
  type JobRun,
  type LeasedJob,
  RunEnded,
  releaseJob,
  renewLease,
  takeJob,
} from '../../persistence/imports/import-lease.ts'
import { removeOldJobs } from '../../persistence/imports/import-upload.ts'
import type { Services } from '../../request/context.ts'

/** Milliseconds after which a started job is noticed. */
const POLL_MS = 1_000
/** Milliseconds between two renewals of a lease: a third of it may pass without one. */
const RENEW_MS = 5_000
/** Milliseconds between two removals of old jobs and broken uploads. */
const REMOVE_MS = 60_000
/** Milliseconds for which a stop waits for the batch that is being written. */
const STOP_MS = 5_000

/** Why a job has failed whose error is not for clients; the log has it. */
const UNEXPECTED = 'An unexpected error occurred'
const TOO_OFTEN = 'Its servers ended again and again while they ran it'

/** The reason of a run that ends because its server stops. */
class Stopping extends Error {
  override readonly name = 'Stopping'
}

/** The runner of one process. */
export class ImportRunner {
  private readonly stopping = new AbortController()
  private readonly poller: Poller
  private removedAt = Number.NEGATIVE_INFINITY

  /** `clock` returns epoch milliseconds. */
  constructor(
    private readonly services: Services,
    private readonly clock: () => number,
  ) {
    this.poller = new Poller({
      run: () => this.pollOnce(),
      everyMs: POLL_MS,
      onFailure: (error) => services.log.warn({ err: error }, 'could not run the jobs of imports'),
    })
  }

  /** Begins to look for jobs. */
  start(): void {
    this.poller.poll()
  }

  /** Takes no further job, and gives back the one that runs when its batch is written: another server goes on. */
  async stop(): Promise<void> {
    this.stopping.abort(new Stopping('the server stops'))
    await Promise.race([this.poller.stop(), pause(STOP_MS, undefined, { ref: false })])
  }

  /** Runs the next job, if there is one, and returns when the next look is due. */
  private async pollOnce(): Promise<number | undefined> {
    const { database } = this.services
    await this.removeOld()
    if (this.stopping.signal.aborted || !(await hasWaitingJob(database))) return undefined
    const leaseId = newId()
    const job = await takeJob(database, leaseId)
    if (!job) return undefined
    await this.run(job, { jobId: job.id, leaseId })
    return 0
  }

  /** Removes old jobs and broken uploads, unless it was done just now; also while a job runs, which may take hours. */
  private async removeOld(): Promise<void> {
    if (performance.now() - this.removedAt < REMOVE_MS) return
    this.removedAt = performance.now()
    await removeOldJobs(this.services.database, this.clock() - JOB_DAYS * DAY_MS)
  }

  private async run(job: LeasedJob, run: JobRun): Promise<void> {
    const { database, log } = this.services
    const ended = new AbortController()
    const renew = async (): Promise<void> => {
      if (!(await renewLease(database, run))) ended.abort(new RunEnded('the job is of another run, or was canceled'))
    }
    const tick = (): void => {
      // A lease that could not be renewed ends by itself.
      renew().catch(() => undefined)
      this.removeOld().catch((error) => log.warn({ err: error }, 'could not remove old imports'))
    }
    const timer = setInterval(tick, RENEW_MS).unref()
    const details = { job: job.id, attempt: job.attempts }
    try {
      // A job that ends each process that runs it would do so for ever.
      if (job.attempts > ATTEMPTS_MAX) return await failRun(database, run, TOO_OFTEN)
      log.info(details, 'an import runs')
      await importJob(this.services, job, run.leaseId, AbortSignal.any([ended.signal, this.stopping.signal]))
      log.info(details, 'an import has ended')
    } catch (error) {
      await this.handle(error, job, run)
    } finally {
      clearInterval(timer)
    }
  }

  private async handle(error: unknown, job: LeasedJob, run: JobRun): Promise<void> {
    const { database, log } = this.services
    if (error instanceof RunEnded) return
    if (error instanceof Stopping) return releaseJob(database, run)
    log.error({ job: job.id, attempt: job.attempts, err: error }, 'an import failed')
    // What may be over soon is tried again, when the lease ends.
    if (translateFailure(error) instanceof Unavailable && job.attempts < ATTEMPTS_MAX) return
    await failRun(database, run, error instanceof JobRefused ? error.message : UNEXPECTED)
  }
}
