/** How a subscription runs: its field's stream, and for each event the operation anew, as that moment shows it. */
import { createSourceEventStream, type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql'
import { type StreamEnd, StreamEnded } from '../../domain/changes/change.ts'
import { type Context, createContext } from '../../request/context.ts'
import { costOf } from './cost.ts'
import { type Execute, forClient, type Operation, refusalOf } from './executor.ts'

/** Characters of a request for a stream: it is held for as long as the stream is open, its document and variables several times over. */
export const STREAM_REQUEST_MAX = 16 * 1024

export type Subscribe = (operation: Operation, ctx: Context) => Promise<AsyncIterableIterator<ExecutionResult, void> | ExecutionResult>

export function createSubscribe(schema: GraphQLSchema, execute: Execute): Subscribe {
  return async (operation, ctx) => {
    const { document, operationName, variables } = operation
    const refusal = refusalAtStart(schema, operation, ctx)
    if (refusal) return { errors: [refusal] }
    const source = await createSourceEventStream({
      schema,
      document,
      contextValue: ctx,
      variableValues: variables ?? null,
      operationName: operationName ?? null,
    })
    if (!(Symbol.asyncIterator in source)) return forClient(source, ctx, document.loc?.source)
    return toResponseStream(source[Symbol.asyncIterator](), {
      event: (root) => execute({ ...operation, root }, freshContext(ctx)),
      failure: (error) => forClient({ errors: [toGraphQLError(error)] }, ctx, document.loc?.source),
    })
  }
}

/** What costs too much for one event is not begun. */
function refusalAtStart(schema: GraphQLSchema, { document, operationName, variables }: Operation, ctx: Context): GraphQLError | null {
  const operation = getOperationAST(document, operationName)
  const cost = operation && costOf(schema, document, operation)
  return cost ? refusalOf(cost, variables, ctx) : null
}

/** What was loaded for one event is old at the next. */
function freshContext(ctx: Context): Context {
  const { viewer, shopperHeaders, requestId, showCost = false, changes } = ctx
  // The event has a deadline's worth of nobody's patience, but the limits of any request.
  const deadline = { abortReason: null, exempt: false }
  return createContext(ctx, { viewer, shopperHeaders, requestId, showCost, deadline, now: changes?.now() ?? ctx.now })
}

interface StreamHandlers {
  readonly event: (root: unknown) => Promise<ExecutionResult> | ExecutionResult
  /** The last answer of a stream that ended otherwise than by its client's leave. */
  readonly failure: (error: unknown) => ExecutionResult
}

/** Not a generator, which would leave only after the next event. */
function toResponseStream(source: AsyncIterator<unknown>, handlers: StreamHandlers): AsyncIterableIterator<ExecutionResult, void> {
  let over = false
  const done = { done: true, value: undefined } as const
  const iterator: AsyncIterableIterator<ExecutionResult, void> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (over) return done
      try {
        const { done: ended, value } = await source.next()
        return ended ? done : { done: false, value: await handlers.event(value) }
      } catch (error) {
        over = true
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
  expired: ending('UNAUTHENTICATED', 'The token has ended: subscribe with a new one, `after` the last cursor'),
  behind: ending('TOO_SLOW', 'The events were not read as fast as they came: subscribe again `after` the last cursor'),
  stopping: ending('SERVICE_UNAVAILABLE', 'The server stops: subscribe again `after` the last cursor'),
}
