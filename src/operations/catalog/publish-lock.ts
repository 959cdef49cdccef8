/** Publish lock and retries of all operations that write releases. */
import type pg from 'pg'
import { conflict } from '../../domain/input/errors.ts'
import { LOCK_WAIT_MS, withPublishLock } from '../../persistence/catalog/publish/lock.ts'
import { isLockTimeout, isTransient, translateFailure } from '../../persistence/database/failures.ts'
import type { Context } from '../../request/context.ts'
import { assertRight } from '../operation.ts'

/** Attempts of a publish when its catalog is changed meanwhile. */
const ATTEMPTS = 3

/**
 * What an administrator can do when other servers keep the lock: they publish without a pause, or one of them hangs.
 */
const LOCK_KEPT = `another server has been publishing for ${LOCK_WAIT_MS / 60_000} minutes: try again later, or restart that server if it hangs`

/**
 * Waits for the publish lock and runs an administrator's `work` under it. This server sees the result at once. Throws
 * the conflict ACTION_REFUSED when another server keeps the lock.
 */
export async function publishLocked<T>(ctx: Context, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  assertRight('admin', ctx.viewer)
  // It goes on when its client leaves or its deadline passes, since another attempt would begin anew.
  if (ctx.deadline) ctx.deadline.exempt = true
  try {
    return await withPublishLock(ctx.database, work)
  } catch (error) {
    throw isLockTimeout(error) ? conflict('ACTION_REFUSED', [], LOCK_KEPT) : translateFailure(error)
  } finally {
    ctx.releases.invalidate()
  }
}

/**
 * Runs `work`, a transaction, and repeats it when the catalog was changed between the lock and the snapshot. Makes
 * ATTEMPTS attempts at most.
 */
export async function retryPublish<T>(ctx: Context, releaseId: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS) throw error
      ctx.log.info(
        { requestId: ctx.requestId, release: releaseId, attempt },
        'publish starts again: the catalog was changed meanwhile',
      )
    }
  }
}
