/** Release loaders: published releases, their products and modifiers. Each batch of one release is one statement. */
import DataLoader from 'dataloader'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import type { ShopperContext } from '../../domain/catalog/rule-choice.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import type { TextClause } from '../../domain/input/record-filter.ts'
import type { PriceModifier } from '../../domain/pricing/price-modifier.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { CachePolicy, StorefrontChoice } from '../../response-cache/cache-policy.ts'
import type { Database } from '../database/database.ts'
import { keysetList } from '../loading/keyset.ts'
import { byId, type Loader, type LoaderOptions, loaderOf, loadersBy, recordsById } from '../loading/loader.ts'
import { priceModifierTable } from '../pricing/price-modifier.ts'
import { catalogSource } from './catalog-publication.ts'
import type { ReleaseReader } from './readable-releases.ts'
import { fromRow, publicReleases, readScheduled, readSummaries, recordedReleases } from './release.ts'
import type { ReleaseCache } from './release-cache.ts'
import { documentNumbers, documentsOfProducts, matchColumns, type OptionChild, optionChildren, optionDocuments } from './release-search.ts'

interface ModifierName {
  readonly priceBookId: string
  readonly name: string
}

const nameInBook = ({ priceBookId, name }: ModifierName): string => `${priceBookId} ${name}`

async function modifiersByNames({ prisma }: Database, keys: readonly ModifierName[]): Promise<PriceModifier[]> {
  const where = { OR: keys.map(({ priceBookId, name }) => ({ priceBookId, name })) }
  return (await prisma.priceModifier.findMany({ where })).map(priceModifierTable.fromRow)
}

/**
 * The releases of one request: each is resolved once, as `ReleaseCache.resolve`, so that a request reads one snapshot
 * (release.is-a-snapshot); null when the reader finds none (right.shoppers-see-published-and-own).
 */
function releaseLoader(cache: ReleaseCache, cachePolicy: CachePolicy, reader: ReleaseReader): Loader<WantedRelease, Release | null> {
  const find = async ({ catalogId, releaseId }: WantedRelease): Promise<Release | null> => {
    const release = await cache.resolve(catalogId, releaseId, reader)
    const validity = cache.known.validity(catalogId, releaseId, reader.now)
    cachePolicy.readRelease({ catalogId, releaseId, readsAll: reader.readsAll, id: release?.id ?? null, ...validity })
    // A draft keeps its id when it is published.
    if (release?.isDraft) cachePolicy.doNotStore()
    return release
  }
  const cacheKeyFn = ({ catalogId, releaseId }: WantedRelease): string => `${catalogId} ${releaseId}`
  // The cache batches what several requests want.
  return new DataLoader((keys) => Promise.all(keys.map(find)), { name: 'releases', batch: false, cacheKeyFn })
}

/** Scheduled releases, each resolved once per request; null for one that is gone. */
function scheduledReleaseLoader(cache: ReleaseCache, now: number): Loader<string, Release | null> {
  const find = (ids: readonly string[]) => Promise.all(ids.map((id) => cache.resolve(null, id, { now, readsAll: true })))
  // The cache batches what several requests want.
  return new DataLoader(find, { name: 'scheduled releases by id', batch: false })
}

/** A shopper with the instant of the rules' schedules, epoch milliseconds. */
type ShopperAt = ShopperContext & { readonly now: number }

/** The catalogs that the rules choose: each once, so that a request reads one catalog by it. */
function storefrontLoader(cache: ReleaseCache, cachePolicy: CachePolicy, reader: ReleaseReader): Loader<ShopperAt, StorefrontChoice> {
  const choose = async ({ now, ...shopper }: ShopperAt) => {
    const choice = await cache.storefronts.choose(shopper, { rules: now, releases: reader.now })
    cachePolicy.readStorefront({ channel: shopper.channel, tags: shopper.tags, choice })
    return choice
  }
  // The cache batches what several requests want.
  return new DataLoader((keys) => Promise.all(keys.map(choose)), { name: 'storefronts', batch: false, cacheKeyFn: JSON.stringify })
}

