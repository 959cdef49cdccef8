/**
 * The order of a carried release: documents put into the order of another release (list.latest-update-first). Only the
 * documents next to a place are read, not the whole release.
 *
 * SQL, since a carry runs in the transaction of a publish, whose connection is not Prisma's.
 */
import type { PlacedDocument } from '../../../domain/catalog/carry.ts'
import type { Release } from '../../../domain/catalog/release.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'

type Key = Pick<PlacedDocument, 'updatedAt' | 'productId'>

/** Negative when `one` comes first. */
function compareKeys(one: Key, other: Key): number {
  if (one.updatedAt !== other.updatedAt) return other.updatedAt - one.updatedAt
  return one.productId < other.productId ? -1 : one.productId > other.productId ? 1 : 0
}

const readKeys = `SELECT id, product_id AS "productId", (body -> 0 ->> 23)::float8 AS "updatedAt"
  FROM release_document WHERE id = ANY ($1::int[])`

/** Documents in order, and the last updates of those that came and of their neighbours, by number. */
export interface CarriedOrder {
  readonly order: Int32Array
  readonly updates: ReadonlyMap<number, number>
}

/**
 * The documents of `kept`, which are in order, with `come` in their places. One statement for each halving of `kept`,
 * 17 for 100,000 documents.
 */
export async function inOrder(on: Queryable, kept: Int32Array, come: readonly PlacedDocument[]): Promise<CarriedOrder> {
  const keys = new Map<number, Key>()
  const places = come.map((document) => ({ document, low: 0, high: kept.length }))
  const middle = ({ low, high }: { readonly low: number; readonly high: number }) => kept[(low + high) >> 1] as number
  for (;;) {
    const open = places.filter(({ low, high }) => low < high)
    if (open.length === 0) break
    const unknown = [...new Set(open.map(middle))].filter((number) => !keys.has(number))
    if (unknown.length > 0) {
      const rows = await namedQuery<Key & { readonly id: number }>(on, 'carry_keys', readKeys, [unknown])
      for (const { id, ...key } of rows) keys.set(id, key)
    }
    for (const place of open) {
      const at = (place.low + place.high) >> 1
      if (compareKeys(place.document, keys.get(middle(place)) as Key) < 0) place.high = at
      else place.low = at + 1
    }
  }
  places.sort((one, other) => one.low - other.low || compareKeys(one.document, other.document))
  const order = new Int32Array(kept.length + come.length)
  let from = 0
  for (const [at, { document, low }] of places.entries()) {
    order.set(kept.subarray(from, low), from + at)
    order[low + at] = document.number
    from = low
  }
  order.set(kept.subarray(from), from + places.length)
  const updates = new Map([...keys].map(([number, { updatedAt }]) => [number, updatedAt]))
  for (const { number, updatedAt } of come) updates.set(number, updatedAt)
  return { order, updates }
}

const copyPlaces = `
SELECT places FROM release_order WHERE release_id = $1::uuid AND field = 'UPDATED_AT'`

/**
 * Writes the places by last update (persistence/catalog/instant-order.ts), when the release that it came from has some.
 * Two statements.
 */
export async function writePlaces(
  on: Queryable,
  releaseId: string,
  from: Release,
  { order, updates }: CarriedOrder,
): Promise<void> {
  const [row] = await namedQuery<{ places: readonly number[] }>(on, 'carry_places', copyPlaces, [from.id])
  if (!row) return
  const before = new Map<number, number>()
  for (const [rank, document] of from.allProducts.documents.entries()) before.set(document, row.places[rank] as number)
  // Of two neighbours that were there before, their places tell whether they are equal.
  const isEqual = (one: number, other: number): boolean =>
    before.has(one) && before.has(other)
      ? before.get(one) === before.get(other)
      : updates.get(one) === updates.get(other)
  const places = new Int32Array(order.length)
  for (let rank = order.length - 2; rank >= 0; rank--) {
    const later = isEqual(order[rank] as number, order[rank + 1] as number) ? 0 : 1
    places[rank] = (places[rank + 1] as number) + later
  }
  const text = `INSERT INTO release_order (release_id, field, places) VALUES ($1::uuid, 'UPDATED_AT', $2::int[])`
  await namedQuery(on, 'carry_places_insert', text, [releaseId, `{${places.join()}}`])
}
