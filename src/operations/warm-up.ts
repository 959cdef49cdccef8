/** What a process does before it listens, so that its first shoppers don't wait for what every shopper needs. */
import { type Context, createContext, type Services } from '../context.ts'
import { catalogs } from './published-catalog.ts'
import { listHierarchyProducts } from './release-listing.ts'

/** Catalogs whose latest release is read ahead. */
const CATALOGS = 3
/** A bigger release is read on while requests come. */
const WARM_UP_MS = 1_000
/** As many readings of a page as make its code compiled. */
const READINGS = 20

/** Reads the first page of a hierarchy, by raw ids; rejects when it can't. */
export type ReadPage = (ctx: Context, page: { readonly catalog: string; readonly hierarchy: string }) => Promise<void>

/** What a process that ends sets, so that reading ahead ends as well: the database is closed under it. */
interface Ending {
  readonly stopping: boolean
}

/**
 * Reads the first page of the latest releases, by `readPage` as well. Resolves after WARM_UP_MS at the latest; never rejects. What is read
 * on in the background ends without a word once the process ends.
 */
export async function warmUp(
  services: Services,
  now: number,
  readPage: ReadPage = async () => {},
  ending: Ending = { stopping: false },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WARM_UP_MS)
  })
  const done = readAhead(services, now, readPage, ending).catch((error: unknown) => {
    if (!ending.stopping) services.log.warn({ err: error }, 'could not read releases ahead')
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}

async function readAhead(services: Services, now: number, readPage: ReadPage, ending: Ending): Promise<void> {
  const viewer = { subject: 'warm-up', role: 'shopper', accountId: null, expiresAt: Number.POSITIVE_INFINITY } as const
  const context = () => createContext(services, { viewer, now, requestId: 'warm-up' })
  const order = { field: 'createdAt', descending: false } as const
  const window = { after: null, before: null, limit: CATALOGS, reverse: false, id: '' }
  for (const { id: catalogId } of await catalogs.page(context(), { ...window, clauses: [], order })) {
    for (let reading = 0; reading < READINGS; reading++) {
      if (ending.stopping) return
      const ctx = context()
      const release = await ctx.loaders.releases.resolve(catalogId, 'latest')
      const hierarchyId = release?.hierarchyIds[0]
      if (hierarchyId === undefined) break
      const page = { limit: services.config.pageLength, offset: 0 }
      await listHierarchyProducts(ctx, { catalogId, releaseId: 'latest', hierarchyId, clauses: [], page })
      await readPage(context(), { catalog: catalogId, hierarchy: hierarchyId })
    }
  }
}
