/**
 * The one wrapper of every use case (design law 5): rights, then the idempotency key, then what the ids name (404), then the input's
 * rules (422), then `ifUpdatedAt`, then the work; all writes in one transaction. Both edges, the import and the tests call what comes
 * out of here, so none of it is ever repeated.
 */
import type { Viewer } from '../auth/viewer.ts'
import { assertValid, conflict, DomainError, type Violation } from '../domain/input/errors.ts'
import { translateFailure } from '../persistence/database/failures.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import { runIdempotent } from '../persistence/idempotency.ts'
import type { Context } from '../request/context.ts'

/**
 * Who may call an operation (right.shoppers-see-published-and-own): `account` is admins and shoppers whose token names an account. What a
 * viewer may see of single records is decided where they are read.
 */
export type Right = 'admin' | 'account' | 'anyone'

/** What a client may send along with the input of a write (write.idempotency-key). */
export interface CommandOptions {
  /** 1 to 255 characters; scoped to the token's subject, role and account, and the operation. */
  readonly idempotencyKey?: string | null | undefined
  /** Epoch milliseconds of the `updatedAt` that the client last saw. */
  readonly ifUpdatedAt?: number | null | undefined
}

interface Updated {
  readonly updatedAt: number
}

export interface CommandDefinition<Input, Value, Target, Result> {
  /** Unique; part of the scope of idempotency keys. */
  readonly name: string
  readonly right: Right
  /** Of the input alone: whether it is the viewer's to ask for. Asked right after `right`, so also before a stored answer is given; what depends on records is asked by `load`. */
  readonly isAllowed?: (viewer: Viewer, input: Input) => boolean
  /** Pure: the typed value and every violation of the input. */
  readonly read: (input: Input, ctx: Context) => { value: Value | undefined; violations: readonly Violation[] }
  /**
   * The reading of an update that may give less because of what is stored; for input in which `read`, which takes nothing as stored, finds
   * something wrong.
   */
  readonly readWithStored?: (input: Input, target: Target, ctx: Context) => { value: Value | undefined; violations: readonly Violation[] }
  /**
   * Loads what the input's ids name and locks what siblings' rules need locked; throws notFound, also when the viewer may not know of it.
   * What it answers is handed to `run`; when it has `updatedAt`, that is what `ifUpdatedAt` speaks of. It is asked again before the stored
   * answer of an idempotency key is given.
   */
  readonly load?: (tx: Transaction, input: Input, ctx: Context) => Promise<Target>
  readonly run: (tx: Transaction, value: Value, target: Target, ctx: Context) => Promise<Result>
}

export type Command<Input, Result> = (ctx: Context, input: Input, options?: CommandOptions, tx?: Transaction) => Promise<Result>

/**
 * A write. With `tx` it joins a transaction that is already open (imports, bulk calls).
 * Answers and stored answers of idempotency keys are plain JSON values, so instants in results are epoch milliseconds.
 */
export function command<Input, Value, Target, Result>(definition: CommandDefinition<Input, Value, Target, Result>): Command<Input, Result> {
  const { name, right, isAllowed, read, readWithStored, load, run } = definition
  return async (ctx, input, options = {}, outer) => {
    ctx.cachePolicy.doNotStore()
    assertRight(right, ctx.viewer)
    if (isAllowed?.(ctx.viewer, input) === false) throw new DomainError('forbidden', 'The token is for another account')
    const first = read(input, ctx)
    const isSound = first.violations.length === 0
    const loadTarget = async (tx: Transaction): Promise<Target> => (load ? load(tx, input, ctx) : (undefined as Target))
    const work = async (tx: Transaction): Promise<Result> => {
      const target = await loadTarget(tx)
      const { value, violations } = isSound || !readWithStored ? first : readWithStored(input, target, ctx)
      assertValid(violations)
      assertNotStale((target as Updated | undefined)?.updatedAt, options.ifUpdatedAt, target)
      return run(tx, value as Value, target, ctx)
    }
    const key = options.idempotencyKey
    const whole = (tx: Transaction): Promise<Result> => {
      if (key == null) return work(tx)
      const call = { viewer: ctx.viewer, operation: name, key, input, now: ctx.now }
      return runIdempotent(
        tx,
        call,
        () => work(tx),
        () => loadTarget(tx),
      )
    }
    return outer ? whole(outer) : inTransaction(ctx.database, whole)
  }
}

/** A read: rights, then `run`. A database that is away is `Unavailable`, as in a write. */
export function query<Input, Result>(definition: {
  readonly name: string
  readonly right: Right
  /** `run` depends on its input, releases, role, instant, currency and languages alone, or reports to the cache policy what else it reads. */
  readonly reads?: 'releases'
  readonly run: (ctx: Context, input: Input) => Result | Promise<Result>
}): (ctx: Context, input: Input) => Promise<Result> {
  return async (ctx, input) => {
    if (definition.reads !== 'releases' || definition.right === 'account') ctx.cachePolicy.doNotStore()
    assertRight(definition.right, ctx.viewer)
    try {
      return await definition.run(ctx, input)
    } catch (error) {
      throw translateFailure(error)
    }
  }
}

/** Throws forbidden, naming what the token lacks, when the viewer may not. */
export function assertRight(right: Right, viewer: Viewer): void {
  if (hasRight(right, viewer)) return
  throw new DomainError('forbidden', `The token lacks the ${right === 'admin' ? 'role admin' : 'claim account_id'}`)
}

export function hasRight(right: Right, viewer: Viewer): boolean {
  return right === 'anyone' || viewer.role === 'admin' || (right === 'account' && viewer.accountId !== null)
}

/** Throws the conflict that shows the current record when it has moved on. */
export function assertNotStale(updatedAt: number | undefined, ifUpdatedAt: number | null | undefined, current: unknown): void {
  if (ifUpdatedAt != null && updatedAt !== ifUpdatedAt) throw conflict('STALE', ['ifUpdatedAt'], 'the record has changed since', current)
}
