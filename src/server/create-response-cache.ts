/** Response cache of a server: the release cache says from memory which releases and storefronts are current. */
import type { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import { ResponseCache } from '../response-cache/response-cache.ts'

/** Creates the response cache, of so many MiB, over the releases that this process knows. */
export function createResponseCache(releases: ReleaseCache, megabytes: number): ResponseCache {
  return new ResponseCache(
    ({ catalogId, releaseId, readsAll }, now) => {
      const release = releases.getCached(catalogId, releaseId, { now, readsAll })
      if (release === undefined) return undefined
      return { id: release?.id ?? null, ...releases.known.validity(catalogId, releaseId, now) }
    },
    (shopper, now) => releases.storefronts.chooseCached(shopper, { rules: now, releases: now }),
    megabytes * 1024 * 1024,
  )
}
