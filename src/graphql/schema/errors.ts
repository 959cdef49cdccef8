/**
 * GraphQL errors. Expected failures of a mutation become userErrors in its payload. Everything else becomes a top-level
 * error with extensions.code (graph.expected-failures-in-payload, graph.other-failures-at-top-level).
 */
import { GraphQLError, type Source, type SourceLocation } from 'graphql'
import { DomainError, segmentTexts, Unavailable, type Violation, violationCodes } from '../../domain/input/errors.ts'
import { reworded } from '../../domain/input/sentence.ts'
import type { ViolationParam } from '../../domain/input/violation-params.ts'
import { translateFailure } from '../../persistence/database/failures.ts'
import type { Context } from '../../request/context.ts'
import { WorkLimit } from '../../request/request-work.ts'
import { builder } from './builder.ts'
import { camelCase, type InputMembers, inputPath } from './graph-input.ts'
import { workLimitError } from './limit-error.ts'
import { wordEnum } from './word-enum.ts'

/** One violation in a mutation's payload; `path` leads into its input. */
export interface UserError {
  readonly code: Violation['code']
  readonly path: readonly string[]
  readonly message: string
  readonly params: readonly ViolationParam[]
}

const UserErrorCode = wordEnum(
  'UserErrorCode',
  'What rule a mutation broke. The REST facade returns the same words as `code`.',
  violationCodes,
)

const UserErrorParamRef = builder.objectRef<ViolationParam>('UserErrorParam').implement({
  description:
    'A limit, an allowed value or the name of an entry in `message`, for clients that say it in another language.',
  right: 'anyone',
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        '`min` or `max` for a limit, `allowed` for one of the allowed values, `key` for the name (in a list, the index) of an entry, such as a tier.',
    }),
    value: t.exposeString('value', { description: 'The limit, value or name, as text.' }),
  }),
})

export const UserErrorRef = builder.objectRef<UserError>('UserError').implement({
  description: 'One rule that a mutation broke.',
  right: 'anyone',
  fields: (t) => ({
    code: t.expose('code', { type: UserErrorCode, description: 'A stable word for programs.' }),
    path: t.exposeStringList('path', {
      description:
        'Where in `input`: names of members and indexes of lists, such as `["prices", "1", "price", "amount"]`. It ends at the first member that the input lacks.',
    }),
    message: t.exposeString('message', { description: 'A sentence for developers that says what is wrong at `path`.' }),
    params: t.expose('params', {
      type: [UserErrorParamRef],
      description:
        'The limits, allowed values and names of entries in `message`, in its order; empty when it has none.',
    }),
  }),
})

/** A mutation's input, which paths of userErrors lead into, and how its members are read. */
interface MutationInput {
  readonly input: unknown
  readonly members?: InputMembers | undefined
}

/** The userErrors of an expected failure; null for any other error, which belongs to the top level. */
export function userErrorsOf(error: unknown, given: MutationInput): UserError[] | null {
  if (!(error instanceof DomainError) || error.kind === 'unauthenticated' || error.kind === 'forbidden') return null
  return toUserErrors(error.violations, given)
}

/**
 * Violations as userErrors, in the graph's names. Without a mutation's input their paths already lead into arguments.
 */
export function toUserErrors(violations: readonly Violation[], given?: MutationInput): UserError[] {
  return violations.map((violation) => {
    const { code, path, subject, params = [] } = violation
    const message = reworded(violation, (name) => graphWords[name] ?? camelCase(name))
    return {
      code,
      path: given ? inputPath(path, given.input, given.members) : segmentTexts(path),
      message: subject === undefined ? message : `${message}: ${subject}`,
      params,
    }
  })
}

/** The graph's words for maps, which are lists of entries there. A key of a map has its own place in paths. */
const graphWords: Readonly<Record<string, string>> = { keys: 'entries', 'its key ': '' }

/** Messages that replace those of unexpected errors, and of a database or server that is unavailable. */
export const UNEXPECTED = 'Internal server error'
export const UNAVAILABLE = 'The service is not available at the moment'

