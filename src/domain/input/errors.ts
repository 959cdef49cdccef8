/**
 * Error model of every operation (http.first-failure-wins, graph.expected-failures-in-payload).
 *
 * A rule never throws: it returns every violation, in the order of the fields. An operation throws one `DomainError`,
 * and each edge has one total switch over its kinds. Any other error is unexpected, and the edges mask it.
 */
import { type Sentence, toSentence } from './sentence.ts'
import { limitParams, type ViolationParam } from './violation-params.ts'

/**
 * A map key that a client chose (a currency code, a tier or sale name) as a path segment, distinct from a member's
 * name.
 */
export interface MapKey {
  readonly key: string
  /**
   * Set when the key is invalid, not its value. Edges that show a map as a list of entries then name the place of the
   * key.
   */
  readonly own?: true
}

/** One step of a path: a member's name in REST spelling, a client's map key, or an array index. */
export type PathSegment = string | MapKey | number

/** Where in an input a violation is, from the input's root. */
export type Path = readonly PathSegment[]

/**
 * A broken rule: a stable machine code, the path relative to the input, and a sentence for developers that completes
 * "path: ...".
 */
export interface Violation extends Sentence {
  readonly code: ViolationCode
  readonly path: Path
  /**
   * The stored value that the rule concerns, where REST has a fixed sentence (http.fixed-statuses-and-titles); GraphQL
   * appends it to the message.
   */
  readonly subject?: string
  /** The limits, allowed values and names in the sentence (graph.errors-carry-limits). REST shows only the sentence. */
  readonly params?: readonly ViolationParam[]
}

/** Every violation code that clients can receive, with its meaning; the GraphQL enum is made from it. */
export const violationCodes = {
  REQUIRED: 'A member that must be given is absent or null.',
  UNKNOWN_FIELD: 'The input has a member that it can not have; the message names the nearest one that it can.',
  INVALID_TYPE: 'The value has another JSON type than the field takes.',
  INVALID_FORMAT: 'The text is not of the required form (UUID, URI, email, date-time, currency code, slug).',
  INVALID_TEXT:
    'The text holds U+0000 or a lone surrogate, which cannot be stored; or it is a name that cannot be seen, or has white space or a control at an end.',
  INVALID_VALUE: 'The value is not one of those allowed.',
  TOO_SHORT: 'The text has fewer characters than allowed.',
  TOO_LONG: 'The text has more characters than allowed.',
  TOO_MANY: 'More entries than allowed.',
  OUT_OF_RANGE: 'The number is outside its range, or not an integer that can be kept exactly.',
  DUPLICATE: 'The same entry is given twice.',
  ID_MISMATCH: 'The id in the input differs from that of the record.',
  TIER_MINIMUM_QUANTITY: 'A tier has no minimum quantity of 1 or more.',
  TIER_CONFLICT: 'Two tiers of one currency have the same minimum quantity.',
  SALE_SCHEDULE_DUPLICATE: 'Two sales have exactly the same schedule.',
  SALE_SCHEDULE_REQUIRED: 'Of several sales each needs a schedule.',
  SALE_SCHEDULE_INVALID: 'The schedule does not end after it begins.',
  PRICE_EXISTS: 'The price book already has a price for the SKU.',
  EXTERNAL_REF_TAKEN: 'Another record of the same scope already has the external reference.',
  NAME_TAKEN: 'Another record of the same scope already has the name.',
  SKU_TAKEN: 'Another product already has the SKU.',
  SLUG_TAKEN: 'A sibling already has the slug.',
  ID_TAKEN: 'Another record already has the id.',
  PLAN_NOT_OFFERED: 'The plan does not belong to the offering.',
  PRODUCT_NOT_OFFERED: 'The subscription product does not belong to the offering.',
  NO_PRICE_IN_CURRENCY: 'A subscription product has no price in the currency; the message names both.',
  SCHEDULED_CHANGE:
    'A change of the kind is ahead of the subscription already; the message names it by its id and its instant.',
  ALREADY_SUBSCRIBED: 'The account has another subscription to the offering that has not ended.',
  NOT_FOUND: 'No such record, or none that the viewer may know of.',
  CYCLE: 'A node would become its own ancestor, or a bundle its own option.',
  INVALID_STRUCTURE: 'The parts of the value do not fit together (components, variations, parents, attachments).',
  IN_USE: 'Other records still refer to it; the message names them.',
  ACTION_REFUSED:
    'The state of the record, or the plan of a subscription, does not allow the action, or another server does not end its publish.',
  CURSOR_EXPIRED:
    'The release that the cursor is of is gone, or not the latest any more (lists of nodes), or the walk is older than 24 hours: begin again without it.',
  STALE:
    'The record changed after ifUpdatedAt, or a publish would show something else than fromDraft; the current one is in the payload.',
  SCHEDULES_CHANGED:
    'A publish would show what fromDraft shows, but carry it into other scheduled releases; the draft of now is in the payload.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used with another input.',
} as const

