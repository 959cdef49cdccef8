/**
 * Release facets: the facet columns of releases, cached within bounded memory. A release never changes, so they never
 * expire. One statement reads those of a release, however many fields it has.
 *
 * SQL, since they may come from a standby, which Prisma does not know.
 */
import { LRUCache } from 'lru-cache'
import {
  FacetColumn,
  type Posting,
  type ReleaseFacets,
  type VariationNames,
} from '../../domain/catalog/facet-column.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { Locales } from '../../domain/language/locale.ts'
import { groupBy } from '../../lib/group-by.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { JoinedRead } from '../database/joined-reads.ts'

/** Bytes of all cached facets. Larger facets of one release are cached alone. */
const FACETS_BYTES_MAX = 32 * 1024 * 1024

/** From this many products on, each column of a release takes milliseconds. */
const LARGE = 10_000
/** The widest range of document numbers for which there is a table of positions. */
const TABLE_MAX = 4_000_000

const lookups = cacheLookups('release_facets')

interface FacetRow extends Posting {
  readonly field: string
}

/** The facets of one process. */
export class FacetStore {
  private readonly cache = new LRUCache<string, ReleaseFacets>({
    maxSize: FACETS_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(sizeInBytes, FACETS_BYTES_MAX),
  })
  private readonly reads = new SingleFlight<string, ReleaseFacets>()

  constructor(private readonly query: JoinedRead) {}

  /** The facets of a release. Requests that want them at once share the statement. */
  async find(release: Release): Promise<ReleaseFacets> {
    return lookups.count(this.cache.get(release.id)) ?? this.reads.run(release.id, () => this.read(release))
  }

  private async read(release: Release): Promise<ReleaseFacets> {
    const text = `
SELECT field AS key, value, to_json(documents)::text AS body FROM release_facet WHERE release_id = $1::uuid AND field <> 'options' AND field NOT LIKE 'childless %'
ORDER BY field COLLATE "C", value COLLATE "C"`
    const rows = await this.query('release_facets', text, [release.id])
    const postings = rows.map(({ key, value, body }) => ({
      field: key ?? '',
      value: value ?? '',
      documents: JSON.parse(body) as number[],
    }))
    const facets = await readFacets(release, postings)
    this.cache.set(release.id, facets)
    return facets
  }
}

/** The facets of a release from its posting lists; other requests run between its fields. */
export async function readFacets({ allProducts }: Release, rows: readonly FacetRow[]): Promise<ReleaseFacets> {
  const { length } = allProducts.documents
  const rankOf = rankLookup(allProducts)
  const byField = groupBy(rows, ({ field }) => fieldOf(field))
  const leaders = Int32Array.from({ length }, (_, rank) => rank)
  const family = byField.get('families')?.[0]?.documents ?? []
  const half = family.length / 2
  for (let at = 0; at < half; at++) {
    const [child, parent] = [family[at], family[half + at]].map((document) => rankOf(document as number))
    if (child !== undefined && parent !== undefined && child >= 0 && parent >= 0) leaders[child] = parent
  }
  const tooManyValues = new Set(byField.get('too_many_values')?.map(({ value }) => fieldOf(value)))
  const names = (byField.get('variation_names') ?? []).map(({ value }) => value)
  const sortOrders = (byField.get('sort_orders') ?? []).map(({ value }) => value)
  for (const field of ['families', 'too_many_values', 'variation_names', 'sort_orders']) byField.delete(field)
  const columns = new Map<string, FacetColumn>()
  for (const [field, postings] of byField) {
    columns.set(field, FacetColumn.of(postings, length, rankOf))
    if (length > LARGE) await new Promise(setImmediate)
  }
  const sizeOfNames = [...names, ...sortOrders].reduce((sum, text) => sum + 120 + 4 * text.length, 0)
  const sizeInBytes = [...columns.values()].reduce(
    (sum, column) => sum + column.sizeInBytes,
    leaders.byteLength + sizeOfNames + 1_000,
  )
  const variationNames = readVariationNames(names)
  return { columns, tooManyValues, leaders, variationNames, sortOrders: readSortOrders(sortOrders), sizeInBytes }
}

/** Each row is a variation, one of its options or null, and the name of that in other languages. */
function readVariationNames(rows: readonly string[]): Map<string, VariationNames> {
  const entries = rows.map((row) => JSON.parse(row) as [variation: string, option: string | null, locales: Locales])
  const byVariation = groupBy(entries, ([variation]) => variation)
  return new Map(
    [...byVariation].map(([variation, named]) => {
      const options = named.flatMap(([, option, locales]) => (option === null ? [] : [[option, locales] as const]))
      return [variation, { locales: named.find(([, option]) => option === null)?.[2] ?? {}, options: new Map(options) }]
    }),
  )
}

/** Each row is a variation, one of its options, and the sort order of that. */
function readSortOrders(rows: readonly string[]): Map<string, Map<string, number>> {
  const entries = rows.map((row) => JSON.parse(row) as [variation: string, option: string, sortOrder: number])
  const byVariation = groupBy(entries, ([variation]) => variation)
  return new Map(
    [...byVariation].map(([variation, given]) => [
      variation,
      new Map(given.map(([, option, sortOrder]) => [option, sortOrder])),
    ]),
  )
}

/**
 * Finds the position of a document in the release, -1 for others. A table is ten times as fast where document numbers
 * lie close.
 */
function rankLookup(allProducts: Release['allProducts']): (document: number) => number {
  const { documents } = allProducts
  const first = documents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const last = documents.reduce((most, one) => Math.max(most, one), 0)
  if (documents.length === 0 || last - first >= TABLE_MAX) return (document) => allProducts.positionOf(document)
  const table = new Int32Array(last - first + 1).fill(-1)
  for (const [rank, document] of documents.entries()) table[document - first] = rank
  return (document) => table[document - first] ?? -1
}

/** The database writes JSON with spaces, which this removes. */
function fieldOf(field: string): string {
  return field.startsWith('[') ? JSON.stringify(JSON.parse(field)) : field
}
