/**
 * First answers under an idempotency key (write.idempotency-key). SQL, since Prisma's upsert has no condition: a claim replaces an expired
 * one alone, and waits for another's transaction. Publishing has a connection of its own, without Prisma.
 */
import { createHash } from 'node:crypto'
import type { Viewer } from '../auth/viewer.ts'
import { conflict, DomainError, type Violation } from '../domain/input/errors.ts'
import { IDEMPOTENCY_KEY_MAX } from '../domain/input/limits.ts'
import { codePoints, isStorable } from '../domain/input/text.ts'
import type { Queryable } from './database/query.ts'
import type { Transaction } from './database/transaction.ts'

/** How long the first answer is kept. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000

/** One call under a key. The scope of the key is the viewer's subject, role and account, and the operation. */
export interface KeyedCall {
  readonly viewer: Viewer
  readonly operation: string
  readonly key: string
  readonly input: unknown
  readonly now: number
}

/**
 * Runs `work` once per key and scope. The claim is a row in the transaction of the write: of simultaneous calls one claims, the others
 * wait for it to commit and read its answer; a failed call leaves no claim. Another input under the key is a conflict. `assertReadable`
 * throws when the viewer may not have the stored answer now; it is asked before that is given.
 */
export async function runIdempotent<T>(
  tx: Transaction,
  call: KeyedCall,
  work: () => Promise<T>,
  assertReadable: () => Promise<unknown>,
): Promise<T> {
  const { id, input, now, expired } = claimOf(call)
  const claimed = await tx.$executeRaw`
    INSERT INTO idempotency_key (id, input, created_at) VALUES (${id}, ${input}, ${now})
    ON CONFLICT (id) DO UPDATE SET input = excluded.input, answer = NULL, created_at = excluded.created_at
    WHERE idempotency_key.created_at <= ${expired}`
  if (claimed === 0) {
    const first = firstAnswer(await tx.idempotencyKey.findUniqueOrThrow({ where: { id } }), input) as T
    await assertReadable()
    return first
  }
  const answer = await work()
  // As a text, since an answer may be large and Prisma copies JSON member by member.
  await tx.$executeRaw`UPDATE idempotency_key SET answer = ${JSON.stringify(answer)}::jsonb WHERE id = ${id}`
  return answer
}

/** The first answer for an operation that runs one at a time anyway and writes it itself (`storeResult`); undefined when there is none. */
export async function findStoredResult(on: Queryable, call: KeyedCall): Promise<unknown> {
  const { id, input, expired } = claimOf(call)
  const { rows } = await on.query('SELECT input, answer FROM idempotency_key WHERE id = $1 AND created_at > $2', [id, expired])
  const first = rows[0] as { input: string; answer: unknown } | undefined
  return first && firstAnswer(first, input)
}

/** Keeps an answer in the caller's transaction. */
export async function storeResult(on: Queryable, call: KeyedCall, answer: object): Promise<void> {
  const { id, input, now } = claimOf(call)
  const text = `
    INSERT INTO idempotency_key (id, input, answer, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET input = excluded.input, answer = excluded.answer, created_at = excluded.created_at`
  await on.query(text, [id, input, JSON.stringify(answer), now])
}

function claimOf({ viewer, operation, key, input, now }: KeyedCall) {
  const wrong = keyViolation(key)
  if (wrong) throw new DomainError('badRequest', [wrong])
  const id = digest([viewer.subject, viewer.role, viewer.accountId?.toLowerCase() ?? null, operation, key])
  return { id, input: digest(input), now: new Date(now), expired: new Date(now - IDEMPOTENCY_RETENTION_MS) }
}

function keyViolation(key: string): Violation | undefined {
  const path = ['idempotencyKey']
  if (!isStorable(key)) return { code: 'INVALID_TEXT', path, message: 'must not hold U+0000 or a lone surrogate' }
  const length = codePoints(key)
  if (length >= 1 && length <= IDEMPOTENCY_KEY_MAX) return undefined
  return { code: length < 1 ? 'TOO_SHORT' : 'TOO_LONG', path, message: `must be 1 to ${IDEMPOTENCY_KEY_MAX} characters` }
}

function firstAnswer(first: { readonly input: string; readonly answer: unknown }, input: string): unknown {
  if (first.input !== input) throw conflict('IDEMPOTENCY_MISMATCH', ['idempotencyKey'], 'the key was used with another input')
  return first.answer
}

/** The same for equal JSON values, whatever the order of members. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortedMembers)).digest('hex')
}

function sortedMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
