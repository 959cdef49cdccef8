/** Shared caching: what a cache between this server and its clients, such as a proxy in front, may store. */
import type { Viewer } from '../auth/viewer.ts'
import type { Services } from './context.ts'

/**
 * Whether shared caches may store what is read of a release, by its id: with CACHE_PUBLIC, what shoppers read of catalogs that no catalog
 * rule names. Null: they may store nothing. `Vary: Authorization` keeps such a response to its token all the same, so that no cache serves
 * it to a request whose token was not verified.
 */
export function mayShareOf({ config, releases }: Services, role: Viewer['role']): ((releaseId: string) => boolean) | null {
  return config.cachePublic && role !== 'admin' ? (releaseId) => !releases.known.hasRules(releaseId) : null
}
