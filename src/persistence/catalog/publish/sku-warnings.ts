/**
 * SKU warnings of a publish: SKUs of a catalog, and of each of its price books, that look alike
 * (product.skus-look-alike).
 *
 * SQL, since the connection of a publish is not Prisma's. This process decides what looks alike, because the database's
 * functions for case depend on its locale.
 */
import { setImmediate } from 'node:timers/promises'
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'
import { LOOK_ALIKES_MAX, LookAlikeSkus } from '../../../domain/catalog/sku-warning.ts'
import type { Queryable } from '../../database/query.ts'

/** SKUs in one row. One row is read in half the time of a row for each SKU; it is a millisecond or two of work. */
const PART = 2_000

const catalogSkus = `
SELECT NULL AS book, json_agg(sku) AS skus
FROM (
  SELECT p.sku, row_number() OVER () / ${PART} AS part
  FROM pub_product u JOIN product p ON p.id = u.product_id WHERE p.sku IS NOT NULL) s
GROUP BY part`

const bookSkus = `
SELECT book, json_agg(sku) AS skus
FROM (
  SELECT b.position, p.price_book_id AS book, p.sku, row_number() OVER () / ${PART} AS part
  FROM release r JOIN catalog_price_book b ON b.catalog_id = r.catalog_id JOIN product_price p ON p.price_book_id = b.price_book_id
  WHERE r.id = $1) s
GROUP BY position, book, part ORDER BY position`

interface Part {
  readonly book: string | null
  readonly skus: readonly string[]
}

/**
 * The warnings for the products of a release, then those for the books of its catalog in their order. One statement for
 * each.
 */
export async function* lookAlikeSkus(
  client: Queryable,
  _now: number,
  releaseId: string,
): AsyncGenerator<ReleaseWarning[]> {
  yield* warningsOf((await client.query<Part>(catalogSkus)).rows)
  yield* warningsOf((await client.query<Part>(bookSkus, [releaseId])).rows)
}

/** The warnings for each book; the parts of one book follow each other. */
async function* warningsOf(parts: readonly Part[]): AsyncGenerator<ReleaseWarning[]> {
  let skus = new LookAlikeSkus()
  for (const [index, part] of parts.entries()) {
    for (const sku of part.skus) skus.add(sku)
    await setImmediate()
    if (parts[index + 1]?.book === part.book) continue
    const of = part.book === null ? {} : { price_book_id: part.book }
    yield skus.found.map((group) => ({
      code: 'SKUS_LOOK_ALIKE',
      skus: group.slice(0, LOOK_ALIKES_MAX),
      sku_count: group.length,
      ...of,
    }))
    skus = new LookAlikeSkus()
  }
}
