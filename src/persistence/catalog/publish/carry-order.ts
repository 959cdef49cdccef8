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
  readonly came: ReadonlySet<number>
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
  return { order, came: new Set(come.map(({ number }) => number)), updates }
}

// A list is read as JSON in a fifth of the time of an array.
const copyPlaces = `
SELECT to_json(places) AS places FROM release_order WHERE release_id = $1::uuid AND field = 'UPDATED_AT'`

/**
 * Writes the places by last update (persistence/catalog/instant-order.ts), when the release that it came from has some.
 * Two statements.
 */
export async function writePlaces(
  on: Queryable,
  releaseId: string,
  from: Release,
  carried: CarriedOrder,
): Promise<void> {
  const [row] = await namedQuery<{ places: readonly number[] }>(on, 'carry_places', copyPlaces, [from.id])
  if (!row) return
  const { order, updates } = carried
  const before = formerPlaces(from.allProducts.documents, row.places, carried)
  // Of two neighbours that were there before, their places tell whether they are equal.
  const isEqual = (rank: number): boolean => {
    const [one, other] = [before[rank] as number, before[rank + 1] as number]
    if (one >= 0 && other >= 0) return one === other
    return updates.get(order[rank] as number) === updates.get(order[rank + 1] as number)
  }
  const places = new Int32Array(order.length)
  for (let rank = order.length - 2; rank >= 0; rank--)
    places[rank] = (places[rank + 1] as number) + (isEqual(rank) ? 0 : 1)
  const text = `INSERT INTO release_order (release_id, field, places) VALUES ($1::uuid, 'UPDATED_AT', $2::int[])`
  await namedQuery(on, 'carry_places_insert', text, [releaseId, `{${places.join()}}`])
}

/** The former place of each document of `order`, -1 of those that came. The others are in their former order. */
function formerPlaces(former: Int32Array, places: readonly number[], { order, came }: CarriedOrder): Int32Array {
  let at = 0
  return order.map((document) => {
    if (came.has(document)) return -1
    while (former[at] !== document) at++
    return places[at] as number
  })
}
