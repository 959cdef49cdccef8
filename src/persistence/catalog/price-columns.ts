/** Price columns of releases, by currency: read in one statement, cached within bounded memory, shared by the requests that want them. */
import { LRUCache } from 'lru-cache'
import type { PriceColumn } from '../../domain/catalog/price-column.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { Database } from '../database/database.ts'
import { cutMissingPrices } from './publish/price-spans.ts'
import { type DocumentSpans, type SpanColumn, SpanColumnBuilder } from './span-column.ts'

/** Bytes of all cached columns. */
export const COLUMN_BYTES_MAX = 32 * 1024 * 1024

/**
 * $1: release, $2: currency, $3: documents, $4 and $5: the first and the last of them. The first row tells whether the release has its
 * spans; each further one has those of some documents, in order, as the text of a JSON array. The text is parsed row by row, so that other
 * requests run in between; arrays become JSON by their brackets, which takes half the time of json_agg.
 */
const readSpans = `
SELECT has_price_spans AS "hasSpans", NULL AS spans FROM release WHERE id = $1::uuid
UNION ALL
SELECT NULL, concat('[', replace(translate(spans, '{}', '[]'), 'NULL', 'null'), ']') FROM (
  SELECT string_agg(concat('[', concat_ws(',', p.document_id, p.starts[2:], p.amounts, p.on_sale::int[]), ']'), ',' ORDER BY p.document_id)
    AS spans
  FROM unnest($3::int[]) d (id)
  JOIN release_document_price p ON p.document_id = d.id AND p.currency = $2 AND p.document_id BETWEEN $4::int AND $5::int
  GROUP BY p.document_id / 4096 ORDER BY p.document_id / 4096) s`

/** Documents that are taken from another column between two turns of the event loop. */
const DOCUMENTS_AT_ONCE = 4096

interface SpansRow {
  readonly hasSpans: boolean | null
  readonly spans: string | null
}

/** The price columns of one process. */
export class PriceColumns {
  private readonly cache = new LRUCache<string, SpanColumn>({ maxSize: COLUMN_BYTES_MAX, sizeCalculation: ({ bytes }) => bytes })
  private readonly running = new Map<string, Promise<SpanColumn>>()

  constructor(private readonly database: Database) {}

  /** The column of a release; no statement when it is cached, else one. */
  async load(release: Release, currency: string): Promise<PriceColumn> {
    const key = `${currency} ${release.id}`
    const cached = this.cache.get(key)
    if (cached) return cached
    let reading = this.running.get(key)
    if (!reading) {
      reading = this.read(release, currency, key).finally(() => this.running.delete(key))
      this.running.set(key, reading)
    }
    return reading
  }

  private async read(release: Release, currency: string, key: string): Promise<SpanColumn> {
    const documents = release.allProducts.documents.slice().sort()
    const known = this.sharedColumn(currency, documents)
    const missing = known === undefined ? documents : documents.filter((document) => !known.has(document))
    let rows = await this.query(release, currency, missing)
    if (rows[0]?.hasSpans === false) {
      await cutMissingPrices(this.database.pool, release.id, documents)
      rows = await this.query(release, currency, missing)
    }
    const builder = new SpanColumnBuilder(documents, known)
    for (const { spans } of rows) {
      if (spans === null) continue
      builder.add(JSON.parse(spans) as DocumentSpans[])
      await new Promise(setImmediate)
    }
    for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
      builder.fillUpTo(documents[at] as number)
      await new Promise(setImmediate)
    }
    const column = builder.build()
    // The documents of a release that was removed meanwhile may be gone, so its column could lack prices.
    if (rows[0]?.hasSpans != null) this.cache.set(key, column)
    return column
  }

  private query(release: Release, currency: string, documents: Int32Array): Promise<SpansRow[]> {
    const values = [release.id, currency, `{${documents.join()}}`, documents.at(0), documents.at(-1)]
    return this.database.query('price_spans', readSpans, values)
  }

  /** A cached column of the currency in another release that shares a document with these: republished catalogs share most of them. */
  private sharedColumn(currency: string, documents: Int32Array): SpanColumn | undefined {
    const middle = documents[documents.length >> 1] ?? 0
    const first = documents[0] ?? 0
    for (const [key, column] of this.cache.entries()) {
      if (key.startsWith(`${currency} `) && (column.has(first) || column.has(middle))) return column
    }
    return undefined
  }
}
