import type { RecordKey } from '../database/find-by-key.ts'
import type { Transaction } from '../database/transaction.ts'

interface Sought {
  readonly key: RecordKey | undefined
  readonly bookId: string
  readonly violations: readonly unknown[]
}

// The md5 lets the unique indexes answer (they guard texts of any length), the text itself decides.
const text = `
  SELECT k.place, p.id FROM unnest($1::int[], $2::uuid[], $3::text[]) AS k (place, book, value)
  JOIN product_price p ON p.id = k.value::uuid AND p.price_book_id = k.book
  UNION ALL
  SELECT k.place, p.id FROM unnest($4::int[], $5::uuid[], $6::text[]) AS k (place, book, value)
  JOIN product_price p ON p.price_book_id = k.book AND md5(p.external_ref) = md5(k.value) AND p.external_ref = k.value
  UNION ALL
  SELECT k.place, p.id FROM unnest($7::int[], $8::uuid[], $9::text[]) AS k (place, book, value)
  JOIN product_price p ON p.price_book_id = k.book AND md5(p.sku) = md5(k.value) AND p.sku = k.value`

/** The id of the stored price that each object's key means in its book, by the object's index; those without any left out. One statement. */
export async function findPriceIds(tx: Transaction, objects: readonly Sought[]): Promise<Map<number, string>> {
  const sought = objects.flatMap(({ key, bookId, violations }, index) => (key && violations.length === 0 ? [{ index, bookId, key }] : []))
  if (sought.length === 0) return new Map()
  const parameters = (['id', 'external_ref', 'natural'] as const).flatMap((by) => {
    const ones = sought.filter(({ key }) => key.by === by)
    return [ones.map(({ index }) => index), ones.map(({ bookId }) => bookId), ones.map(({ key }) => key.value)]
  })
  const rows = await tx.$queryRawUnsafe<{ place: number; id: string }[]>(text, ...parameters)
  return new Map(rows.map(({ place, id }) => [place, id]))
}
