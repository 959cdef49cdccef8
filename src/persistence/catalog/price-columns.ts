/**
 * Price columns of releases, by currency. Each is read in one statement, cached within bounded memory, and shared by
 * concurrent requests.
 *
 * SQL, since the spans of many rows come as one text, where Prisma would make an object of each row.
 */
import { LRUCache } from 'lru-cache'
import type { PriceColumn } from '../../domain/catalog/price-snapshot.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRead } from '../database/joined-reads.ts'
import { cutMissingPrices } from './publish/price-spans.ts'
import { type DocumentSpans, type SpanColumn, SpanColumnBuilder } from './span-column.ts'

/** Bytes of all cached columns. */
const COLUMN_BYTES_MAX = 32 * 1024 * 1024

/**
 * $1: release, $2: currency, $3: documents, $4 and $5: the first and the last of them. Each row has the spans of some
 * documents, in order, as a JSON array, and whether the release has its spans. When there are no spans, one row has the
 * currencies of the documents. The JSON is parsed row by row, so that other requests run in between. Joining texts
 * takes half the time of json_agg.
 */
const readSpans = `
SELECT r.has_price_spans::text AS key, CASE WHEN s.spans IS NULL THEN array_to_json(ARRAY(
    SELECT DISTINCT p.currency FROM unnest($3::int[]) d (id) JOIN release_document_price p ON p.document_id = d.id))::text END AS value,
  concat('[', s.spans, ']') AS body
FROM release r LEFT JOIN (
  SELECT string_agg(concat('[', p.document_id, ',[', array_to_string(p.starts[2:], ','), '],[', array_to_string(p.amounts, ',', 'null'), '],[',
      array_to_string(p.on_sale::int[], ','), ']]'), ',' ORDER BY p.document_id) AS spans
  FROM unnest($3::int[]) d (id)
  JOIN release_document_price p ON p.document_id = d.id AND p.currency = $2 AND p.document_id BETWEEN $4::int AND $5::int
  GROUP BY p.document_id / 4096 ORDER BY p.document_id / 4096) s ON true
WHERE r.id = $1::uuid`

/** Releases whose currencies are cached. */
const RELEASES_MAX = 100
/** Documents whose prices are read per point of work. */
const DOCUMENTS_PER_POINT = 20

/** The column of a currency in which nothing has a price. */
const noPrices = new SpanColumnBuilder(new Int32Array(), undefined).build()

/** Documents that are copied from another column between two turns of the event loop. */
const DOCUMENTS_AT_ONCE = 4096

const lookups = cacheLookups('price_columns')

/** The price columns of one process. */
export class PriceColumns {
  private readonly cache = new LRUCache<string, SpanColumn>({
    maxSize: COLUMN_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
  })
  private readonly reads = new SingleFlight<string, SpanColumn>()
  /**
   * The currencies of releases for which a currency without prices was requested. Columns without prices are not
   * cached: they would evict others.
   */
  private readonly currencies = new LRUCache<string, ReadonlySet<string>>({ max: RELEASES_MAX })

  /** `primary` cuts the prices of releases from program versions without spans. */
  constructor(
    private readonly query: JoinedRead,
    private readonly primary: Database,
  ) {}

  /**
   * The column of a release. No statement when it is cached, else one, which `spend` counts as work. After the first
   * currency without prices, further such currencies of the release take no statement.
   */
  async load(release: Release, currency: string, spend: (points: number) => void): Promise<PriceColumn> {
    const key = `${currency} ${release.id}`
    const cached = lookups.count(this.cache.get(key))
    if (cached) return cached
    if (this.currencies.get(release.id)?.has(currency) === false) return noPrices
    if (!this.reads.get(key)) spend(release.allProducts.documents.length / DOCUMENTS_PER_POINT)
    return this.reads.run(key, () => this.read(release, currency, key))
  }

  private async read(release: Release, currency: string, key: string): Promise<SpanColumn> {
    const documents = release.allProducts.documents.slice().sort()
    const known = this.sharedColumn(currency, documents)
    const missing = known === undefined ? documents : documents.filter((document) => !known.has(document))
    const values = [release.id, currency, `{${missing.join()}}`, missing.at(0), missing.at(-1)]
    let rows = await this.query('price_spans', readSpans, values)
    if (rows[0]?.key === 'false') {
      await cutMissingPrices(this.primary.pool, release.id, documents)
      rows = await this.query('price_spans', readSpans, values)
    }
    const currencies = rows[0]?.value
    if (known === undefined && currencies != null) {
      this.currencies.set(release.id, new Set(JSON.parse(currencies) as string[]))
      return noPrices
    }
    const builder = new SpanColumnBuilder(documents, known)
    for (const { body } of rows) {
      builder.add(JSON.parse(body) as DocumentSpans[])
      await new Promise(setImmediate)
    }
    for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
      builder.fillUpTo(documents[at] as number)
      await new Promise(setImmediate)
    }
    const column = builder.build()
    // The documents of a release that was removed meanwhile may be gone, so its column could lack prices.
    if (rows.length > 0) this.cache.set(key, column)
    return column
  }

  /**
   * A cached column of the currency in another release that shares a document with these. Republished catalogs share
   * most documents.
   */
  private sharedColumn(currency: string, documents: Int32Array): SpanColumn | undefined {
    const middle = documents[documents.length >> 1] ?? 0
    const first = documents[0] ?? 0
    for (const [key, column] of this.cache.entries()) {
      if (key.startsWith(`${currency} `) && (column.has(first) || column.has(middle))) return column
    }
    return undefined
  }
}
