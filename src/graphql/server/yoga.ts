/** Yoga as this server wants it, with its guards as plugins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga'
import { Unavailable } from '../../domain/input/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Context } from '../../request/context.ts'
import { type CachedExchange, NO_STORE } from '../../response-cache/http-caching.ts'
import { UNAVAILABLE, UNEXPECTED, withoutSuggestion } from '../schema/errors.ts'
import { limitError } from '../schema/limit-error.ts'
import { createDocumentCache } from './document-cache.ts'
import { useDocumentLimits } from './document-limits.ts'
import type { Execute } from './executor.ts'
import { OpenStreams, type StreamLimits } from './open-streams.ts'
import { acceptedTypes, STREAM_TYPE } from './respond.ts'
import { createSubscribe, STREAM_REQUEST_MAX, type Subscribe } from './subscribe.ts'

/** What the handler hands to Yoga beside the request. */
export interface YogaInput {
  readonly commerce: Context
  /** Already read from the body or the query. */
  readonly params: unknown
  /** Characters of the body or the target, which a stream holds for as long as it is open. */
  readonly length: number
  /** Makes the response when it is cacheable; absent: it is not. */
  readonly exchange?: CachedExchange | undefined
}

interface YogaOptions {
  readonly log: Logger
  readonly suggestions: boolean
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
    // The handler has read the body and held it to its limit.
    maxRequestBodySize: false,
    logging: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (error: unknown) => options.log.error({ err: error }, 'unexpected error in GraphQL'),
    },
    maskedErrors: { errorMessage: UNEXPECTED, isDev: false },
    parserAndValidationCache: { documentCache: createDocumentCache(), errorCache: { get: quiet, set: quiet }, validationCache: true },
    plugins: [
      useReadParams(),
      useMethodCode(),
      useCaching(),
      useDocumentLimits(),
      useExecute(execute),
      useSubscribe(createSubscribe(schema, execute), new OpenStreams(options.streams)),
      ...(options.suggestions ? [] : [useNoSuggestions()]),
    ],
  })
}

function useReadParams(): Plugin<object, YogaInput> {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET' || request.method === 'POST') setRequestParser(() => serverContext.params as never)
    },
  }
}

/** What Yoga refuses for its method it calls BAD_REQUEST. */
function useMethodCode(): Plugin {
  return {
    onResultProcess({ result }) {
      const errors = ('errors' in result && result.errors) || []
      for (const { extensions } of errors) if (extensions.http?.status === 405) extensions.code = 'METHOD_NOT_ALLOWED'
    },
  }
}

/** Results without errors are made into responses by the exchange, as far as their policy allows it; all others are not stored. */
function useCaching(): Plugin<object, YogaInput> {
  return {
    onResultProcess({ result, serverContext: { exchange, commerce }, setResultProcessor }) {
      if (!exchange || !('data' in result) || result.errors) return
      const response = exchange.store(result, commerce.cachePolicy)
      if (response) setResultProcessor((_, { Response }) => new Response(response.body ?? null, response), 'application/json')
    },
    // Of streams Yoga itself says `no-cache`, which lets a cache store them.
    onResponse({ response }) {
      if (!response.headers.has('ETag')) response.headers.set('Cache-Control', NO_STORE)
    },
  }
}

function useExecute(execute: Execute): Plugin<object, YogaInput> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(async ({ document, operationName, variableValues, contextValue }) => {
        const input = contextValue as YogaInput
        try {
          return await execute({ document, operationName, variables: variableValues }, input.commerce)
        } catch (error) {
          if (error instanceof Unavailable) return { errors: [noRoom()] }
          throw error
        } finally {
          // The work is done; to send the response may take as long as its client likes.
          input.commerce.work.releasePermit()
        }
      })
    },
  }
}

/** Of what was not begun the status says so too, so that clients come back. */
const noRoom = () =>
  new GraphQLError(UNAVAILABLE, {
    extensions: { code: 'SERVICE_UNAVAILABLE', http: { status: 503, headers: { 'retry-after': '1' } } },
  })

const streamNotAccepted = () =>
  new GraphQLError(`A stream is ${STREAM_TYPE}, which the Accept header must allow`, {
    extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406 } },
  })

function useSubscribe(subscribe: Subscribe, streams: OpenStreams): Plugin<object, YogaInput> {
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async ({ document, operationName, variableValues, contextValue }) => {
        const { commerce, req, res, length } = contextValue as YogaInput & { req: IncomingMessage; res: ServerResponse }
        if (!acceptedTypes(req.headers.accept).includes(STREAM_TYPE)) return { errors: [streamNotAccepted()] }
        if (length > STREAM_REQUEST_MAX)
          return { errors: [limitError('PAYLOAD_TOO_LARGE', 'The length of the request of a stream', length, STREAM_REQUEST_MAX)] }
        const leave = res.destroyed ? null : streams.acquire(length)
        if (!leave) return { errors: [noRoom()] }
        commerce.work.releasePermit()
        const stream = subscribe({ document, operationName, variables: variableValues }, commerce)
        // A client that went before the stream began, or while an answer waited to be written, is not told of by anything else.
        res.once('close', async () => {
          leave()
          const started = await stream.catch(() => null)
          if (started && Symbol.asyncIterator in started) await started.return?.()
        })
        return stream
      })
    },
    // The error of a stream for a client that accepts multipart/mixed alone: Yoga would send a 406 without a body.
    onResultProcess({ resultProcessor, setResultProcessor }) {
      if (!resultProcessor) setResultProcessor(processRegularResult, 'application/json')
    },
  }
}

/** In production a wrong name is not answered with the right one. */
function useNoSuggestions(): Plugin<object, YogaInput> {
  return {
    onValidate() {
      return ({ valid, result, setResult }) => {
        if (!valid) setResult((result as GraphQLError[]).map(withoutSuggestion))
      }
    },
  }
}
