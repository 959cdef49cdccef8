/**
 * Idempotency keys: the stored result of the first call under a key (write.idempotency-key).
 *
 * SQL, since Prisma's upsert has no condition: a claim replaces only an expired one, and waits for the transaction of
 * another claim. Publishing uses a connection of its own, without Prisma.
 */
import { createHash } from 'node:crypto'
import type { Viewer } from '../auth/viewer.ts'
import { conflict, DomainError, type Violation } from '../domain/input/errors.ts'
import { DAY_MS } from '../domain/input/instant.ts'
import { IDEMPOTENCY_KEY_MAX } from '../domain/input/limits.ts'
import { codePoints, isStorable } from '../domain/input/text.ts'
import type { Database } from './database/database.ts'
import type { Queryable } from './database/query.ts'
import type { Transaction } from './database/transaction.ts'

/** Milliseconds for which a result is stored. */
export const IDEMPOTENCY_RETENTION_MS = DAY_MS
/**
 * Milliseconds for which an expired key stays: a running request, or a server whose clock is behind, may still find it.
 */
export const EXPIRED_KEPT_MS = 60 * 60 * 1000
/** Keys that one statement prunes at most. */
const PRUNED_AT_ONCE = 10_000

/**
 * One call under a key, which is scoped to the viewer's subject, role and account, and to the operation. `now` is epoch
 * milliseconds.
 */
export interface KeyedCall {
  readonly viewer: Viewer
  readonly operation: string
  readonly key: string
  readonly input: unknown
  readonly now: number
}

/**
 * Runs `work` once per key and scope, and returns its result or the stored one. The claim is a row in the transaction
 * of the write. Of simultaneous calls one claims the key; the others wait for its commit and read its result. A failed
 * call leaves no claim. Throws the conflict IDEMPOTENCY_MISMATCH for another input under the key. `strip` says what of
 * a result is stored, and `restore` makes it whole again; it throws when the viewer may not read it now. Two statements
 * beside those of the functions.
 */
export async function runIdempotent<T>(
  tx: Transaction,
  call: KeyedCall,
  work: () => Promise<T>,
  { strip, restore }: { readonly strip: (result: T) => unknown; readonly restore: (stored: T) => Promise<T> },
): Promise<T> {
  const { id, input, now, expired } = claimOf(call)
  const claimed = await tx.$executeRaw`
    INSERT INTO idempotency_key (id, input, created_at) VALUES (${id}, ${input}, ${now})
    ON CONFLICT (id) DO UPDATE SET input = excluded.input, answer = NULL, created_at = excluded.created_at
    WHERE idempotency_key.created_at <= ${expired}`
  if (claimed === 0) {
    return restore(storedResult(await tx.idempotencyKey.findUniqueOrThrow({ where: { id } }), input) as T)
  }
  const result = await work()
  // As a text, since a result may be large and Prisma copies JSON member by member.
  await tx.$executeRaw`UPDATE idempotency_key SET answer = ${JSON.stringify(strip(result))}::jsonb WHERE id = ${id}`
  return result
}

/**
 * The stored result of a call; undefined when there is none. For operations that run one at a time and store their
 * result themselves (`storeResult`). Throws IDEMPOTENCY_MISMATCH as `runIdempotent` does. One statement.
 */
export async function findStoredResult(on: Queryable, call: KeyedCall): Promise<unknown> {
  const { id, input, expired } = claimOf(call)
  const { rows } = await on.query(
    'SELECT input, answer AS result FROM idempotency_key WHERE id = $1 AND created_at > $2',
    [id, expired],
  )
  const stored = rows[0] as { input: string; result: unknown } | undefined
  return stored && storedResult(stored, input)
}

/** Stores the result of a call in the caller's transaction. One statement. */
export async function storeResult(on: Queryable, call: KeyedCall, result: object): Promise<void> {
  const { id, input, now } = claimOf(call)
  const text = `
    INSERT INTO idempotency_key (id, input, answer, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET input = excluded.input, answer = excluded.answer, created_at = excluded.created_at`
  await on.query(text, [id, input, JSON.stringify(result), now])
}

const prune = `
  DELETE FROM idempotency_key WHERE id IN (
    SELECT id FROM idempotency_key WHERE created_at <= $1 ORDER BY created_at LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING id`

/** Deletes keys that expired EXPIRED_KEPT_MS ago, with their results. A statement for every PRUNED_AT_ONCE of them. */
export async function pruneIdempotencyKeys(database: Database, now: number): Promise<void> {
  const expired = [new Date(now - IDEMPOTENCY_RETENTION_MS - EXPIRED_KEPT_MS)]
  while ((await database.query('idempotency-prune', prune, expired)).length === PRUNED_AT_ONCE);
}

function claimOf({ viewer, operation, key, input, now }: KeyedCall) {
  const violation = keyViolation(key)
  if (violation) throw new DomainError('badRequest', [violation])
  const id = digest([viewer.subject, viewer.role, viewer.accountId?.toLowerCase() ?? null, operation, key])
  return { id, input: digest(input), now: new Date(now), expired: new Date(now - IDEMPOTENCY_RETENTION_MS) }
}

function keyViolation(key: string): Violation | undefined {
  const path = ['idempotencyKey']
  if (!isStorable(key)) return { code: 'INVALID_TEXT', path, message: 'must not hold U+0000 or a lone surrogate' }
  const length = codePoints(key)
  if (length >= 1 && length <= IDEMPOTENCY_KEY_MAX) return undefined
  return {
    code: length < 1 ? 'TOO_SHORT' : 'TOO_LONG',
    path,
    message: `must be 1 to ${IDEMPOTENCY_KEY_MAX} characters`,
  }
}

function storedResult(stored: { readonly input: string; readonly result: unknown }, input: string): unknown {
  if (stored.input !== input)
    throw conflict('IDEMPOTENCY_MISMATCH', ['idempotencyKey'], 'the key was used with another input')
  return stored.result
}

/** A hash that is the same for equal JSON values, whatever the order of their members. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortedMembers)).digest('hex')
}

function sortedMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}
