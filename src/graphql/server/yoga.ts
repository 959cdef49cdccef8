/** GraphQL Yoga's configuration, with this server's executor, limits, caching and subscriptions as plugins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga'
import { Unavailable } from '../../domain/input/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Context } from '../../request/context.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import { type CachedExchange, NO_STORE } from '../../response-cache/http-caching.ts'
import { UNAVAILABLE, UNEXPECTED } from '../schema/errors.ts'
import { limitError } from '../schema/limit-error.ts'
import { createDocumentCache } from './document-cache.ts'
import { useDocumentLimits } from './document-limits.ts'
import type { Execute } from './executor.ts'
import { isNothingDone } from './nothing-done.ts'
import { maskUnexpected, useRequestInfo } from './observe.ts'
import { OpenStreams, type StreamLimits } from './open-streams.ts'
import { acceptedTypes, STREAM_TYPE } from './respond.ts'
import { useRootConditions } from './root-conditions.ts'
import { createSubscribe, STREAM_REQUEST_MAX, type Subscribe } from './subscribe.ts'
import { useSuggestions } from './suggestions.ts'

/** Server context of Yoga: what the handler passes besides the request. */
export interface YogaInput {
  readonly commerce: Context
  /** The parameters, read from the body or the query string. */
  readonly params: unknown
  /** Characters of the body or the target, which stay in memory as long as a stream is open. */
  readonly length: number
  /** Stores and sends the response if it is cacheable; absent: it is not. */
  readonly exchange?: CachedExchange | undefined
  /** The plugins write the operation and its errors here, for the metrics and the log. */
  readonly requestInfo: RequestInfo
}

interface YogaOptions {
  readonly log: Logger
  readonly production: boolean
  readonly streams?: Partial<StreamLimits> | undefined
}

export function createGraphqlYoga(schema: GraphQLSchema, execute: Execute, options: YogaOptions) {
  const quiet = () => undefined
  return createYoga<YogaInput>({
    schema,
    graphqlEndpoint: '/graphql',
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    // The handler has read the body within its limit.
    maxRequestBodySize: false,
    logging: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      // useRequestInfo logs them, with the request's id.
      error: quiet,
    },
    maskedErrors: { errorMessage: UNEXPECTED, isDev: false, maskError: maskUnexpected },
    parserAndValidationCache: {
      documentCache: createDocumentCache(),
      errorCache: { get: quiet, set: quiet },
      validationCache: true,
    },
    plugins: [
      useReadParams(),
      useRequestErrors(),
      useCaching(),
      useRootConditions(),
      useDocumentLimits(),
      useExecute(execute),
      useSubscribe(createSubscribe(schema, execute), new OpenStreams(options.streams)),
      useRequestInfo(options.log),
      useSuggestions(schema, options.production),
    ],
  })
}

/** Replaces Yoga's request parser by the parameters that the handler has read. */
function useReadParams(): Plugin<object, YogaInput> {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET' || request.method === 'POST') setRequestParser(() => serverContext.params as never)
    },
  }
}

/**
 * Corrects Yoga's errors: the code for a wrong method and, for application/json, the status 200 for a request without a
 * query.
 */
function useRequestErrors(): Plugin {
  return {
    onResultProcess({ result }) {
      const errors = ('errors' in result && result.errors) || []
      for (const { extensions } of errors) {
        if (extensions.http?.status === 405) extensions.code = 'METHOD_NOT_ALLOWED'
        if (extensions.http && extensions.code === 'BAD_REQUEST') extensions.http.spec = false
      }
    },
  }
}

/**
 * Response caching: results without errors are stored if their cache policy allows it; all other responses are
 * `no-store`.
 */
function useCaching(): Plugin<object, YogaInput> {
  return {
    onResultProcess({ result, serverContext: { exchange, commerce, requestInfo }, setResultProcessor }) {
      if (!exchange || !('data' in result) || result.errors) return
      const response = exchange.store(result, commerce.cachePolicy, requestInfo.operation)
      if (response)
        setResultProcessor((_, { Response }) => new Response(response.body ?? null, response), 'application/json')
    },
    // For streams Yoga sets `no-cache`, which lets caches store them.
    onResponse({ response }) {
      if (!response.headers.has('ETag')) response.headers.set('Cache-Control', NO_STORE)
    },
  }
}

/** Runs queries and mutations by this server's executor. */
function useExecute(execute: Execute): Plugin<object, YogaInput> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(async ({ document, operationName, variableValues, contextValue }) => {
        const { commerce } = contextValue as YogaInput
        try {
          const result = await execute({ document, operationName, variables: variableValues }, commerce)
          return isNothingDone(result, document, operationName) ? { errors: [overloaded()] } : result
        } catch (error) {
          if (error instanceof Unavailable) return { errors: [overloaded()] }
          throw error
        }
      })
    },
  }
}

/** The error of an operation that did nothing, with status 503 and Retry-After. */
const overloaded = () =>
  new GraphQLError(UNAVAILABLE, {
    extensions: { code: 'SERVICE_UNAVAILABLE', http: { status: 503, headers: { 'retry-after': '1' } } },
  })

const streamNotAccepted = () =>
  new GraphQLError(`A stream is ${STREAM_TYPE}, which the Accept header must allow`, {
    extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406 } },
  })

/** Runs GraphQL subscriptions within the limits of streams. */
function useSubscribe(subscribe: Subscribe, streams: OpenStreams): Plugin<object, YogaInput> {
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async ({ document, operationName, variableValues, contextValue }) => {
        const { commerce, req, res, length } = contextValue as YogaInput & { req: IncomingMessage; res: ServerResponse }
        if (!acceptedTypes(req.headers.accept).includes(STREAM_TYPE)) return { errors: [streamNotAccepted()] }
        if (length > STREAM_REQUEST_MAX)
          return {
            errors: [
              limitError('PAYLOAD_TOO_LARGE', 'The length of the request of a stream', length, STREAM_REQUEST_MAX),
            ],
          }
        const release = res.destroyed ? null : streams.acquire(length)
        if (!release) return { errors: [overloaded()] }
        commerce.work.releasePermit()
        const stream = subscribe({ document, operationName, variables: variableValues }, commerce)
        // Yoga does not end the stream of a client that disconnects before its start, or while a result waits to be
        // written.
        res.once('close', async () => {
          release()
          const started = await stream.catch(() => null)
          if (started && Symbol.asyncIterator in started) await started.return?.()
        })
        return stream
      })
    },
    // To a client that accepts only multipart/mixed, Yoga would send 406 without a body instead of the error.
    onResultProcess({ resultProcessor, setResultProcessor }) {
      if (!resultProcessor) setResultProcessor(processRegularResult, 'application/json')
    },
  }
}
