import type { Viewer } from '../auth/viewer.ts'
import type { Config } from '../config/config.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'
import type { TimeSlices } from '../lib/time-slices.ts'
import type { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import type { ChangeFeed } from '../persistence/changes/change-feed.ts'
import type { Database } from '../persistence/database/database.ts'
import { RequestDatabase } from '../persistence/database/request-database.ts'
import { createLoaders, type Loaders } from '../persistence/loaders.ts'
import { CachePolicy } from '../response-cache/cache-policy.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { RequestWork } from './request-work.ts'

/** What lives as long as the process. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly releases: ReleaseCache
  /** Absent where nobody listens, as in an import. */
  readonly changes?: ChangeFeed
  readonly log: Logger
  /** Absent where nobody waits for anybody, as in an import. */
  readonly slices?: TimeSlices
  readonly concurrencyLimiter?: ConcurrencyLimiter
}

/** What a request says of the shopper's shopperHeaders, as read from its headers. */
export interface ShopperHeaders {
  /** The raw accept-language header. */
  readonly acceptLanguage: string | null
  /** X-MOLTIN-CURRENCY, checked to be a currency code. */
  readonly currency: string | null
  /** EP-Channel. */
  readonly channel: string | null
  /** EP-Context-Tag. */
  readonly tag: string | null
}

/** What lives as long as one request. Every operation takes it first. */
export interface Context extends Services {
  readonly viewer: Viewer
  /** The one instant of the request, epoch milliseconds (price.one-instant-per-request). */
  readonly now: number
  readonly shopperHeaders: ShopperHeaders
  readonly loaders: Loaders
  /** What reads anything for the response reports it here. */
  readonly cachePolicy: CachePolicy
  /** What the request has cost so far, and its turns at the processor. */
  readonly work: RequestWork
  readonly requestId: string
  /** The client wants to be told what its operation costs. */
  readonly showCost?: boolean
  /** Absent for work that no request asked for. */
  readonly deadline?: RequestDeadline | undefined
}

export const noShopperHeaders: ShopperHeaders = { acceptLanguage: null, currency: null, channel: null, tag: null }

interface RequestParts {
  readonly viewer: Viewer
  readonly now: number
  readonly shopperHeaders?: ShopperHeaders
  readonly requestId: string
  readonly showCost?: boolean
  readonly deadline?: RequestDeadline | undefined
}

export function createContext(services: Services, request: RequestParts): Context {
  const { deadline } = request
  const database = deadline ? new RequestDatabase(services.database, deadline) : services.database
  const cachePolicy = new CachePolicy()
  return {
    shopperHeaders: noShopperHeaders,
    ...services,
    ...request,
    database,
    cachePolicy,
    loaders: createLoaders(database, services.releases, cachePolicy),
    // Work without a request (an import, a publish's aftermath) is only counted.
    work: new RequestWork(services.slices, deadline, !deadline),
  }
}
