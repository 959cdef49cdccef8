/** Caching of a request's response, by this server and by caches between it and its clients, such as a proxy in front. */
import type { Viewer } from '../auth/viewer.ts'
import { CachedExchange, type Exchange } from '../response-cache/http-caching.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import { presentOf, type Services } from './context.ts'

/** The exchange of a viewer's request; without a cache no response is stored. */
export function createExchange(
  services: Services,
  cache: ResponseCache | undefined,
  { role, accountId }: Viewer,
  request: Pick<Exchange, 'req' | 'res' | 'text' | 'now' | 'contentType' | 'vary'>,
): CachedExchange {
  const { changes, config } = services
  const present = (): number => presentOf({ now: request.now, changes })
  const caching = { present, maxAge: config.cacheMaxAge, mayShare: mayShareOf(services, role) }
  return new CachedExchange(cache, { ...request, role, accountId, ...caching })
}

/**
 * Whether shared caches may store what is read of a release, by its id: with CACHE_PUBLIC, what shoppers read of catalogs that no catalog
 * rule names. Null: they may store nothing. `Vary: Authorization` keeps such a response to its token all the same, so that no cache serves
 * it to a request whose token was not verified.
 */
function mayShareOf({ config, releases }: Services, role: Viewer['role']): ((releaseId: string) => boolean) | null {
  return config.cachePublic && role !== 'admin' ? (releaseId) => releases.known.isWithoutRules(releaseId) : null
}
