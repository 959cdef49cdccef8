/**
 * Caching of a request's response, by this server and by caches between it and its clients, such as a proxy in front.
 */
import { proofOf, type Viewer } from '../auth/viewer.ts'
import { CachedExchange, type Exchange } from '../response-cache/http-caching.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import { presentOf, type Services } from './context.ts'

/** The exchange of a viewer's request; without a cache no response is stored. */
export function createExchange(
  services: Services,
  cache: ResponseCache | undefined,
  viewer: Viewer,
  request: Pick<Exchange, 'req' | 'res' | 'text' | 'now' | 'contentType' | 'vary'>,
): CachedExchange {
  const { changes, config, releases } = services
  const present = (): number => presentOf({ now: request.now, changes })
  const confidential = () => releases.confidential.keyFor({ proof: proofOf(viewer), now: request.now })
  const caching = { present, maxAge: config.cacheMaxAge, mayShare: mayShareOf(services, viewer.role) }
  return new CachedExchange(cache, { ...request, viewer, confidential, ...caching })
}

/**
 * Whether shared caches may store what is read from a release, by its id. With CACHE_PUBLIC they may store what
 * shoppers read from catalogs that no catalog rule names and that are not confidential. `Vary: Authorization` still
 * ties such a response to its token, so that no cache serves it for a token that was not verified. Null: they may
 * store nothing.
 */
function mayShareOf({ config, releases }: Services, role: Viewer['role']): ((releaseId: string) => boolean) | null {
  return config.cachePublic && role !== 'admin' ? (releaseId) => releases.known.isForEverybody(releaseId) : null
}
