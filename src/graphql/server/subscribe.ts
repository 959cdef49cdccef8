/** GraphQL subscriptions: the root field's event stream, and one execution of the operation per event. */
import { createSourceEventStream, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { type StreamEnd, StreamEnded } from '../../domain/changes/change.ts'
import { type Context, createContext } from '../../request/context.ts'
import { costOf } from './cost.ts'
import { type Execute, forClient, refusalOf } from './executor.ts'
import { operationContext } from './in-context.ts'
import { findOperation, type Operation, type OperationRequest } from './operation.ts'

/** The longest request of a stream, in characters. It stays in memory, several times over, while the stream is open. */
export const STREAM_REQUEST_MAX = 16 * 1024

/** Starts a GraphQL subscription: its stream of results, or one result with errors. */
export type Subscribe = (
  request: OperationRequest,
  ctx: Context,
) => Promise<AsyncIterableIterator<ExecutionResult, void> | ExecutionResult>

/** Creates the function that runs GraphQL subscriptions; `execute` runs the operation of each event. */
export function createSubscribe(schema: GraphQLSchema, execute: Execute): Subscribe {
  return async (request, requestCtx) => {
    // Yoga calls it only for subscriptions, so the document has one.
    const operation = findOperation(request) as Operation
    const { document, definition, operationName = null, variables } = operation
    const ctx = operationContext(schema, operation, requestCtx)
    if (ctx instanceof GraphQLError) return forClient({ errors: [ctx] }, requestCtx, document.loc?.source)
    // An operation that costs too much for one event does not start.
    const refusal = refusalOf(costOf(schema, document, definition), variables, ctx)
    if (refusal) return { errors: [refusal] }
    const source = await createSourceEventStream({
      schema,
      document,
      contextValue: ctx,
      variableValues: variables,
      operationName,
    })
    if (!(Symbol.asyncIterator in source)) return forClient(source, ctx, document.loc?.source)
    return toResponseStream(source[Symbol.asyncIterator](), {
      event: (root) => execute({ ...request, root }, freshContext(requestCtx)),
      failure: (error) => forClient({ errors: [toGraphQLError(error)] }, ctx, document.loc?.source),
    })
  }
}

/** A new context for each event, since loaders cache what they loaded. */
function freshContext(ctx: Context): Context {
  const { viewer, shopperHeaders, requestId, showCost = false, changes } = ctx
  // An event has no time limit. The deadline object makes the limits of a request's work apply (createContext).
  const deadline = { abortReason: null, exempt: false }
  return createContext(ctx, { viewer, shopperHeaders, requestId, showCost, deadline, now: changes?.now() ?? ctx.now })
}

interface StreamHandlers {
  readonly event: (root: unknown) => Promise<ExecutionResult> | ExecutionResult
  /** The last result of a stream that failed. */
  readonly failure: (error: unknown) => ExecutionResult
}

/** Maps events to results. It is not an async generator, since the `return` of one would wait for the next event. */
function toResponseStream(
  source: AsyncIterator<unknown>,
  handlers: StreamHandlers,
): AsyncIterableIterator<ExecutionResult, void> {
  let over = false
  const done = { done: true, value: undefined } as const
  const iterator: AsyncIterableIterator<ExecutionResult, void> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (over) return done
      try {
        const { done: ended, value } = await source.next()
        if (ended) return done
        const result = await handlers.event(value)
        // An event with its cursor but without its record would let the client continue after a change that it has not
        // seen.
        if (result.errors?.some(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE'))
          throw new StreamEnded('unavailable')
        return { done: false, value: result }
      } catch (error) {
        over = true
        await source.return?.()
        return { done: false, value: handlers.failure(error) }
      }
    },
    return: async () => {
      over = true
      await source.return?.()
      return done
    },
  }
  return iterator
}

function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof StreamEnded) return endings[error.reason]()
  return new GraphQLError('the stream failed', { originalError: error as Error })
}

const ending = (code: string, message: string) => () => new GraphQLError(message, { extensions: { code } })

const endings: Readonly<Record<StreamEnd, () => GraphQLError>> = {
  expired: ending('UNAUTHENTICATED', 'The token has expired: subscribe with a new one, `after` the last cursor'),
  lagging: ending('TOO_SLOW', 'The events were not read as fast as they came: subscribe again `after` the last cursor'),
  unavailable: ending(
    'SERVICE_UNAVAILABLE',
    'The service is not available at the moment: subscribe again `after` the last cursor',
  ),
  stopping: ending('SERVICE_UNAVAILABLE', 'The server stops: subscribe again `after` the last cursor'),
}
