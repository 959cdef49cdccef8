/**
 * Release differences: the products that differ between two releases, cached within bounded memory. Releases never
 * change, so a difference never expires. The documents that both share are never read.
 *
 * SQL, since Prisma can't pair the rows of two lists, nor look into arrays.
 */
import { LRUCache } from 'lru-cache'
import { type DocumentDifference, documentDifference } from '../../domain/catalog/document-difference.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'
import { cutMissingPrices } from './publish/price-spans.ts'

/** Bytes of all cached differences, and of all cached prices of them. */
const DIFFERENCE_BYTES_MAX = 16 * 1024 * 1024

/** Documents whose prices are read per point of work. */
const DOCUMENTS_PER_POINT = 20
/** Bytes of the price of one document. */
const PRICE_BYTES = 50

/** Counts points of work. */
type Spend = (points: number) => void

/**
 * Document numbers of products that differ, by place in two arrays of equal length; 0 where a release lacks the
 * product.
 */
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
 * $1: documents of the older release alone, $2: of the newer one alone. Bodies are hashed before they are grouped,
 * since they would be sorted on disk otherwise. GROUP BY takes half the time of a full join: PostgreSQL estimates its
 * rows fifty times too high and compiles it (JIT).
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
 * $1: documents, $2: the instant in epoch milliseconds, $3: a currency, null for all. This process counts and sorts,
 * since PostgreSQL would take longer to compile a statement that does. The planner does not know the array of documents
 * and uses the index. For thousands of known ones it would scan the whole table, which takes twice as long.
 */
const amountsAt = `
SELECT currency, to_json(array_agg(document_id)) AS documents, to_json(array_agg(amounts[width_bucket($2::float8, starts)])) AS amounts
FROM release_document_price WHERE document_id = ANY (ARRAY(SELECT unnest($1::int[]))) AND ($3::text IS NULL OR currency = $3)
GROUP BY currency ORDER BY currency COLLATE "C"`

interface AmountRow {
  readonly currency: string
  readonly documents: readonly number[]
  readonly amounts: readonly (number | null)[]
}

/** The prices of documents in a currency at an instant, by document number; null or absent without one. */
export type DocumentPrices = ReadonlyMap<number, number | null>

/** The differences of one process. */
export class ReleaseDifferences {
  private readonly cache = new LRUCache<string, ReleaseDifference>({
    maxSize: DIFFERENCE_BYTES_MAX,
    sizeCalculation: ({ changes, equal }) =>
      Math.min(8 * (changes.before.length + equal.before.length) + 500, DIFFERENCE_BYTES_MAX),
  })
  private readonly reads = new SingleFlight<string, ReleaseDifference>()
  /** The documents of recent reads, since their pairs and their prices are wanted at once. */
  private readonly documents = new LRUCache<string, DocumentDifference>({ max: 4 })
  private readonly prices = new LRUCache<string, DocumentPrices>({
    maxSize: DIFFERENCE_BYTES_MAX,
    sizeCalculation: ({ size }) => Math.min(PRICE_BYTES * size + 500, DIFFERENCE_BYTES_MAX),
  })

  constructor(private readonly database: Database) {}

  /** How `after` differs from `before`. No statement when it is cached, else one. */
  async load(before: Release, after: Release): Promise<ReleaseDifference> {
    const key = `${before.id} ${after.id}`
    return this.cache.get(key) ?? this.reads.run(key, () => this.read(key, before, after))
  }

  /** In how many of the changed products prices differ at `now`, by currency in its order. Two statements. */
  async countPrices(before: Release, after: Release, now: number): Promise<PriceChangeCount[]> {
    const { changes } = await this.load(before, after)
    const pairs = Array.from(changes.before, (document, place) => [document, changes.after[place] as number] as const)
    const inBoth = pairs.filter((pair) => !pair.includes(0))
    const prices = await this.readAmounts(before, after, inBoth.flat().join(), now, null)
    return prices
      .map((row) => countOf(row, inBoth))
      .filter(({ up, down, added, removed }) => up + down + added + removed > 0)
  }

  /**
   * The prices in a currency at `instant` of the documents that only one of the releases has. No statement when they
   * are cached, else two, which `spend` counts as work. It does not wait for `load`, so both can be read at the same
   * time.
   */
  async pricesAt(
    before: Release,
    after: Release,
    currency: string,
    instant: number,
    spend: Spend,
  ): Promise<DocumentPrices> {
    const key = `${before.id} ${after.id} ${currency} ${instant}`
    const cached = this.prices.get(key)
    if (cached) return cached
    const { gone, come } = this.documentsOf(before, after)
    spend((gone.length + come.length) / DOCUMENTS_PER_POINT)
    const [row] = await this.readAmounts(before, after, [...gone, ...come].join(), instant, currency)
    const prices = row ? amountsOf(row) : new Map<number, number | null>()
    this.prices.set(key, prices)
    return prices
  }

  private documentsOf(before: Release, after: Release): DocumentDifference {
    const key = `${before.id} ${after.id}`
    const found = this.documents.get(key) ?? documentDifference(before.allProducts.rising, after.allProducts.rising)
    this.documents.set(key, found)
    return found
  }

  private async readAmounts(
    before: Release,
    after: Release,
    documents: string,
    instant: number,
    currency: string | null,
  ) {
    const unpriced = 'SELECT id FROM release WHERE id = ANY ($1::uuid[]) AND NOT has_price_spans'
    const rows = await this.database.query<{ id: string }>('releases_without_price_spans', unpriced, [
      [before.id, after.id],
    ])
    for (const { id } of rows) {
      const { documents: all } = (id === before.id ? before : after).allProducts
      await cutMissingPrices(this.database.pool, id, all)
    }
    return this.database.query<AmountRow>('amounts_at', amountsAt, [`{${documents}}`, instant, currency])
  }

  private async read(key: string, before: Release, after: Release): Promise<ReleaseDifference> {
    const { gone, come } = this.documentsOf(before, after)
    const values = [`{${gone.join()}}`, `{${come.join()}}`]
    const [row] = await this.database.query<PairsRow>('release_difference', pairDocuments, values)
    const changes = { before: Int32Array.from(row?.before ?? []), after: Int32Array.from(row?.after ?? []) }
    const equal = { before: Int32Array.from(row?.beforeEqual ?? []), after: Int32Array.from(row?.afterEqual ?? []) }
    // The documents of a release that was removed meanwhile may be gone.
    const found = [changes.before, equal.before]
      .flatMap((documents) => [...documents])
      .filter((document) => document !== 0)
    if (found.length === gone.length) this.cache.set(key, { changes, equal })
    return { changes, equal }
  }
}

/** The amounts of a row by document. */
function amountsOf({ documents, amounts }: AmountRow): DocumentPrices {
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
