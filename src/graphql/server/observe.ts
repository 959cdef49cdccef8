/** What the metrics and the log know of a GraphQL request: the operation that it ran, and its errors. */
import { createHash } from 'node:crypto'
import { type DocumentNode, type ExecutionArgs, GraphQLError, getOperationAST, Kind, print, visit } from 'graphql'
import { maskError, type Plugin } from 'graphql-yoga'
import type { Logger } from '../../lib/log.ts'
import type { RequestInfo } from '../../request/request-info.ts'

/** Codes of errors that are the server's fault. */
const serverErrors: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])

/** The errors that Yoga masked, by what took their place: Yoga's own log does not know the request. */
const masked = new WeakMap<Error, unknown>()

/** Masks an error that Yoga met outside of the execution; the plugin logs it. */
export function maskUnexpected(error: unknown, message: string): Error {
  const shown = maskError(error, message, false)
  if (shown !== error) masked.set(shown, error)
  return shown
}

/** Plugin that fills in `requestInfo` of the server context, and logs unexpected errors with the id of their request. */
export function useRequestInfo(log: Logger): Plugin<object, { readonly requestInfo: RequestInfo }> {
  const run = ({ args }: { args: Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue'> }): void => {
    const { requestInfo } = args.contextValue as { readonly requestInfo: RequestInfo }
    requestInfo.operation = getOperationAST(args.document, args.operationName)?.name?.value ?? ''
    requestInfo.document = () => describe(args.document)
  }
  return {
    // Only what is valid and runs, so that what names there are is not for everyone to fill up.
    onExecute: run,
    onSubscribe: run,
    onResultProcess({ result, serverContext: { requestInfo } }) {
      const errors = 'errors' in result && result.errors ? result.errors : []
      if (errors.length === 0) return
      const isOurs = errors.some((error) => error instanceof GraphQLError && serverErrors.has(error.extensions.code))
      requestInfo.graphqlErrors = isOurs ? 'server_error' : 'client_error'
      for (const error of errors)
        if (masked.has(error)) log.error({ err: masked.get(error), requestId: requestInfo.id }, 'unexpected error in GraphQL')
    },
  }
}

/** The SHA-256 of the text, by which documents are persisted, and the text without its literals, which may be personal data. */
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