/** A machine code of a violation. */
export type ViolationCode = keyof typeof violationCodes

/**
 * The kind of a failure, as edges distinguish it. In REST `validation` is 422, `notFound` 404, `conflict` 409,
 * `badRequest` 400, `unauthenticated` 401, `forbidden` 403.
 */
export type DomainErrorKind = 'unauthenticated' | 'forbidden' | 'badRequest' | 'notFound' | 'validation' | 'conflict'

/** The maximum number of violations in a failure: every byte of a hostile input could break a rule. */
export const VIOLATIONS_MAX = 100

/** The first VIOLATIONS_MAX of `violations`; when there are more, the last message says how many. */
export function capViolations(violations: readonly Violation[]): readonly Violation[] {
  const more = violations.length - VIOLATIONS_MAX
  const last = violations[VIOLATIONS_MAX - 1]
  if (more <= 0 || !last) return violations
  return [...violations.slice(0, VIOLATIONS_MAX - 1), { ...last, message: `${last.message} (and ${more} more)` }]
}

/** Default messages of failures that have no violations. */
const refusals: Partial<Record<DomainErrorKind, string>> = {
  unauthenticated: 'A valid bearer token is needed',
  forbidden: 'The token does not give the right to do this',
}

/**
 * An expected failure of an operation. `violations` has at least one element for `validation`, `conflict`, `badRequest`
 * and `notFound`. For `unauthenticated` and `forbidden` the message is a sentence for the client that reveals nothing
 * it may not know.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly violations: readonly Violation[]

  constructor(
    readonly kind: DomainErrorKind,
    reason: readonly Violation[] | string = [],
    /** The stored entity, for a conflict that a client can resolve with it (write.if-updated-at). */
    readonly current?: unknown,
  ) {
    const shown = typeof reason === 'string' ? [] : capViolations(reason)
    const message = shown.map((violation) => `${formatPath(violation.path)}: ${violation.message}`).join('; ')
    super(typeof reason === 'string' ? reason : message || (refusals[kind] ?? kind))
    this.violations = shown
  }
}

/**
 * Failure because a dependency (the database, the key set) is unreachable or overloaded: REST 503, GraphQL
 * SERVICE_UNAVAILABLE.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/**
 * Failure because this server sheds load. Clients see the same as for `Unavailable`; operators need not examine single
 * cases.
 */
export class Overloaded extends Unavailable {}

/** Throws a `validation` failure with all of `violations`, if there are any. */
export function assertValid(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new DomainError('validation', violations)
}

/** A `badRequest` failure with one violation. */
export function badRequest(code: ViolationCode, path: Path, message: string): DomainError {
  return new DomainError('badRequest', [{ code, path, message }])
}

/** A `notFound` failure. `message` is a whole sentence, `No such ...`: REST shows it without the path. */
export function notFound(path: Path, message: string): DomainError {
  return new DomainError('notFound', [{ code: 'NOT_FOUND', path, message }])
}

/** A `validation` failure with TOO_MANY: the input together with what is stored exceeds a limit. */
export function tooMany(path: Path, message: string, max: number): DomainError {
  return new DomainError('validation', [{ code: 'TOO_MANY', path, message, params: limitParams(null, max) }])
}

/** A `conflict` failure with one violation; `current` is the stored entity. */
export function conflict(code: ViolationCode, path: Path, said: string | Sentence, current?: unknown): DomainError {
  return new DomainError('conflict', [{ code, path, ...toSentence(said) }], current)
}

/** A client's map key as a path segment. */
export function key(value: string): MapKey {
  return { key: value }
}

/** A client's map key as the segment of a violation of the key itself. */
export function ownKey(value: string): MapKey {
  return { key: value, own: true }
}

/** The segments of a path as texts: members, keys as the client wrote them, and indexes. */
export function segmentTexts(path: Path): string[] {
  return path.map((segment) => (typeof segment === 'object' ? segment.key : String(segment)))
}

/** The text of a path: its segments joined by dots. */
export function formatPath(path: Path): string {
  return segmentTexts(path).join('.')
}

/** `violations` without the first step of their paths. */
export function withoutStep(violations: readonly Violation[]): Violation[] {
  return violations.map((violation) => ({ ...violation, path: violation.path.slice(1) }))
}

/** `violations` with `prefix` in front of every path. */
export function prefixPaths(prefix: Path, violations: readonly Violation[]): Violation[] {
  return violations.map((violation) => ({ ...violation, path: [...prefix, ...violation.path] }))
}
