/** Errors of operations that exceed a limit: a code, the figure and the limit. */
import { GraphQLError } from 'graphql'
import type { WorkLimit } from '../../request/request-work.ts'

/** The refusal of what exceeds a limit. */
export function limitError(code: string, what: string, figure: number, limit: number): GraphQLError {
  return new GraphQLError(`${what} is ${figure}, at most ${limit} is allowed`, { extensions: { code, figure, limit } })
}

/** The error of what went past a limit while it ran. */
export function workLimitError({ subject, figure, limit }: WorkLimit): GraphQLError {
  return limitError('QUERY_TOO_COSTLY', subject, figure, limit)
}
