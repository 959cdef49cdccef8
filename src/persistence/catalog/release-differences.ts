/**
 * Release differences: the products that differ between two releases, cached within bounded memory. Releases never change, so a difference
 * never expires. The documents that both share are never read.
 *
 * SQL, since Prisma can't pair the rows of two lists, nor look into arrays.
 */
import { LRUCache } from 'lru-cache'
import { documentDifference } from '../../domain/catalog/document-difference.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'
import { cutMissingPrices } from './publish/price-spans.ts'

/** Bytes of all cached differences, and of all cached prices of them. */
export const DIFFERENCE_BYTES_MAX = 16 * 1024 * 1024

/** Documents whose prices are read per point of work. */
const DOCUMENTS_PER_POINT = 20

/** Document numbers of products that differ, by place in two arrays of equal length; 0 where a release lacks the product. */
export interface DocumentPairs {
  readonly before: Int32Array
  readonly after: Int32Array
}

/** The products that differ, and those of which both releases have documents of equal content. */
export interface ReleaseDifference {
  /** In the order of the name, by code point, then of the product id. */
  readonly changes: DocumentPairs
  readonly equal: DocumentPairs
}

/** In how many products the price of one unit in a currency differs between two releases. */
export interface PriceChangeCount {
  readonly currency: string
  readonly up: number
  readonly down: number
  /** Products that have a price in the newer release alone, or in the older one alone. */
  readonly added: number
  readonly removed: number
}

/**
 * $1: documents of the older release alone, $2: of the newer one alone. Bodies are hashed before they are grouped, for which they would be
 * sorted on disk. GROUP BY takes half the time of a full join, whose rows PostgreSQL guesses fifty times too many and compiles (JIT).
 */
const pairDocuments = `
WITH document AS (
  SELECT id, product_id, name, hashtextextended(body::text, 0) AS content, false AS is_newer FROM release_document WHERE id = ANY ($1::int[])
  UNION ALL
  SELECT id, product_id, name, hashtextextended(body::text, 0), true FROM release_document WHERE id = ANY ($2::int[])),
pair AS (
  SELECT coalesce(max(id) FILTER (WHERE NOT is_newer), 0) AS before, coalesce(max(id) FILTER (WHERE is_newer), 0) AS after,
    count(*) = 2 AND min(content) = max(content) AS is_equal
  FROM document GROUP BY product_id ORDER BY coalesce(max(name) FILTER (WHERE is_newer), max(name)) COLLATE "C", product_id)
SELECT ${(['before', 'after'] as const).flatMap((side) => [
  `to_json(array_agg(${side}) FILTER (WHERE NOT is_equal)) AS ${side}`,
  `to_json(array_agg(${side}) FILTER (WHERE is_equal)) AS "${side}Equal"`,
])}
FROM pair`

/** Document numbers; null for none. */
type PairsRow = Readonly<Record<'before' | 'after' | 'beforeEqual' | 'afterEqual', readonly number[] | null>>

/**
 * $1: documents, $2: the instant in epoch milliseconds, $3: a currency, null for all. Counted and sorted in this process: PostgreSQL takes
 * longer to compile a statement that does.
 */
const amountsAt = `
SELECT currency, to_json(array_agg(document_id)) AS documents, to_json(array_agg(amounts[width_bucket($2::float8, starts)])) AS amounts
FROM release_document_price WHERE document_id = ANY ($1::int[]) AND ($3::text IS NULL OR currency = $3)
GROUP BY currency ORDER BY currency COLLATE "C"`

interface AmountRow {
  readonly currency: string
  readonly documents: readonly number[]
  readonly amounts: readonly (number | null)[]
}

/** The products that differ between two releases. */
interface ChangedPairs {
  readonly since: Release
  readonly release: Release
  readonly pairs: DocumentPairs
}

/** Counts points of work. */
type Spend = (points: number) => void

/** The prices of the changed products at an instant, by place in the pairs; NaN where a release lacks the product or its price. */
export interface PricePairs {
  readonly before: Float64Array
  readonly after: Float64Array
}

/** The differences of one process. */
export class ReleaseDifferences {
  private readonly cache = new LRUCache<string, ReleaseDifference>({
    maxSize: DIFFERENCE_BYTES_MAX,
    sizeCalculation: ({ changes, equal }) => Math.min(8 * (changes.before.length + equal.before.length) + 500, DIFFERENCE_BYTES_MAX),
  })
  private readonly reads = new SingleFlight<string, ReleaseDifference>()
  private readonly prices = new LRUCache<string, PricePairs>({
    maxSize: DIFFERENCE_BYTES_MAX,
    sizeCalculation: ({ before }) => Math.min(16 * before.length + 500, DIFFERENCE_BYTES_MAX),
  })

