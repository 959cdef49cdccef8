/**
 * Routes of the REST API: their types, and matching of paths. The table of routes is in routes.ts; openapi.ts and tests
 * enumerate it.
 */
import type { IncomingMessage } from 'node:http'
import type { FilterClause, FilterRules } from '../../domain/input/filter.ts'
import type { Schema } from '../../domain/input/json-schema.ts'
import type { OffsetPage } from '../../domain/input/page.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import type { FailureStatus } from './errors.ts'
import type { RouteExample } from './example.ts'
import type { OptionParameters } from './options.ts'
import { decode } from './query.ts'

/** The response of a handler. */
export interface RestResponse {
  readonly status: number
  /** Sent as JSON, a Buffer as it is; absent for 204. */
  readonly body?: unknown
  /** Sent as they come, instead of a body; the headers say what they are. */
  readonly pieces?: AsyncIterable<Uint8Array | string>
  readonly headers?: Readonly<Record<string, string>>
}

/** A validated request to a guarded route. */
export interface RestRequest {
  readonly ctx: Context
  /** Returns a member of the path, a lowercase UUID or one of the route's `words`. */
  readonly id: (name: string) => string
  /** The body's member `data`; only its unknown members are checked. Undefined when absent. */
  readonly data: unknown
  /** For a route with `query.page`. */
  readonly page: OffsetPage
  /** For a route with `query.filter`; [] without one. */
  readonly filter: readonly FilterClause[]
  /** For a route with `query.sort`, one of its values; undefined without one. */
  readonly sort: string | undefined
  /** The request's path and all query parameters, which links repeat. */
  readonly path: string
  readonly parameters: ReadonlyMap<string, string>
  /** The header Idempotency-Key (write.idempotency-key). */
  readonly idempotencyKey: string | undefined
  /** The request itself, whose body a route with `file` reads. */
  readonly file: IncomingMessage
}

/** A request to an open route, which needs no token. */
export interface OpenRequest {
  /** Epoch milliseconds. */
  readonly now: number
  /** The header Host. */
  readonly host: string | undefined
  /** The whole body, for a route with `body`. */
  readonly body: unknown
}

/** Documentation of a route, for OpenAPI. */
export interface RouteDocument {
  /** The operationId, unique. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The body; it takes only these members (input.unknown-members-refused). */
  readonly request?: Schema
  /** The media types of bodies that are files, not JSON with a member `data`. */
  readonly content?: { readonly request?: readonly string[]; readonly response?: readonly string[] }
  /** The status of success, and the schema of its body (http.success-statuses). */
  readonly status: 200 | 201 | 204
  readonly response?: Schema
  /** Whether clients may store the response and revalidate it by its ETag (http-caching.ts). */
  readonly isCacheable?: true
  /** A request to the demo store and its response; only the OpenAPI document itself has none. */
  readonly example?: RouteExample
  /** Statuses of failure besides those that openapi.ts derives from the route. */
  readonly failures?: readonly FailureStatus[]
}

interface BaseRoute {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The documented path, then its aliases (http.paths-and-aliases); `{name}` stands for one segment. */
  readonly paths: readonly [string, ...string[]]
  readonly document: RouteDocument
}

/** A route without a token (http.open-routes). */
export interface OpenRoute extends BaseRoute {
  readonly right: 'open'
  /** Whether it has a body, JSON or a form. */
  readonly body?: true
  readonly handle: (request: OpenRequest) => RestResponse | Promise<RestResponse>
}

/** A route that needs a token. */
export interface GuardedRoute extends BaseRoute {
  /** Who may call it: the right of its operation, checked before the body is read (http.first-failure-wins). */
  readonly right: Right
  /** Whether it has a body, JSON with a member `data`. */
  readonly body?: true
  /** Whether its body is a file, which the handler reads as it comes, after all else is checked. */
  readonly file?: true
  readonly query?: {
    /** Parameters of the route's own, which its handler reads. */
    readonly options?: OptionParameters
    readonly page?: true
    readonly filter?: FilterRules
    /** The values of `sort`, which the reference service does not have. */
    readonly sort?: readonly string[]
    /** Parameters that are accepted with any value and have no effect (subscription.create-filter-ignored). */
    readonly ignored?: readonly string[]
  }
  /** Values that a member of the path may have besides a UUID. */
  readonly words?: Readonly<Record<string, readonly string[]>>
  readonly handle: (request: RestRequest) => Promise<RestResponse>
}

/** A route of the REST API. */
export type Route = OpenRoute | GuardedRoute

/** A path that matched: its routes by method, and its members. A member with malformed percent-encoding is null. */
export interface Match {
  readonly byMethod: ReadonlyMap<string, Route>
  readonly members: Readonly<Record<string, string | null>>
}

interface Pattern {
  readonly segments: readonly string[]
  readonly byMethod: Map<string, Route>
}

/** Compiles the table into a matcher of raw paths. Throws when a path and method has two routes. */
export function compileRoutes(routes: readonly Route[]): (path: string) => Match | null {
  const byPath = new Map<string, Pattern>()
  for (const route of routes) {
    for (const path of route.paths) {
      // Two routes of one path may name their members differently.
      const shape = path.replace(/\{\w+\}/g, '{}')
      const pattern = byPath.get(shape) ?? { segments: path.split('/'), byMethod: new Map() }
      if (pattern.byMethod.has(route.method)) throw new Error(`${route.method} ${path} has two routes`)
      pattern.byMethod.set(route.method, route)
      byPath.set(shape, pattern)
    }
  }
  const byLength = groupBy(byPath.values(), ({ segments }) => segments.length)
  return (path) => {
    const given = path.split('/')
    for (const { segments, byMethod } of byLength.get(given.length) ?? []) {
      const members = matchSegments(segments, given)
      if (members !== null) return { byMethod, members }
    }
    return null
  }
}

/** The methods of a path, as the value of the Allow header. */
export function allowedMethods({ byMethod }: Match): string {
  const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

function matchSegments(segments: readonly string[], given: readonly string[]): Record<string, string | null> | null {
  const members: Record<string, string | null> = {}
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? ''
    if (!segment.startsWith('{')) {
      if (text !== segment && decode(text) !== segment) return null
    } else if (text === '') return null
    else members[segment.slice(1, -1)] = decode(text)
  }
  return members
}
