/** REST errors: the table of statuses, and the translation of errors to responses (http.fixed-statuses-and-titles). */
import { challengeOf } from '../../auth/invalid-token.ts'
import {
  DomainError,
  type DomainErrorKind,
  formatPath,
  prefixPaths,
  Unavailable,
  type Violation,
} from '../../domain/input/errors.ts'
import { WorkLimit } from '../../request/request-work.ts'

/** The title by HTTP status, and the code of a failure that breaks no rule. */
export const failures = {
  400: { title: 'Bad Request', code: 'BAD_REQUEST' },
  401: { title: 'Unauthorized', code: 'UNAUTHENTICATED' },
  403: { title: 'Forbidden', code: 'FORBIDDEN' },
  404: { title: 'Not Found', code: 'NOT_FOUND' },
  405: { title: 'Method Not Allowed', code: 'METHOD_NOT_ALLOWED' },
  408: { title: 'Request Timeout', code: 'REQUEST_TIMEOUT' },
  409: { title: 'Conflict', code: 'CONFLICT' },
  413: { title: 'Payload Too Large', code: 'PAYLOAD_TOO_LARGE' },
  415: { title: 'Unsupported Media Type', code: 'UNSUPPORTED_MEDIA_TYPE' },
  422: { title: 'Failed Validation', code: 'FAILED_VALIDATION' },
  429: { title: 'Too Many Requests', code: 'THROTTLED' },
  431: { title: 'Request Header Fields Too Large', code: 'REQUEST_HEADER_FIELDS_TOO_LARGE' },
  500: { title: 'Internal Server Error', code: 'INTERNAL_SERVER_ERROR' },
  503: { title: 'Service Unavailable', code: 'SERVICE_UNAVAILABLE' },
} as const

/** The HTTP statuses of failures. */
export type FailureStatus = keyof typeof failures

/** One element of `errors`. */
export interface ErrorElement {
  readonly title: string
  readonly status: string
  readonly detail: string
  readonly code: string
}

/** The response to a failed request. */
export interface Failure {
  readonly status: FailureStatus
  readonly body: { readonly errors: readonly ErrorElement[] }
  readonly headers?: Readonly<Record<string, string>>
}

/** Error of a request that fails at the HTTP level, outside of any operation. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'

  constructor(
    readonly status: FailureStatus,
    detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
  }
}

/**
 * Failure of a body that also has unknown members beside `data`. Its paths begin at the body, not at the operation's
 * input.
 */
export class BodyRefused extends DomainError {
  constructor(violations: readonly Violation[]) {
    super('validation', violations)
  }
}

/** A response with one error. */
export function failure(
  status: FailureStatus,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Failure {
  return { status, body: { errors: [element(status, detail, failures[status].code)] }, headers }
}

/**
 * The response for anything thrown. Null for an unexpected error, which the caller logs before it sends `unexpected`.
 * `root` is the path of the operation's input in the body: `['data']`, or [] where the body is not wrapped.
 */
export function failureOf(error: unknown, root: readonly string[] = ['data']): Failure | null {
  if (error instanceof HttpFailure) return failure(error.status, error.message, error.headers)
  if (error instanceof Unavailable) return unavailable
  if (error instanceof WorkLimit) return failure(400, `${error.message}: ask for a smaller page[limit]`)
  if (!(error instanceof DomainError)) return null
  const status = statuses[error.kind]
  if (status === 401) return failure(401, error.message, { 'WWW-Authenticate': challengeOf(error) })
  if (status === 403) return failure(403, error.message)
  const from = error instanceof BodyRefused ? [] : root
  return {
    status,
    body: {
      errors: error.violations.map((violation) => element(status, detail(status, violation, from), violation.code)),
    },
  }
}

/** 503, for an unavailable database and for an overloaded server. */
export const unavailable: Failure = failure(503, 'The service is not available at the moment, try again', {
  'Retry-After': '1',
})

/** 400, for a request without exactly one Host header (RFC 9112, 3.2). */
export const hostRefused: Failure = failure(400, 'The request must have one Host header')

/** 500, for all unexpected errors. */
export const unexpected: Failure = failure(500, 'An unexpected error occurred')

const statuses: Readonly<Record<DomainErrorKind, FailureStatus>> = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  validation: 422,
}

/**
 * The text of a violation. With 400 and 422 it begins with the path of the member; with 404 and 409 it is only the
 * message.
 */
function detail(status: FailureStatus, violation: Violation, root: readonly string[]): string {
  if (status === 422) return `${formatPath(prefixPaths(root, [violation])[0]?.path ?? root)}: ${violation.message}`
  if (status === 400)
    return `${violation.path[0] === 'idempotencyKey' ? 'Idempotency-Key' : formatPath(violation.path)}: ${violation.message}`
  return violation.message
}

function element(status: FailureStatus, text: string, code: string): ErrorElement {
  return { title: failures[status].title, status: String(status), detail: text, code }
}
