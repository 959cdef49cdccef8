/** Response cache of a server. The release cache tells, from memory, which releases and storefronts are current. */
import { proofOf, shopperOf } from '../auth/viewer.ts'
import type { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import { ResponseCache } from '../response-cache/response-cache.ts'

/** Creates the response cache, of `megabytes` MiB, over the releases that this process knows. */
export function createResponseCache(releases: ReleaseCache, megabytes: number): ResponseCache {
  return new ResponseCache(
    ({ catalogId, releaseId, readsAll }, viewer, now) => {
      const reader = { now, readsAll, proof: proofOf(viewer) }
      const release = releases.getCached(catalogId, releaseId, reader)
      if (release === undefined) return undefined
      return { id: release?.id ?? null, ...releases.confidential.validity(catalogId, releaseId, reader) }
    },
    (read, viewer, now) => releases.storefronts.chooseCached(shopperOf(viewer, read), { rules: now, releases: now }),
    megabytes * 1024 * 1024,
  )
}
