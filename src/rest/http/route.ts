/** What a route of the facade is, and how a request finds its own. The table of them is routes.ts; tests and openapi.ts enumerate it. */

import type { FilterClause, FilterRules } from '../../domain/input/filter.ts'
import type { OffsetPage } from '../../domain/input/page.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import type { FailureStatus } from './errors.ts'
import { decode } from './query.ts'
import type { Schema } from './schema.ts'

export interface RestResponse {
  readonly status: number
  /** Sent as JSON, bytes as they are; absent for 204. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler is given once everything up to the ids of the path has been found right (http.first-failure-wins). */
export interface RestRequest {
  readonly ctx: Context
  /** The member of the path, a lowercase UUID or one of the route's `words`. */
  readonly id: (name: string) => string
  /** The body's `data`, which nobody has looked at; undefined when it lacks it. */
  readonly data: unknown
  /** For a route with `query.page`. */
  readonly page: OffsetPage
  /** For a route with `query.filter`; [] without one. */
  readonly filter: readonly FilterClause[]
  /** The path as it was asked for, and every query parameter: what links repeat. */
  readonly path: string
  readonly parameters: ReadonlyMap<string, string>
  /** For a command's options (write.idempotency-key). */
  readonly idempotencyKey: string | undefined
}

/** A request for which nobody asks who sends it. */
export interface OpenRequest {
  readonly now: number
  /** The whole body, for a route with `body`. */
  readonly body: unknown
}

/** What a route tells of itself. */
export interface RouteDocument {
  /** Unique. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly request?: Schema
  /** The status of success, and what it carries. */
  readonly status: 200 | 201 | 204
  readonly response?: Schema
  /** Statuses of failure besides those that follow from the route. */
  readonly failures?: readonly FailureStatus[]
}

interface BaseRoute {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The contract's path first, then its aliases (http.paths-and-aliases); `{name}` stands for one segment. */
  readonly paths: readonly [string, ...string[]]
  readonly document: RouteDocument
}

/** A route that http.open-routes lists. */
export interface OpenRoute extends BaseRoute {
  readonly right: 'open'
  /** JSON or a form. */
  readonly body?: true
  readonly handle: (request: OpenRequest) => RestResponse | Promise<RestResponse>
}

export interface GuardedRoute extends BaseRoute {
  /**
   * Who may call it (right.shoppers-see-published-and-own): the right of its operation, asked for before the body is read
   * (http.first-failure-wins).
   */
  readonly right: Right
  /** JSON with a member `data`. */
  readonly body?: true
  readonly query?: {
    readonly page?: true
    readonly filter?: FilterRules
    /** Parameters that are accepted whatever they hold (subscription.create-filter-ignored). */
    readonly ignored?: readonly string[]
  }
  /** What a member of the path may be besides a UUID. */
  readonly words?: Readonly<Record<string, readonly string[]>>
  readonly handle: (request: RestRequest) => Promise<RestResponse>
}

export type Route = OpenRoute | GuardedRoute

/** A path of the table that fits, its routes by method, and its members; a member that is not percent-encoded UTF-8 is null. */
export interface Match {
  readonly byMethod: ReadonlyMap<string, Route>
  readonly members: Readonly<Record<string, string | null>>
}

interface Pattern {
  readonly segments: readonly string[]
  readonly byMethod: Map<string, Route>
}

/** Answers which pattern a raw path fits. Throws on a table in which one path and method has two routes. */
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
  const byLength = groupByLength(byPath.values())
  return (path) => {
    const given = path.split('/')
    for (const { segments, byMethod } of byLength.get(given.length) ?? []) {
      const members = matchSegments(segments, given)
      if (members !== null) return { byMethod, members }
    }
    return null
  }
}

/** The methods of a path, for `Allow`. */
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

function groupByLength(patterns: Iterable<Pattern>): Map<number, Pattern[]> {
  const groups = new Map<number, Pattern[]>()
  for (const pattern of patterns) groups.set(pattern.segments.length, [...(groups.get(pattern.segments.length) ?? []), pattern])
  return groups
}