/** The factories of a request's loaders. */
export const releaseLoaders = {
  releaseByCatalogIdAndReleaseId: (_: Database, releases: ReleaseCache, cachePolicy: CachePolicy, reader: ReleaseReader) =>
    releaseLoader(releases, cachePolicy, reader),
  storefrontByShopper: (_: Database, releases: ReleaseCache, cachePolicy: CachePolicy, reader: ReleaseReader) =>
    storefrontLoader(releases, cachePolicy, reader),
  catalogPublicationById: recordsById('catalog publications', catalogSource),
  releaseSummaryById: byId('release summaries', readSummaries),
  /** Public releases are for everyone; recorded ones, with scheduled, failed and running publishes, for admins. */
  publicReleaseListByCatalogId: (database: Database, _releases: ReleaseCache, _policy: CachePolicy, { now }: ReleaseReader) =>
    keysetList(publicReleases(now), fromRow)(database),
  scheduledReleasesByCatalogId: (database: Database, _releases: ReleaseCache, _policy: CachePolicy, { now }: ReleaseReader) =>
    loaderOf<string, readonly ReleaseSummary[]>({
      name: 'scheduled releases',
      none: [],
      read: async (on, catalogIds) => groupBy(await readScheduled(on, catalogIds, now), ({ catalogId }) => catalogId),
    })(database),
  recordedReleaseListByCatalogId: keysetList(recordedReleases, fromRow),
  /** By raw product id, the number of its document in a release; null when the release lacks the product. */
  documentNumberByReleaseAndProductId: byRelease<number | null>((release) => ({
    name: 'document numbers',
    none: null,
    read: (on, ids) => documentNumbers(on, release, ids),
  })),
  /** By raw product id, the numbers of its documents in whatever release. */
  documentNumbersByProductId: loaderOf<string, readonly number[]>({ name: 'documents of products', none: [], read: documentsOfProducts }),
  /**
   * A scheduled release, whoever reads it: what it holds is nobody's yet, and only when prices change is told of it.
   */
  scheduledReleaseById: (_database: Database, releases: ReleaseCache, _policy: CachePolicy, { now }: ReleaseReader) =>
    scheduledReleaseLoader(releases, now),
  /** By raw product id, the numbers of the bundles that have it as an option, in the order of the release's listing. */
  bundleNumbersByReleaseAndProductId: byRelease<Int32Array>((release) => ({
    name: 'bundle numbers',
    none: new Int32Array(),
    read: (on, ids) => optionDocuments(on, release, ids),
  })),
  /** A modifier of a release as it is now; null when its book has no modifier of the name any more. */
  priceModifierByPriceBookIdAndName: loaderOf<ModifierName, PriceModifier | null>({
    name: 'modifiers by name',
    cacheKeyFn: nameInBook,
    // Each key is two parameters and one condition of an OR.
    maxBatchSize: 1_000,
    none: null,
    read: async (on, keys) => new Map((await modifiersByNames(on, keys)).map((modifier) => [nameInBook(modifier), modifier])),
  }),
  /** By option id, the children of any release that have the option. */
  optionChildrenByOptionId: loaderOf<string, readonly OptionChild[]>({ name: 'children of options', none: [], read: optionChildren }),
  /** By release id, the numbers of its documents for which every clause on columns holds, possibly with documents of other releases. */
  matchesByReleaseAndClauses: loadersBy<MatchArguments, string, ReadonlySet<number>>(
    ({ release, clauses }) => `${release.id} ${JSON.stringify(clauses)}`,
    ({ release, clauses }) => ({
      name: 'matches',
      none: new Set(),
      read: async (on) => new Map([[release.id, await matchColumns(on, release, clauses)]]),
    }),
  ),
}

interface MatchArguments {
  readonly release: Release
  readonly clauses: readonly TextClause[]
}

/** A factory of loaders for each release; loaders of the same release share statements. */
function byRelease<Value>(optionsOf: (release: Release) => LoaderOptions<string, Value>) {
  return loadersBy(({ id }: Release) => id, optionsOf)
}
