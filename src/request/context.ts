import { proofOf, type Viewer } from '../auth/viewer.ts'
import type { Config } from '../config/config.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'
import type { RequestTrace } from '../lib/request-trace.ts'
import type { TimeSlices } from '../lib/time-slices.ts'
import type { ReleaseReader } from '../persistence/catalog/readable-releases.ts'
import type { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import type { ChangeFeed } from '../persistence/changes/change-feed.ts'
import type { SaleClock } from '../persistence/changes/sale-clock.ts'
import type { Database } from '../persistence/database/database.ts'
import { RequestDatabase } from '../persistence/database/request-database.ts'
import type { StatementTally } from '../persistence/database/statement-tally.ts'
import type { ImportWatch } from '../persistence/imports/import-watch.ts'
import { createLoaders, type Loaders } from '../persistence/loaders.ts'
import { CachePolicy } from '../response-cache/cache-policy.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { RequestWork } from './request-work.ts'

/** Services of the process, shared by all requests. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly releases: ReleaseCache
  /** Absent where there are no subscribers, as in an import. */
  readonly changes?: ChangeFeed
  /** Absent like the feed, both. */
  readonly saleClock?: SaleClock
  readonly importWatch?: ImportWatch
  readonly log: Logger
  /** Absent where one task runs alone, as in an import; so are the limiters of work and of bodies. */
  readonly slices?: TimeSlices
  readonly concurrencyLimiter?: ConcurrencyLimiter
  readonly bodyLimiter?: ConcurrencyLimiter
}

/** Headers that describe the shopper: language, currency, channel and tag. Null for a header that was not sent. */
export interface ShopperHeaders {
  /** The raw accept-language header. */
  readonly acceptLanguage: string | null
  /** X-MOLTIN-CURRENCY, checked to be a currency code. */
  readonly currency: string | null
  /** EP-Channel; in a context without it that of the token. */
  readonly channel: string | null
  /** EP-Context-Tag, one tag at most; in a context without it those of the token. */
  readonly tags: readonly string[]
}

/** Context of one request: the first parameter of every operation. */
export interface Context extends Services {
  readonly viewer: Viewer
  /** The one instant of the request, epoch milliseconds (price.one-instant-per-request). */
  readonly now: number
  readonly shopperHeaders: ShopperHeaders
  readonly loaders: Loaders
  /** Whether the viewer reads unpublished releases, and the instant for which the latest releases are found. */
  readonly releaseReader: ReleaseReader
  /** Every reader of data for the response reports to it what it read. */
  readonly cachePolicy: CachePolicy
  /** Counts what the request costs, and yields to other requests. */
  readonly work: RequestWork
  /**
   * Memo: what the request computes once, by the object that it is computed from. In a WeakMap by request the values
   * would live until a major garbage collection, since minor ones don't check whether its keys are alive.
   */
  readonly memo: Map<object, unknown>
  readonly requestId: string
  /** Whether the response reports the operation's cost (header GraphQL-Cost). */
  readonly showCost?: boolean
  /** Absent for work outside of a request, such as an import. */
  readonly deadline?: RequestDeadline | undefined
}

/** The present instant, epoch milliseconds. It is later than `now` when the request has waited or worked. */
export function presentOf({
  now,
  changes,
}: {
  readonly now: number
  readonly changes?: ChangeFeed | undefined
}): number {
  return Math.max(now, changes?.now() ?? now)
}

/**
 * The instant at which a record is read: that of the request, but not before its last write, which another server or a
 * clock that went back may have dated later. An operation that asks for an earlier instant gets that one.
 */
export function readingInstant({ now, releaseReader }: Context, { updatedAt }: { readonly updatedAt: number }): number {
  return now < releaseReader.now ? now : Math.max(now, updatedAt)
}

/** The headers of work outside of a request. */
export const noShopperHeaders: ShopperHeaders = { acceptLanguage: null, currency: null, channel: null, tags: [] }

interface RequestParts {
  readonly viewer: Viewer
  readonly now: number
  readonly shopperHeaders?: ShopperHeaders
  readonly requestId: string
  readonly showCost?: boolean
  readonly deadline?: RequestDeadline | undefined
  readonly statements?: StatementTally | undefined
  readonly trace?: RequestTrace | undefined
  /** The counter of a request that is already admitted; absent: a new one. */
  readonly work?: RequestWork
}

/**
 * The context with another instant, epoch milliseconds. A later instant also decides which scheduled releases are the
 * latest. An earlier one does not, since the latest releases of that time may be gone.
 */
export function contextAt(ctx: Context, now: number): Context {
  const releaseReader = { ...ctx.releaseReader, now: Math.max(now, ctx.now) }
  return {
    ...ctx,
    now,
    releaseReader,
    loaders: createLoaders(ctx.database, ctx.releases, ctx.cachePolicy, releaseReader),
  }
}

/**
 * Creates the context of a request: its loaders, its cache policy, its work counter, and a database that stops at its
 * deadline.
 */
export function createContext(services: Services, request: RequestParts): Context {
  const { deadline, statements, trace, viewer, now } = request
  const database = deadline
    ? new RequestDatabase(services.database, deadline, statements, trace, viewer.subject)
    : services.database
  const cachePolicy = new CachePolicy()
  const releaseReader = { now, readsAll: viewer.role === 'admin', proof: proofOf(viewer) }
  return {
    ...services,
    ...request,
    shopperHeaders: withClaims(request.shopperHeaders ?? noShopperHeaders, viewer),
    database,
    cachePolicy,
    releaseReader,
    loaders: createLoaders(database, services.releases, cachePolicy, releaseReader),
    work: request.work ?? createWork(services, deadline),
    memo: new Map(),
  }
}

/** The headers, with channel and tags of the token where there are none (catalog-rule.headers-before-claims). */
function withClaims(headers: ShopperHeaders, viewer: Viewer): ShopperHeaders {
  const { channel, tags } = headers
  return { ...headers, channel: channel ?? viewer.channel, tags: tags.length > 0 ? tags : viewer.tags }
}

/** The work counter of a request. Without a deadline there is no request, as in an import: its work has no limit. */
export function createWork({ slices }: Pick<Services, 'slices'>, deadline: RequestDeadline | undefined): RequestWork {
  return new RequestWork(slices, deadline, !deadline)
}
