/**
 * Keys of product prices in bulk: which stored price each object of an import stands for.
 *
 * SQL, since Prisma looks up pairs of values by an OR, and can't name the indexes of md5.
 */
import type { RecordKey } from '../database/find-by-key.ts'
import type { Transaction } from '../database/transaction.ts'

/** An object of an import with its key and the id of its book; objects with violations are skipped. */
interface KeyedObject {
  readonly key: RecordKey | undefined
  readonly bookId: string
  readonly violations: readonly unknown[]
}

// The md5 makes PostgreSQL use the unique indexes, which are on md5 since texts may be long; the text itself decides.
const text = `
  SELECT k.position, p.id FROM unnest($1::int[], $2::uuid[], $3::text[]) AS k (position, book, value)
  JOIN product_price p ON p.id = k.value::uuid AND p.price_book_id = k.book
  UNION ALL
  SELECT k.position, p.id FROM unnest($4::int[], $5::uuid[], $6::text[]) AS k (position, book, value)
  JOIN product_price p ON p.price_book_id = k.book AND md5(p.external_ref) = md5(k.value) AND p.external_ref = k.value
  UNION ALL
  SELECT k.position, p.id FROM unnest($7::int[], $8::uuid[], $9::text[]) AS k (position, book, value)
  JOIN product_price p ON p.price_book_id = k.book AND md5(p.sku) = md5(k.value) AND p.sku = k.value`

/**
 * The id of the stored price with each object's key in its book, by the object's index; objects without a stored price
 * have none. One statement.
 */
export async function findPriceIds(tx: Transaction, objects: readonly KeyedObject[]): Promise<Map<number, string>> {
  const keyed = objects.flatMap(({ key, bookId, violations }, index) =>
    key && violations.length === 0 ? [{ index, bookId, key }] : [],
  )
  if (keyed.length === 0) return new Map()
  const parameters = (['id', 'external_ref', 'natural'] as const).flatMap((by) => {
    const matching = keyed.filter(({ key }) => key.by === by)
    return [
      matching.map(({ index }) => index),
      matching.map(({ bookId }) => bookId),
      matching.map(({ key }) => key.value),
    ]
  })
  const rows = await tx.$queryRawUnsafe<{ position: number; id: string }[]>(text, ...parameters)
  return new Map(rows.map(({ position, id }) => [position, id]))
}
