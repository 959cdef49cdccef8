/** Loaders of what is published. Each batch of one release is one statement. */
import type { FilterClause } from '../domain/filter.ts'
import type { PriceModifier } from '../domain/price-modifier.ts'
import type { Release } from '../domain/release.ts'
import { byId } from './by-id.ts'
import { publicationsByIds } from './catalog-publication.ts'
import type { Database } from './database.ts'
import { keysetPages, keysetTotals } from './keyset.ts'
import { familyOf, type LookUp, loaderOf } from './loader.ts'
import { priceModifierFromRow } from './price-modifier.ts'
import { fromRow, publishedReleases, readSummaries, recordedReleases } from './release.ts'
import { documentNumbers, matchDocuments, optionDocuments } from './release-search.ts'
import type { ReleaseStore } from './release-store.ts'

interface OfRelease {
  readonly release: Release
  /** Raw id. */
  readonly productId: string
}

interface ModifierName {
  readonly priceBookId: string
  readonly name: string
}

const nameKey = ({ priceBookId, name }: ModifierName): string => `${priceBookId} ${name}`

async function modifiersByNames({ prisma }: Database, keys: readonly ModifierName[]): Promise<PriceModifier[]> {
  const where = { OR: keys.map(({ priceBookId, name }) => ({ priceBookId, name })) }
  return (await prisma.priceModifier.findMany({ where })).map(priceModifierFromRow)
}

/** What a request asked for, and the id of the release that it was given; null for none. */
export interface ResolvedRelease {
  readonly catalogId: string | null
  readonly releaseId: string
  readonly id: string | null
}

/** What `latest` and the ids of releases mean to one request (CAT-2: resolved once per request). */
class ResolvedReleases {
  private readonly asked = new Map<string, Promise<Release | null>>()
  /** What was found so far. */
  readonly resolved: ResolvedRelease[] = []

  constructor(private readonly store: ReleaseStore) {}

  /** The catalog's release by id or `latest`; null for `catalogId` asks whatever catalog it is of. Null when it is not published. */
  resolve(catalogId: string | null, releaseId: string): Promise<Release | null> {
    const key = `${catalogId} ${releaseId}`
    const known = this.asked.get(key) ?? this.find(catalogId, releaseId)
    this.asked.set(key, known)
    return known
  }

  private async find(catalogId: string | null, releaseId: string): Promise<Release | null> {
    const release = await this.store.resolve(catalogId, releaseId)
    this.resolved.push({ catalogId, releaseId, id: release?.id ?? null })
    return release
  }

  /** After a write of this request, such as a publish. */
  clearAll(): void {
    this.asked.clear()
  }
}

export const releaseLoaders = {
  releases: (_: Database, releases: ReleaseStore) => new ResolvedReleases(releases),
  catalogPublicationById: byId('catalog publications', publicationsByIds),
  releaseSummaryById: byId('release summaries', readSummaries),
  /** For shoppers, and with failed and running publishes for admins. */
  publishedReleasePageByCatalogId: keysetPages(publishedReleases, fromRow),
  publishedReleaseTotalByCatalogId: keysetTotals(publishedReleases),
  recordedReleasePageByCatalogId: keysetPages(recordedReleases, fromRow),
  recordedReleaseTotalByCatalogId: keysetTotals(recordedReleases),
  /** The number of a product's document in a release; null when the release does not hold it. */
  documentNumberByReleaseAndProductId: byRelease<number | null>('document numbers', async (on, release, ids) => {
    const numbers = await documentNumbers(on, release, ids)
    return (id) => numbers.get(id) ?? null
  }),
  /** The numbers of the bundles that have the product as an option, in the order of the release's listing. */
  bundleNumbersByReleaseAndProductId: byRelease<Int32Array>('bundle numbers', async (on, release, ids) => {
    const numbers = await optionDocuments(on, release, ids)
    return (id) => numbers.get(id) ?? new Int32Array()
  }),
  /** What a release's modifier is now; null when the book has none of the name any more. */
  priceModifierByPriceBookIdAndName: loaderOf<ModifierName, PriceModifier | null>({
    name: 'modifiers by name',
    placeOf: nameKey,
    fetch: async (on, keys) => {
      const found = new Map((await modifiersByNames(on, keys)).map((one) => [nameKey(one), one]))
      return (key) => found.get(nameKey(key)) ?? null
    },
  }),
  /** The numbers of all documents of the release for which every clause holds, and others of other releases; once per request. */
  matchesByReleaseAndClauses: familyOf<Matched, null, Set<number>>({
    idOf: ({ release, clauses }) => `${release.id} ${JSON.stringify(clauses)}`,
    keyOf: () => null,
    pathOf: ({ release, clauses }, id) => ({
      name: `matches ${id}`,
      fetch: async (on) => {
        const matches = await matchDocuments(on, release, clauses)
        return () => matches
      },
    }),
  }),
}

interface Matched {
  readonly release: Release
  readonly clauses: readonly FilterClause[]
}

/** Loaders by release and product; those of one release share a statement. */
function byRelease<Value>(
  name: string,
  fetch: (on: Database, release: Release, productIds: readonly string[]) => Promise<LookUp<string, Value>>,
) {
  return familyOf<OfRelease, string, Value>({
    idOf: ({ release }) => release.id,
    keyOf: ({ productId }) => productId,
    pathOf: ({ release }, id) => ({ name: `${name} ${id}`, fetch: (on, productIds) => fetch(on, release, productIds) }),
  })
}
