/** OpenAPI 3.1 document, generated from the table of routes, so that both always agree. */
import { FILTER_CLAUSES_MAX } from '../../domain/input/filter.ts'
import { currencyCode, integer, type Schema, text, uuid } from '../../domain/input/json-schema.ts'
import { PAGE_LIMIT_MAX, PAGE_OFFSET_MAX } from '../../domain/input/page.ts'
import { type FailureStatus, failures } from './errors.ts'
import { type RouteExample, responseAt } from './example.ts'
import { introduction } from './introduction.ts'
import type { GuardedRoute, Route } from './route.ts'
import { errors } from './schema.ts'

type Json = Record<string, unknown>
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly description?: string
  readonly example?: string | number
}

/** Generates the document. */
export function openApiDocument(routes: readonly Route[]): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    for (const [index, path] of route.paths.entries()) {
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = operation(route, path, index, components)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'commerce-graph',
      version: '1.0.0',
      description: introduction,
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

function operation(route: Route, path: string, index: number, components: Json): Json {
  const {
    id,
    tag,
    summary,
    description,
    request,
    status,
    response,
    isCacheable = false,
    example = {},
    content = {},
  } = route.document
  const json = (schema: Schema, shown?: object): Json => ({
    'application/json': { schema: hoist(schema, components), ...(shown && { example: shown }) },
  })
  const shown = example.response && responseAt(path, route.paths[0], example)
  const success = {
    description: 'Success',
    ...(isCacheable && { headers: cachingHeaders }),
    ...(response && { content: json(response, shown) }),
    ...(content.response && { content: filesOf(content.response) }),
  }
  const failed = failureStatuses(route, path).map((code) => [
    code,
    { description: failures[code].title, content: json(errors) },
  ])
  return {
    operationId: index === 0 ? id : `${id}Alias${index}`,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(route.right === 'open' && { security: [] }),
    parameters: [...pathParameters(route, path), ...(route.right === 'open' ? [] : guardedParameters(route))].map(
      (one) => withExample(one, example),
    ),
    ...(request && { requestBody: { required: true, content: requestContent(route, json(request, example.body)) } }),
    ...(content.request && { requestBody: { required: true, content: filesOf(content.request, example.file) } }),
    responses: { [status]: success, ...(isCacheable && { 304: notModified }), ...Object.fromEntries(failed) },
  }
}

/** Files of some media types, with an example of the one that is JSON. */
function filesOf(types: readonly string[], example?: RouteExample['file']): Json {
  const schema: Schema = { type: 'string', format: 'binary' }
  return Object.fromEntries(
    types.map((type) => [type, { schema, ...(type === 'application/json' && example !== undefined && { example }) }]),
  )
}

/** The response headers of responses that clients may store. */
const cachingHeaders = {
  ETag: { schema: text(), description: 'Names this content, for If-None-Match.' },
  'Cache-Control': {
    schema: text(),
    description: '`max-age`, in seconds, ends with the next price change in the response.',
  },
}
const notModified = { description: 'Not Modified: what If-None-Match names is still current', headers: cachingHeaders }

/** The parameter with its value in the example; without one when the example does not send it. */
function withExample(parameter: Parameter, { path, query, headers }: RouteExample): Parameter {
  const example = { path, query, header: headers }[parameter.in]?.[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}

function requestContent(route: Route, json: Json): Json {
  return route.right === 'open' ? { ...json, 'application/x-www-form-urlencoded': json['application/json'] } : json
}

/** The statuses of failures that are possible on the route (http.first-failure-wins). */
function failureStatuses(route: Route, path: string): FailureStatus[] {
  const guarded: FailureStatus[] = route.right === 'open' ? [400] : [400, 401, 429, 503]
  const right: FailureStatus[] = route.right === 'open' || route.right === 'anyone' ? [] : [403]
  const members: FailureStatus[] = path.includes('{') ? [404] : []
  const body: FailureStatus[] = route.body ? [400, 413, 415, 422] : []
  return [
    ...new Set([...guarded, ...right, ...members, ...body, ...(route.document.failures ?? []), 500 as const]),
  ].sort()
}

function pathParameters(route: Route, path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const words = route.right === 'open' ? undefined : route.words?.[name]
    return {
      name,
      in: 'path',
      required: true,
      schema: words ? { anyOf: [uuid, { type: 'string', enum: words }] } : uuid,
    }
  })
}

function guardedParameters({ query = {}, method, document, file }: GuardedRoute): Parameter[] {
  const { filter, sort, page, ignored = [], options = {} } = query
  const operators = (['eq', 'in'] as const).map((op) => `${op}(${filter?.[op].join('|')},...)`)
  const words = Object.entries(filter?.words ?? {}).map(
    ([field, allowed]) => ` A value of ${field} is one of ${allowed.join(', ')}.`,
  )
  const clauses = `${operators.join(', ')}; up to ${FILTER_CLAUSES_MAX}, joined by ":".${words.join('')}`
  return [
    ...(filter ? [parameter('query', 'filter', text(), clauses)] : []),
    ...(sort
      ? [
          parameter(
            'query',
            'sort',
            { type: 'string', enum: [...sort] },
            'The order, descending with "-"; the default one when absent.',
          ),
        ]
      : []),
    ...Object.entries(options).map(([name, { words, description }]) =>
      parameter('query', name, words ? { type: 'string', enum: [...words] } : text({ min: 1 }), description),
    ),
    ...ignored.map((name) => parameter('query', name, text(), 'Accepted, and without effect.')),
    ...(page ? [parameter('query', 'page[limit]', integer(1, PAGE_LIMIT_MAX), 'Records on a page.')] : []),
    ...(page ? [parameter('query', 'page[offset]', integer(0, PAGE_OFFSET_MAX), 'Records before the page.')] : []),
    ...(method === 'POST' && !file
      ? [
          parameter(
            'header',
            'Idempotency-Key',
            text({ min: 1, max: 255 }),
            'A repeated call with the same key has no further effect.',
          ),
        ]
      : []),
    ...(document.isCacheable ? [parameter('header', 'If-None-Match', text(), 'ETags of stored responses.')] : []),
    parameter('header', 'accept-language', text(), 'The language and locale preferred.'),
    parameter('header', 'X-MOLTIN-CURRENCY', currencyCode, 'The currency of display prices.'),
    ...(page ? [parameter('header', 'EP-Channel', text(), "The shopper's channel.")] : []),
    ...(page ? [parameter('header', 'EP-Context-Tag', text(), "The shopper's tag.")] : []),
  ]
}

function parameter(location: Parameter['in'], name: string, schema: Schema, description: string): Parameter {
  return { name, in: location, required: false, schema, description }
}

/**
 * Moves every part of a schema that has a title to `components` and replaces it by a reference. A member may be named
 * `title` too.
 */
function hoist(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((part) => hoist(part, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as Json
  const named = typeof title === 'string'
  const whole = Object.fromEntries(
    Object.entries(named ? rest : schema).map(([name, part]) => [name, hoist(part, components)]),
  )
  if (!named) return whole
  components[title] = whole
  return { $ref: `#/components/schemas/${title}` }
}
