/**
 * Instant order: the place of each product of a release when sorted by an instant of it, cached within bounded memory.
 * Equal instants have equal places, so that a list shows them in its default order (list.equal-instants-by-default).
 *
 * SQL, since it may come from a standby, which Prisma does not know.
 */
import { LRUCache } from 'lru-cache'
import type { InstantField } from '../../domain/catalog/listing-query.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { throwTranslated } from '../database/failures.ts'
import type { JoinedRead } from '../database/joined-reads.ts'

/** Bytes of all cached orders. */
const INSTANT_ORDERS_BYTES_MAX = 8 * 1024 * 1024

/** The places of the products of a listing, as int[] by rank, from rows of rank and instant. */
export const placesOf = (instants: string): string => `
(SELECT coalesce(array_agg(place ORDER BY rank), '{}')
  FROM (SELECT rank, dense_rank() OVER (ORDER BY instant)::int - 1 AS place FROM (${instants}) i) p)`

/** The index of the instant among the members of a product's body (domain/catalog/document-codec.ts). */
const memberOf: Readonly<Record<InstantField, number>> = { UPDATED_AT: 23, CREATED_AT: 22 }

// A release of an older version has no stored places, nor has a carried one those by creation: its documents are read,
// in seconds where they are many.
const placesBy = (field: InstantField): string => `
SELECT NULL AS key, NULL AS value, to_json(coalesce(
  (SELECT places FROM release_order WHERE release_id = $1::uuid AND field = '${field}'),
  ${placesOf(`
  SELECT l.rank, (d.body -> 0 ->> ${memberOf[field]})::numeric AS instant
  FROM release_listing r CROSS JOIN LATERAL unnest(r.documents) WITH ORDINALITY l (id, rank) JOIN release_document d ON d.id = l.id
  WHERE r.release_id = $1::uuid AND r.scope = $1::uuid`)}))::text AS body`

/** The instant orders of one process. */
export class InstantOrder {
  private readonly orders = new LRUCache<string, Int32Array>({
    maxSize: INSTANT_ORDERS_BYTES_MAX,
    sizeCalculation: ({ byteLength }) => Math.min(byteLength + 500, INSTANT_ORDERS_BYTES_MAX),
  })
  private readonly reads = new SingleFlight<string, Int32Array>()

  constructor(private readonly query: JoinedRead) {}

  /** The places by rank, the earliest instant first. One statement when they are not cached. */
  async places({ id }: Release, field: InstantField): Promise<Int32Array> {
    const key = `${id} ${field}`
    return this.orders.get(key) ?? this.reads.run(key, () => this.read(id, field))
  }

  private async read(id: string, field: InstantField): Promise<Int32Array> {
    const [row] = await this.query(`places_${field}`, placesBy(field), [id]).catch(throwTranslated)
    const places = Int32Array.from(JSON.parse(row?.body ?? '[]') as number[])
    this.orders.set(`${id} ${field}`, places)
    return places
  }
}
