/** Observation of GraphQL requests: the operation and errors of a request, for metrics, log and traces. */
import { createHash } from 'node:crypto'
import { type DocumentNode, type ExecutionArgs, GraphQLError, getOperationAST, Kind, print, visit } from 'graphql'
import { maskError, type Plugin } from 'graphql-yoga'
import type { Logger } from '../../lib/log.ts'
import type { RequestInfo } from '../../request/request-info.ts'

/** Codes of errors that are the server's fault. */
const serverErrors: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])

/** The original errors by the masked ones that Yoga sends: Yoga's own log does not know the request. */
const masked = new WeakMap<Error, unknown>()

/** Masks an error that Yoga met outside of the execution; the plugin logs it. */
export function maskUnexpected(error: unknown, message: string): Error {
  const shown = maskError(error, message, false)
  if (shown !== error) masked.set(shown, error)
  return shown
}

/**
 * Plugin that fills in `requestInfo` of the server context, runs operations in a span of its trace, and logs unexpected
 * errors with the id of their request. It comes after the plugins that set which function runs an operation.
 */
export function useRequestInfo(log: Logger): Plugin<object, { readonly requestInfo: RequestInfo }> {
  return {
    // Only valid operations that run are noted, so that a client can't fill the metrics with names.
    onExecute({ args, executeFn, setExecuteFn }) {
      const traced = describeOperation(args)
      if (traced) setExecuteFn((given) => traced(() => executeFn(given)))
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const traced = describeOperation(args)
      if (traced) setSubscribeFn((given) => traced(() => subscribeFn(given)))
    },
    onResultProcess({ result, serverContext: { requestInfo } }) {
      const errors = errorsOf(result)
      if (errors.length === 0) return
      requestInfo.graphqlErrors = isServerError(result) ? 'server_error' : 'client_error'
      for (const error of errors)
        if (masked.has(error))
          log.error({ err: masked.get(error), requestId: requestInfo.id }, 'unexpected error in GraphQL')
    },
  }
}

/** Notes the operation in `requestInfo`. While traces are on, returns a function that runs it in a span. */
function describeOperation({
  document,
  operationName,
  contextValue,
}: Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue'>) {
  const { requestInfo } = contextValue as { readonly requestInfo: RequestInfo }
  const operation = getOperationAST(document, operationName)
  const name = operation?.name?.value ?? ''
  requestInfo.operation = name
  requestInfo.document = () => describe(document)
  const { trace } = requestInfo
  return (
    trace &&
    operation &&
    (<T>(run: () => Promise<T> | T): Promise<T> => trace.operation(operation.operation, name, run, isServerError))
  )
}

function errorsOf(result: unknown): readonly Error[] {
  const { errors } = (result ?? {}) as { readonly errors?: readonly Error[] }
  return errors ?? []
}

/** Whether one of the errors of a result is the server's fault. */
function isServerError(result: unknown): boolean {
  return errorsOf(result).some((error) => error instanceof GraphQLError && serverErrors.has(error.extensions.code))
}

/**
 * The SHA-256 of the text, by which documents are persisted, and the text without its literals, which may be personal
 * data.
 */
function describe(document: DocumentNode): { hash: string; text: string } {
  const hash = createHash('sha256')
    .update(document.loc?.source.body ?? '')
    .digest('hex')
  const text = print(
    visit(document, {
      [Kind.STRING]: (node) => ({ ...node, value: '', block: false }),
      [Kind.INT]: (node) => ({ ...node, value: '0' }),
      [Kind.FLOAT]: (node) => ({ ...node, value: '0' }),
    }),
  )
  return { hash, text }
}
