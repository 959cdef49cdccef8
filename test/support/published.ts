/** Published stores for tests of reads. */
import type { ReleaseSummary } from '../../src/domain/catalog/release-summary.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { contextOf } from './price-books.ts'
import type { TestServer } from './server.ts'
import { insertStore, type Store } from './store.ts'

/** Publishes a catalog at the instant of the server's clock, in its process. */
export function publish({ services, now }: TestServer, catalogId: string): Promise<ReleaseSummary> {
  return publishRelease(contextOf(services, now), { catalogId })
}

/** Writes the store, publishes all its catalogs, and returns their releases by catalog id. */
export async function publishStore(server: TestServer, store: Store): Promise<Map<string, ReleaseSummary>> {
  await insertStore(server.services.database, store)
  const releases = new Map<string, ReleaseSummary>()
  for (const { id } of store.catalogs) releases.set(id, await publish(server, id))
  return releases
}

/** The REST path of a hierarchy's products. */
export function listingPath(catalogId: string, hierarchyId: string, query = ''): string {
  return `/pcm/catalogs/${catalogId}/releases/latest/hierarchies/${hierarchyId}/products${query === '' ? '' : `?${query}`}`
}