/**
 * Masks the errors of a result for the client. An unexpected error is logged, once per cause, and replaced by a message
 * without details. A lost dependency, which may fail all fields, is logged once. Errors of compiled queries have their
 * locations only as line and column, so `text` is needed to restore their source.
 */
export function toClientErrors(
  errors: readonly GraphQLError[],
  ctx: Pick<Context, 'log' | 'requestId'>,
  text?: Source,
): GraphQLError[] {
  const logged = new Set<unknown>()
  let lossIsLogged = false
  const { requestId, log } = ctx
  return errors.map((error) => {
    const cause = rootOf(error)
    const failure = translateFailure(cause)
    if (isLost(failure) && !lossIsLogged) {
      log.error({ err: failure, requestId, path: error.path }, 'request failed')
      lossIsLogged = true
    }
    const clientError = expected(error, cause)
    if (clientError) return located(error, clientError, text)
    if (!logged.has(cause))
      log.error({ err: cause, requestId, path: error.path }, 'unexpected error in a GraphQL operation')
    logged.add(cause)
    return located(error, { message: UNEXPECTED, extensions: { code: 'INTERNAL_SERVER_ERROR' } }, text)
  })
}

/**
 * Whether a dependency failed, which the log must report. A passed deadline, a client that left and a shed request have
 * no cause.
 */
export function isLost(failure: unknown): failure is Unavailable {
  return failure instanceof Unavailable && failure.cause !== undefined
}

interface Shown {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

function expected(error: GraphQLError, cause: unknown): Shown | null {
  if (cause instanceof DomainError) return domainError(cause)
  if (cause instanceof WorkLimit) return workLimitError(cause)
  if (cause instanceof GraphQLError) return ofGraphQL(error, cause)
  return translateFailure(cause) instanceof Unavailable
    ? { message: UNAVAILABLE, extensions: { code: 'SERVICE_UNAVAILABLE' } }
    : null
}

/**
 * A GraphQL error. One in the request is the client's fault. Null for one in completing a value, which is the server's.
 */
function ofGraphQL({ message, path }: GraphQLError, cause: GraphQLError): Shown | null {
  // Errors of compiled queries have no extensions.
  const extensions = (cause.extensions as GraphQLError['extensions'] | undefined) ?? {}
  if (typeof extensions.code === 'string') return { message: cause.message, extensions }
  const ofRequest = path === undefined || /^(Argument|Variable) "/.test(cause.message)
  return ofRequest ? { message, extensions: { ...extensions, code: 'BAD_USER_INPUT' } } : null
}

/** A DomainError as a top-level error. The switch covers all kinds. */
export function domainError({ kind, message: sentence, violations }: DomainError): Shown {
  switch (kind) {
    case 'unauthenticated':
      return { message: sentence, extensions: { code: 'UNAUTHENTICATED' } }
    case 'forbidden':
      return { message: sentence, extensions: { code: 'FORBIDDEN' } }
    case 'badRequest':
    case 'validation':
    case 'notFound':
    case 'conflict': {
      const shown = violations.map(({ names, ...one }) => ({ ...one, path: segmentTexts(one.path) }))
      const message = shown.map((one) => [one.path.join('.'), one.message].filter(Boolean).join(': ')).join('; ')
      const isExpired = shown.some((one) => one.code === 'CURSOR_EXPIRED')
      return { message, extensions: { code: isExpired ? 'CURSOR_EXPIRED' : 'BAD_USER_INPUT', violations: shown } }
    }
  }
}

function located(error: GraphQLError, { message, extensions }: Shown, text?: Source): GraphQLError {
  const { nodes = null, path = null } = error
  const source = error.source ?? text ?? null
  const positions =
    error.positions ?? (text && !nodes ? error.locations?.map((at) => positionOf(text, at)) : null) ?? null
  return new GraphQLError(message, { nodes, source, positions, path, extensions })
}

function positionOf({ body }: Source, { line, column }: SourceLocation): number {
  const lineBreaks = [...body.matchAll(/\r\n|[\n\r]/g)]
  const before = lineBreaks[line - 2]
  return (before ? before.index + before[0].length : 0) + column - 1
}

function rootOf(error: GraphQLError): unknown {
  let cause: unknown = error
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError
  return cause
}
