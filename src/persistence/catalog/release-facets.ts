/**
 * Release facets: the facet columns of releases, cached within bounded memory. A release never changes, so they never expire; one statement
 * reads those of a release, whatever the number of its fields.
 */
import { LRUCache } from 'lru-cache'
import { FacetColumn, type Posting, type ReleaseFacets } from '../../domain/catalog/facet-column.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'

/** Bytes of all cached facets. Those of one release are cached alone when they are larger. */
export const FACETS_BYTES_MAX = 32 * 1024 * 1024

interface FacetRow extends Posting {
  readonly field: string
}

/** The facets of one process. */
export class FacetStore {
  private readonly cache = new LRUCache<string, ReleaseFacets>({
    maxSize: FACETS_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(sizeInBytes, FACETS_BYTES_MAX),
  })
  private readonly running = new Map<string, Promise<ReleaseFacets>>()

  constructor(private readonly database: Database) {}

  /** The facets of a release. Requests that want them at once share the statement. */
  async find(release: Release): Promise<ReleaseFacets> {
    const cached = this.cache.get(release.id)
    if (cached) return cached
    const reading = this.running.get(release.id) ?? this.read(release).finally(() => this.running.delete(release.id))
    this.running.set(release.id, reading)
    return reading
  }

  private async read(release: Release): Promise<ReleaseFacets> {
    const text = `
SELECT field, value, to_json(documents) AS documents FROM release_facet WHERE release_id = $1::uuid AND field <> 'options'
ORDER BY field, value`
    const facets = readFacets(release, await this.database.query<FacetRow>('release_facets', text, [release.id]))
    this.cache.set(release.id, facets)
    return facets
  }
}

/** The facets of a release from its posting lists. */
export function readFacets({ allProducts }: Release, rows: readonly FacetRow[]): ReleaseFacets {
  const { length } = allProducts.documents
  const byField = groupBy(rows, ({ field }) => fieldOf(field))
  const leaders = Int32Array.from({ length }, (_, rank) => rank)
  const family = byField.get('families')?.[0]?.documents ?? []
  const half = family.length / 2
  for (let at = 0; at < half; at++) {
    const [child, parent] = [family[at], family[half + at]].map((document) => allProducts.positionOf(document as number))
    if (child !== undefined && parent !== undefined && child >= 0 && parent >= 0) leaders[child] = parent
  }
  const tooManyValues = new Set(byField.get('too_many_values')?.map(({ value }) => fieldOf(value)))
  byField.delete('families')
  byField.delete('too_many_values')
  const rankOf = (document: number): number => allProducts.positionOf(document)
  const columns = new Map([...byField].map(([field, postings]) => [field, FacetColumn.of(postings, length, rankOf)]))
  const sizeInBytes = [...columns.values()].reduce((sum, column) => sum + column.sizeInBytes, leaders.byteLength + 1_000)
  return { columns, tooManyValues, leaders, sizeInBytes }
}

/** The database writes JSON with spaces. */
function fieldOf(field: string): string {
  return field.startsWith('[') ? JSON.stringify(JSON.parse(field)) : field
}
