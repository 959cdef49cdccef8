/** Change events: the changes of records that clients subscribe to. */
import { isVisible, parseSnapshot } from './transaction-snapshot.ts'

/** The kinds of records with entries in the change log: the tables that clients write. */
export const topics = [
  'catalog',
  'catalog_node',
  'catalog_rule',
  'label',
  'offering',
  'plan',
  'price_book',
  'price_modifier',
  'product',
  'product_price',
  'release',
  'subscription',
  'subscription_product',
  'webhook',
] as const

/** A kind of records with changes. */
export type Topic = (typeof topics)[number]

/**
 * The subject of a stream: the records of one kind in `scope`, such as a catalog's releases, a price book's prices or
 * an account's subscriptions.
 */
export interface Subject {
  readonly topic: Topic
  /** A UUID; NO_SCOPE for records that belong to no other. */
  readonly scope: string
}

/** The scope of records that belong to no other. */
export const NO_SCOPE = '00000000-0000-0000-0000-000000000000'

/** The kind of a change of a record. */
export type ChangeKind = 'created' | 'updated' | 'deleted'

/** An entry of the change log without the states of the record. Ids rise in the order of the changes of each record. */
export interface ChangeLogEntry extends Subject {
  readonly id: number
  /** The transaction that wrote it. */
  readonly xid: number
  readonly recordId: string
  readonly kind: ChangeKind
}

/**
 * An entry as a reader sees it. Before, the reader saw the snapshot `from`, with ids up to `fromId`; now it sees the
 * snapshot `to`.
 */
export interface VisibleEntry extends ChangeLogEntry {
  readonly from: string
  readonly fromId: number
  readonly to: string
}

/** A change of one record, and its cursor in the stream. */
export interface Change {
  readonly recordId: string
  readonly cursor: ChangeCursor
}

/**
 * A position in the log. All entries visible in `from` have been delivered, and those visible only in `to` up to the
 * entry `id`; 0 for none of these.
 *
 * No entry above `fromId`, the highest id visible in `from`, counts as visible in `from`, whatever its transaction.
 * After a crash or a failover, PostgreSQL reuses the ids of transactions that were rolled back and whose log was lost.
 */
export interface ChangeCursor {
  readonly from: string
  readonly fromId: number
  readonly to: string
  readonly id: number
  /** For releases: scheduled ones up to this instant have been delivered, epoch milliseconds. */
  readonly at?: number | undefined
}

/** The cursor after an entry. */
export function cursorAfter({ from, fromId, to, id }: VisibleEntry): ChangeCursor {
  return { from, fromId, to, id }
}

/** Whether an entry belongs to a subject's stream; deletions of releases belong to none. */
export function isOf({ topic, scope }: Subject, entry: ChangeLogEntry): boolean {
  return entry.topic === topic && entry.scope === scope && (topic !== 'release' || entry.kind !== 'deleted')
}

/** Whether an entry follows a cursor. */
export function isAfter({ from, fromId, to, id: last }: ChangeCursor, { id, xid }: ChangeLogEntry): boolean {
  const [before, until] = [parseSnapshot(from), parseSnapshot(to)]
  if (!before || !until) return true
  const wasVisible = id <= fromId && isVisible(before, xid)
  return !wasVisible && (id > last || !isVisible(until, xid))
}

/**
 * Why the server ended a stream: the token expired, the reader was too slow, the store is not available, or the server
 * stops.
 */
export type StreamEnd = 'expired' | 'lagging' | 'unavailable' | 'stopping'

/** Thrown to the reader of a stream that the server ended. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'

  constructor(readonly reason: StreamEnd) {
    super(`the stream ended: ${reason}`)
  }
}
