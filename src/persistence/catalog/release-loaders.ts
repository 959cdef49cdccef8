/** Release loaders: published releases, their products and modifiers. Each batch of one release is one statement. */
import DataLoader from 'dataloader'
import type { OptionUse } from '../../domain/catalog/listing-columns.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import type { Shopper } from '../../domain/catalog/rule-choice.ts'
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
import { type FormerPath, type FormerRecord, formerPathName, formerRecords } from './former-slugs.ts'
import type { ReleaseReader } from './readable-releases.ts'
import { fromRow, publicReleases, readCarriedInto, readScheduled, readSummaries, recordedReleases } from './release.ts'
import type { ReleaseCache } from './release-cache.ts'
import {
  type DocumentSlug,
  documentNumbers,
  documentsBySlugKey,
  documentsOfProducts,
  matchColumns,
  optionDocuments,
  optionUses,
} from './release-search.ts'

/** What the loaders of a request are made of. */
export type Parts = readonly [Database, ReleaseCache, CachePolicy, ReleaseReader]

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
 * The releases of one request. Each is resolved once, as by `ReleaseCache.resolve`, so that a request reads one
 * snapshot (release.is-a-snapshot); null when the reader finds none (right.shoppers-see-published-and-own).
 */
function releaseLoader(...[, cache, cachePolicy, reader]: Parts): Loader<WantedRelease, Release | null> {
  const find = async ({ catalogId, releaseId }: WantedRelease): Promise<Release | null> => {
    const release = await cache.resolve(catalogId, releaseId, reader)
    const validity = cache.confidential.validity(catalogId, releaseId, reader)
    cachePolicy.readRelease({ catalogId, releaseId, readsAll: reader.readsAll, id: release?.id ?? null, ...validity })
    // Not stored, since a draft keeps its id when it is published.
    if (release?.status === 'draft') cachePolicy.doNotStore()
    return release
  }
  const cacheKeyFn = ({ catalogId, releaseId }: WantedRelease): string => `${catalogId} ${releaseId}`
  // The cache batches what several requests want.
  return new DataLoader((keys) => Promise.all(keys.map(find)), { name: 'releases', batch: false, cacheKeyFn })
}

/**
 * Scheduled releases, each resolved once per request, whatever the reader's rights: responses tell when prices change,
 * never what the release holds. Null for one that is gone.
 */
function scheduledReleaseLoader(...[, cache, , { now }]: Parts): Loader<string, Release | null> {
  const find = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => cache.resolve(null, id, { now, readsAll: true, proof: null })))
  // The cache batches what several requests want.
  return new DataLoader(find, { name: 'scheduled releases by id', batch: false })
}

/** A shopper with the instant of the rules' schedules, epoch milliseconds. */
type ShopperAt = Shopper & { readonly now: number }

/** The catalogs that the rules choose, each chosen once, so that a request reads one catalog. */
function storefrontLoader(...[, cache, cachePolicy, reader]: Parts): Loader<ShopperAt, StorefrontChoice> {
  const choose = async ({ now, ...shopper }: ShopperAt) => {
    const choice = await cache.storefronts.choose(shopper, { rules: now, releases: reader.now })
    const { channel, tags } = shopper.context
    cachePolicy.readStorefront({ channel, tags, choice })
    return choice
  }
  // The cache batches what several requests want.
  return new DataLoader((keys) => Promise.all(keys.map(choose)), {
    name: 'storefronts',
    batch: false,
    cacheKeyFn: JSON.stringify,
  })
}

/** The factories of a request's loaders. */
export const releaseLoaders = {
  releaseByCatalogIdAndReleaseId: releaseLoader,
  storefrontByShopper: storefrontLoader,
  catalogPublicationById: recordsById('catalog publications', catalogSource),
  releaseSummaryById: byId('release summaries', readSummaries),
  /** By the id of a carried release, that of the release that has its schedule now. */
  carriedIntoByReleaseId: loaderOf<string, string | null>({
    name: 'carried releases',
    none: null,
    read: async (on, ids) => new Map((await readCarriedInto(on, ids)).map(({ id, into }) => [id, into])),
  }),
  /** Public releases are for everyone; recorded ones, with scheduled, failed and running publishes, for admins. */
  publicReleaseListByCatalogId: (...[database, , , { now }]: Parts) =>
    keysetList(publicReleases(now), fromRow)(database),
  scheduledReleasesByCatalogId: (...[database, , , { now }]: Parts) =>
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
  /** By the key of a slug, the documents of a release whose slugs differ from it in case alone, in its order. */
  documentSlugsByReleaseAndSlugKey: byRelease<readonly DocumentSlug[]>((release) => ({
    name: 'document slugs',
    none: [],
    read: (on, keys) => documentsBySlugKey(on, release, keys),
  })),
  /** By catalog and path, what former releases called so, the latest first. */
  formerRecordsByPath: loaderOf<FormerPath, readonly FormerRecord[]>({
    name: 'former slugs',
    cacheKeyFn: formerPathName,
    none: [],
    read: formerRecords,
  }),
  /** By raw product id, the numbers of its documents in whatever release. */
  documentNumbersByProductId: loaderOf<string, readonly number[]>({
    name: 'documents of products',
    none: [],
    read: documentsOfProducts,
  }),
  scheduledReleaseById: scheduledReleaseLoader,
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
    read: async (on, keys) =>
      new Map((await modifiersByNames(on, keys)).map((modifier) => [nameInBook(modifier), modifier])),
  }),
  /** By option id, the uses of the option in a release; none when no parent of it has the option. */
  optionUsesByReleaseAndOptionId: byRelease<readonly OptionUse[]>((release) => ({
    name: 'uses of options',
    none: [],
    read: (on, ids) => optionUses(on, release, ids),
  })),
  /**
   * By release id, the numbers of its documents that meet every clause on columns, possibly with documents of other
   * releases.
   */
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
