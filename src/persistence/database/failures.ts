/** Database failures: the one place that translates what PostgreSQL, pg and Prisma throw into errors of the domain. */
import { conflict, DomainError, type Path, Unavailable, type ViolationCode } from '../../domain/input/errors.ts'
import { named, type Sentence, sentence } from '../../domain/input/sentence.ts'

/** Unique constraints by name, and the violation that a client receives for each. */
const uniqueGuards: Readonly<Record<string, readonly [ViolationCode, Path, string | Sentence]>> = {
  price_book_name_key: ['NAME_TAKEN', ['attributes', 'name'], 'A price book with the name already exists'],
  price_book_external_ref_key: [
    'EXTERNAL_REF_TAKEN',
    ['attributes', 'external_ref'],
    sentence`A price book with the ${named('external_ref')} already exists`,
  ],
  product_price_price_book_id_sku_key: ['PRICE_EXISTS', ['attributes', 'sku'], 'The price already exists'],
  product_price_price_book_id_external_ref_key: [
    'EXTERNAL_REF_TAKEN',
    ['attributes', 'external_ref'],
    sentence`A price with the ${named('external_ref')} already exists in the price book`,
  ],
  price_modifier_price_book_id_name_key: [
    'NAME_TAKEN',
    ['attributes', 'name'],
    'A modifier with the name already exists in the price book',
  ],
  product_sku_key: ['SKU_TAKEN', ['attributes', 'sku'], 'A product with the SKU already exists'],
  label_kind_key_key: ['NAME_TAKEN', ['attributes', 'key'], 'A label of the kind with the key already exists'],
  catalog_node_parent_id_name_key: ['NAME_TAKEN', ['attributes', 'name'], 'A sibling with the name already exists'],
  catalog_node_parent_id_slug_key: ['SLUG_TAKEN', ['attributes', 'slug'], 'A sibling with the slug already exists'],
  sale_product_price_id_name_key: ['NAME_TAKEN', ['attributes', 'sales'], 'A sale with the name already exists'],
  sale_product_price_id_schedule_key: [
    'SALE_SCHEDULE_DUPLICATE',
    ['attributes', 'sales'],
    'Another sale already has the schedule',
  ],
}

/**
 * A unique constraint that another transaction's commit violates after this one has read: it can be retried from the
 * start.
 */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
}

/** Whether the transaction can be retried from the start: a serialization failure, a deadlock or a WriteConflict. */
export function isTransient(error: unknown): boolean {
  return error instanceof WriteConflict || ['40001', '40P01'].includes(sqlState(error) ?? '')
}

/** Whether a unique constraint refused a statement. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** Whether a lock was not granted within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Throws the translated failure, for `catch` of a promise. */
export function throwTranslated(error: unknown): never {
  throw translateFailure(error)
}

/**
 * Translates a failure: a conflict for a known unique constraint; Unavailable for a database that can't be reached, or
 * when other transactions conflicted with each attempt (http.lost-database-is-unavailable); otherwise the error itself.
 */
export function translateFailure(error: unknown): unknown {
  if (error instanceof DomainError || error instanceof Unavailable) return error
  if (isUniqueViolation(error)) {
    const constraint = constraintName(error)
    const guard = uniqueGuards[constraint]
    if (guard) return conflict(...guard)
    if (constraint.endsWith('_pkey')) return conflict('ID_TAKEN', ['id'], 'A record with the id already exists')
    // A constraint that `uniqueGuards` lacks is a mistake of this program, even in a WriteConflict: trying again would
    // not help.
    return error
  }
  if (isTransient(error))
    return new Unavailable('other writers changed the same rows at each attempt, try again', { cause: error })
  return isUnavailable(error) ? new Unavailable('the database is not available', { cause: error }) : error
}

/** A standby refuses writes. The connection leads to a server that is no longer the primary. */
export const READ_ONLY = '25006'

/**
 * A lost or refused connection, a shutdown, a server that is not the primary or has no resources left, a wait past its
 * timeout (for a lock too).
 */
function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  return (
    (state !== undefined && /^(08|25006|25P0[34]|53|55P03|57014|57P)/.test(state)) ||
    [...layers(error)].some(isConnectionLoss)
  )
}

/** Failures of connections that have no SQL state. */
function isConnectionLoss({ code, kind, message }: Failure): boolean {
  return (
    // The operating system's codes, such as ECONNREFUSED, and Prisma's for transactions that could not begin or took
    // too long.
    (typeof code === 'string' && /^(E(?!RR_)[A-Z_]+|P2028)$/.test(code)) ||
    // Prisma's adapter reduces an error of the operating system to a kind, and throws it without a code for a failed
    // COMMIT.
    ['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'].includes(String(kind)) ||
    // pg's own errors have only a message.
    /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable|Cannot use a pool after calling end)/.test(
      String(message),
    )
  )
}

interface Failure {
  readonly code?: unknown
  readonly kind?: unknown
  readonly constraint?: unknown
  readonly message?: unknown
  readonly originalCode?: unknown
  readonly cause?: unknown
  readonly meta?: { readonly driverAdapterError?: unknown }
}

/** The error and its causes: pg's error, or Prisma's around the adapter's around pg's. */
function* layers(error: unknown): Generator<Failure> {
  for (let depth = 0, at = error; depth < 6 && typeof at === 'object' && at !== null; depth++) {
    const failure = at as Failure
    yield failure
    at = failure.meta?.driverAdapterError ?? failure.cause
  }
}

function sqlState(error: unknown): string | undefined {
  for (const { originalCode, code } of layers(error)) {
    if (typeof originalCode === 'string') return originalCode
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code
  }
  return undefined
}

function constraintName(error: unknown): string {
  for (const { constraint } of layers(error)) {
    // pg's error has the name, the adapter's an object with it.
    const name = typeof constraint === 'object' ? (constraint as { index?: unknown } | null)?.index : constraint
    if (typeof name === 'string') return name
  }
  return ''
}
