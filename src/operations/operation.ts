/**
 * Operations: the one wrapper of every use case, which both edges, the import and the tests call.
 *
 * A command checks rights, then the idempotency key, what the ids name (404), the rules of the input (422) and
 * `ifUpdatedAt`, then it runs, with all writes in one transaction. A query checks rights, then it runs.
 */
import type { Viewer } from '../auth/viewer.ts'
import { assertValid, conflict, DomainError } from '../domain/input/errors.ts'
import type { ReadResult } from '../domain/input/reading.ts'
import type { Author } from '../persistence/database/change-log.ts'
import { translateFailure } from '../persistence/database/failures.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import { runIdempotent } from '../persistence/idempotency.ts'
import type { Context } from '../request/context.ts'

/**
 * Who may call an operation (right.shoppers-see-published-and-own): `account` is admins and shoppers whose token names
 * an account. Which records a viewer may see is decided where they are read.
 */
export type Right = 'admin' | 'account' | 'anyone'

/**
 * What an edge passes beside the input of a write: the client's guards (write.idempotency-key), and the name of the
 * write.
 */
export interface CommandOptions {
  /** 1 to 255 characters; scoped to the token's subject, role and account, and the operation. */
  readonly idempotencyKey?: string | null | undefined
  /** The `updatedAt` that the client saw last, in epoch milliseconds. */
  readonly ifUpdatedAt?: number | null | undefined
  /** The name that clients call the write by, for the change log; absent: that of the command. */
  readonly operation?: string
}

interface Updated {
  readonly updatedAt: number
}

/** The steps of a command. */
export interface CommandDefinition<Input, Value, Target, Result> {
  /** Unique; part of the scope of idempotency keys. */
  readonly name: string
  readonly right: Right
  /**
   * Whether the input, by itself, is allowed for the viewer; checked after `right`. What depends on records is checked
   * by `load`.
   */
  readonly isAllowed?: (viewer: Viewer, input: Input) => boolean
  /**
   * Pure: the typed value and every violation of the input. When it finds violations it runs again with the target,
   * since an update may omit or repeat what is stored.
   */
  readonly read: (input: Input, ctx: Context, target?: Target) => ReadResult<Value>
  /**
   * Loads what the ids of the input name and takes the locks that the rules need; throws notFound, also when the viewer
   * may not see the record. `run` receives the result, whose `updatedAt` is compared with `ifUpdatedAt`. It also runs
   * before a stored result is returned.
   */
  readonly load?: (tx: Transaction, input: Input, ctx: Context) => Promise<Target>
  readonly run: (tx: Transaction, value: Value, target: Target, ctx: Context) => Promise<Result>
  /** How a result is stored under an idempotency key, where some of it must not be. Absent: whole. */
  readonly kept?: KeptResult<Target, Result>
}

/** A result without what must not be stored a second time, and the whole one again, with that as it is now. */
export interface KeptResult<Target, Result> {
  readonly strip: (result: Result) => unknown
  readonly restore: (tx: Transaction, stored: Result, target: Target) => Promise<Result>
}

/**
 * A write as callers see it. With `tx` it joins an open transaction (imports, bulk calls). Throws DomainError or
 * Unavailable.
 */
export type Command<Input, Result> = (
  ctx: Context,
  input: Input,
  options?: CommandOptions,
  tx?: Transaction,
) => Promise<Result>

/**
 * Makes a command. Its results are plain JSON values, with instants in epoch milliseconds, since idempotency keys store
 * them.
 */
export function command<Input, Value, Target, Result>(
  definition: CommandDefinition<Input, Value, Target, Result>,
): Command<Input, Result> {
  const { name, right, isAllowed, read, load, run, kept } = definition
  return async (ctx, input, options = {}, outer) => {
    ctx.cachePolicy.doNotStore()
    assertRight(right, ctx.viewer)
    if (isAllowed?.(ctx.viewer, input) === false) throw new DomainError('forbidden', 'The token is for another account')
    const first = read(input, ctx)
    const isValid = first.violations.length === 0
    const loadTarget = async (tx: Transaction): Promise<Target> => (load ? load(tx, input, ctx) : (undefined as Target))
    const work = async (tx: Transaction): Promise<Result> => {
      const target = await loadTarget(tx)
      const { value, violations } = isValid ? first : read(input, ctx, target)
      assertValid(violations)
      assertNotStale((target as Updated | undefined)?.updatedAt, options.ifUpdatedAt, target)
      return run(tx, value as Value, target, ctx)
    }
    const key = options.idempotencyKey
    const whole = (tx: Transaction): Promise<Result> => {
      if (key == null) return work(tx)
      const call = {
        viewer: ctx.viewer,
        operation: name,
        key,
        input: isValid ? withValue(input, first.value) : input,
        now: ctx.now,
      }
      return runIdempotent(tx, call, () => work(tx), {
        strip: (result) => (kept ? kept.strip(result) : result),
        restore: async (stored) => {
          const target = await loadTarget(tx)
          return kept ? kept.restore(tx, stored, target) : stored
        },
      })
    }
    return outer ? whole(outer) : inTransaction(ctx.database, authorFor(ctx.viewer, options.operation ?? name), whole)
  }
}

/** The `read` of commands whose input has only ids. */
export function readNothing() {
  return { value: undefined, violations: [] }
}

/** The author in the change log of what an operation of the viewer writes. */
export function authorFor({ subject, role }: Viewer, operation: string): Author {
  return { subject, role, operation }
}

/** The input with the typed value in place of `data`, so that an idempotency key means the same at both edges. */
function withValue(input: unknown, value: unknown): object {
  return { ...(input as object), data: value }
}

/** Makes a query. A database that can't be reached throws Unavailable, as in a command. */
export function query<Input, Result>(definition: {
  readonly right: Right
  /**
   * Declares that `run` depends only on its input, releases, role, instant, currency and languages, and reports
   * anything else that it reads, such as a storefront, to the cache policy. Without it the response is not cached.
   */
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

/** Throws forbidden, naming the role or claim that the token lacks, unless the viewer has the right. */
export function assertRight(right: Right, viewer: Viewer): void {
  if (hasRight(right, viewer)) return
  throw new DomainError('forbidden', `The token lacks the ${right === 'admin' ? 'role admin' : 'claim account_id'}`)
}

/** Whether the viewer has a right. */
export function hasRight(right: Right, viewer: Viewer): boolean {
  return right === 'anyone' || viewer.role === 'admin' || (right === 'account' && viewer.accountId !== null)
}

/** Throws the conflict STALE, with the current record, when the record was changed since the client saw it. */
export function assertNotStale(
  updatedAt: number | undefined,
  ifUpdatedAt: number | null | undefined,
  current: unknown,
): void {
  if (ifUpdatedAt != null && updatedAt !== ifUpdatedAt)
    throw conflict('STALE', ['ifUpdatedAt'], 'the record has changed since', current)
}