  constructor(private readonly database: Database) {}

  /** What `after` has in place of what `before` has. No statement when it is cached, else one. */
  async load(before: Release, after: Release): Promise<ReleaseDifference> {
    const key = `${before.id} ${after.id}`
    return this.cache.get(key) ?? this.reads.run(key, () => this.read(key, before, after))
  }

  /** In how many of the changed products prices differ at `now`, by currency in its order. Two statements. */
  async countPrices(before: Release, after: Release, now: number): Promise<PriceChangeCount[]> {
    const { changes } = await this.load(before, after)
    const inBoth = pairsInBoth(changes)
    const prices = await this.readAmounts(before, after, inBoth.flat(), now, null)
    return prices.map((row) => countOf(row, inBoth)).filter(({ up, down, added, removed }) => up + down + added + removed > 0)
  }

  /**
   * The prices in a currency at `instant` of those changed products (`pairs`) that both releases have. No statement when they are cached,
   * else two, which `spend` counts as work.
   */
  async pricesAt({ since, release, pairs }: ChangedPairs, currency: string, instant: number, spend: Spend): Promise<PricePairs> {
    const key = `${since.id} ${release.id} ${currency} ${instant}`
    const cached = this.prices.get(key)
    if (cached) return cached
    const documents = pairsInBoth(pairs).flat()
    spend(documents.length / DOCUMENTS_PER_POINT)
    const [row] = await this.readAmounts(since, release, documents, instant, currency)
    const amountOf = amountsOf(row)
    const toAmounts = (side: Int32Array) => Float64Array.from(side, (document) => amountOf.get(document) ?? Number.NaN)
    const prices = { before: toAmounts(pairs.before), after: toAmounts(pairs.after) }
    this.prices.set(key, prices)
    return prices
  }

  private async readAmounts(before: Release, after: Release, documents: readonly number[], instant: number, currency: string | null) {
    const unpriced = 'SELECT id FROM release WHERE id = ANY ($1::uuid[]) AND NOT has_price_spans'
    const rows = await this.database.query<{ id: string }>('releases_without_price_spans', unpriced, [[before.id, after.id]])
    for (const { id } of rows) {
      const { documents: all } = (id === before.id ? before : after).allProducts
      await cutMissingPrices(this.database.pool, id, all)
    }
    return this.database.query<AmountRow>('amounts_at', amountsAt, [`{${documents.join()}}`, instant, currency])
  }

  private async read(key: string, before: Release, after: Release): Promise<ReleaseDifference> {
    const { gone, come } = documentDifference(before.allProducts.documents, after.allProducts.documents)
    const values = [`{${gone.join()}}`, `{${come.join()}}`]
    const [row] = await this.database.query<PairsRow>('release_difference', pairDocuments, values)
    const changes = { before: Int32Array.from(row?.before ?? []), after: Int32Array.from(row?.after ?? []) }
    const equal = { before: Int32Array.from(row?.beforeEqual ?? []), after: Int32Array.from(row?.afterEqual ?? []) }
    // The documents of a release that was removed meanwhile may be gone.
    const found = [changes.before, equal.before].flatMap((documents) => [...documents]).filter((document) => document !== 0)
    if (found.length === gone.length) this.cache.set(key, { changes, equal })
    return { changes, equal }
  }
}

/** The pairs of the products that both releases have. */
function pairsInBoth({ before, after }: DocumentPairs): (readonly [before: number, after: number])[] {
  return Array.from(before, (document, place) => [document, after[place] as number] as const).filter((pair) => !pair.includes(0))
}

/** The amounts of a row by document. */
function amountsOf({ documents, amounts }: Pick<AmountRow, 'documents' | 'amounts'> = { documents: [], amounts: [] }) {
  return new Map(documents.map((document, at) => [document, amounts[at] ?? null]))
}

function countOf(row: AmountRow, pairs: readonly (readonly [before: number, after: number])[]): PriceChangeCount {
  const amountOf = amountsOf(row)
  const count = { up: 0, down: 0, added: 0, removed: 0 }
  for (const [before, after] of pairs) {
    const [old, now] = [amountOf.get(before) ?? null, amountOf.get(after) ?? null]
    if (old === now) continue
    count[old === null ? 'added' : now === null ? 'removed' : now > old ? 'up' : 'down']++
  }
  return { currency: row.currency, ...count }
}
