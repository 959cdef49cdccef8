/** Errors for exceeded limits: a code, the figure and the limit. */
import { GraphQLError } from 'graphql'
import type { WorkLimit } from '../../request/request-work.ts'

/** The error of a request that exceeds a limit. `what` begins its message. */
export function limitError(code: string, what: string, figure: number, limit: number): GraphQLError {
  return new GraphQLError(`${what} is ${figure}, at most ${limit} is allowed`, { extensions: { code, figure, limit } })
}

/** The error of an operation that exceeded a limit while it ran. */
export function workLimitError({ subject, figure, limit }: WorkLimit): GraphQLError {
  return limitError('QUERY_TOO_COSTLY', subject, figure, limit)
}
