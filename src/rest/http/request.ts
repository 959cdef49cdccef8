/** Request reader of guarded routes: body, query, headers and ids, in the order of http.first-failure-wins. */
import type { IncomingMessage } from 'node:http'
import type { Bearer } from '../../auth/verify.ts'
import { DomainError, notFound, type Violation, withoutStep } from '../../domain/input/errors.ts'
import { type FilterClause, parseFilter } from '../../domain/input/filter.ts'
import { isUuid, uuid } from '../../domain/input/formats.ts'
import type { Schema } from '../../domain/input/json-schema.ts'
import { readOffsetPage } from '../../domain/input/page.ts'
import { documentInput, unknownMembers } from '../../domain/input/unknown-members.ts'
import { isObject } from '../../lib/json-object.ts'
import { type Context, createContext, type Services } from '../../request/context.ts'
import { admitBody, jsonLimitsOf } from '../../request/long-bodies.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import type { RequestWork } from '../../request/request-work.ts'
import { readShopperHeaders } from '../../request/shopper-headers.ts'
import { readBody } from './body.ts'
import { BodyRefused } from './errors.ts'
import { readQuery } from './query.ts'
import type { GuardedRoute, Match, RestRequest } from './route.ts'

/**
 * The path member that counts as input: when it is malformed, it is a 400 among the other violations. Other malformed
 * ids are a 404 (http.first-failure-wins).
 */
const inputMember = 'product_uuid'

/**
 * Reads a request whose viewer has the route's right; `work` gets the permit of its body. Rejects with HttpFailure,
 * Disconnected, Unavailable or DomainError (badRequest, notFound).
 */
export async function readRequest(
  services: Services,
  route: GuardedRoute,
  members: Match['members'],
  viewer: Bearer,
  work: RequestWork,
  req: IncomingMessage,
  requestInfo: RequestInfo,
): Promise<RestRequest> {
  const admit = (bytes: number): Promise<void> => admitBody(services, viewer, work, bytes)
  if (route.file && requestInfo.deadline) requestInfo.deadline.isStreamed = true
  const body = route.body ? await readBody(req, { ...jsonLimitsOf(viewer), admit }) : undefined
  const { parameters, violations: queryViolations } = readQuery(requestInfo.query, route.query?.ignored)
  const page = readPage(services, route, parameters)
  const filter = readFilter(route, parameters)
  const sort = readSort(route, parameters)
  const shopperHeaders = readShopperHeaders(req.headers)
  const violations = [
    ...memberViolations(members),
    ...queryViolations,
    ...filter.violations,
    ...sort.violations,
    ...page.violations,
    ...shopperHeaders.violations,
  ]
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  const ids = readIds(route, members)
  const data = readData(route.document.request ?? {}, body)
  const ctx: Context = createContext(services, {
    viewer,
    now: requestInfo.now,
    shopperHeaders: shopperHeaders.value,
    requestId: requestInfo.id,
    deadline: requestInfo.deadline,
    statements: requestInfo.statements,
    trace: requestInfo.trace,
    work,
  })
  const key = req.headers['idempotency-key']
  return {
    ctx,
    id: (name) => ids[name] ?? missingMember(name),
    data,
    page: page.value,
    filter: filter.clauses,
    sort: sort.value,
    path: requestInfo.path,
    parameters,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    file: req,
  }
}

/**
 * The member `data` of a body, with its unknown members as violations. Throws BodyRefused when there are others beside
 * it.
 */
function readData(schema: Schema, body: unknown): unknown {
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data)) return data
  const unknown = unknownMembers(schema, body)
  if (unknown.some(({ path: [first] }) => first !== 'data')) throw new BodyRefused(unknown)
  return documentInput(data, withoutStep(unknown))
}

function readPage(services: Services, route: GuardedRoute, parameters: ReadonlyMap<string, string>) {
  const isPaged = route.query?.page === true
  const parameter = (name: string): string | undefined => (isPaged ? parameters.get(name) : undefined)
  return readOffsetPage(
    { limit: parameter('page[limit]'), offset: parameter('page[offset]') },
    services.config.pageLength,
  )
}

function readFilter(
  route: GuardedRoute,
  parameters: ReadonlyMap<string, string>,
): { clauses: FilterClause[]; violations: Violation[] } {
  const text = parameters.get('filter')
  return text === undefined || !route.query?.filter
    ? { clauses: [], violations: [] }
    : parseFilter(text, route.query.filter)
}

function readSort(
  route: GuardedRoute,
  parameters: ReadonlyMap<string, string>,
): { value: string | undefined; violations: Violation[] } {
  const text = parameters.get('sort')
  const allowed = route.query?.sort
  if (text === undefined || !allowed) return { value: undefined, violations: [] }
  if (allowed.includes(text)) return { value: text, violations: [] }
  return {
    value: undefined,
    violations: [{ code: 'INVALID_VALUE', path: ['sort'], message: `must be one of ${allowed.join(', ')}` }],
  }
}

function memberViolations(members: Match['members']): Violation[] {
  const given = members[inputMember]
  const wrong = given === undefined ? undefined : uuid(given ?? '')
  return wrong === undefined ? [] : [{ code: 'INVALID_FORMAT', path: [inputMember], message: wrong }]
}

/** Nouns of path members for messages, where they differ from the member's name without `_id`. */
const nouns: Readonly<Record<string, string>> = { pricebook_id: 'price book', price_id: 'product price' }

/** The ids of the path. Throws DomainError (notFound) for a malformed one (http.first-failure-wins). */
function readIds(route: GuardedRoute, members: Match['members']): Record<string, string> {
  const entries = Object.entries(members).map(([name, text]): [string, string] => {
    if (text !== null && (isUuid(text) || route.words?.[name]?.includes(text)))
      return [name, isUuid(text) ? text.toLowerCase() : text]
    throw notFound([name], `No such ${nouns[name] ?? name.replace(/_id$/, '')}`)
  })
  return Object.fromEntries(entries)
}

function missingMember(name: string): never {
  throw new Error(`the path of the route has no {${name}}`)
}
