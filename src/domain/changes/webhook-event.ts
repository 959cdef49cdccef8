/** Webhook events: an entry of the change log as a CloudEvent, and when a failed attempt is repeated. */
import type { PathSegment } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { formatInstant } from '../input/instant.ts'
import { type HistoryEntry, kindOf, type LoggedState, toDocument } from './history.ts'

/** The media type of a CloudEvent in JSON. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json'

/** A CloudEvent 1.0 of a change. */
export interface CloudEvent {
  readonly specversion: '1.0'
  /** Of the entry: the same for every attempt and every webhook. */
  readonly id: string
  readonly source: string
  /** Such as `commerce.product_price.updated`. */
  readonly type: string
  /** The UUID of the record. */
  readonly subject: string
  readonly time: string
  /**
   * The entry's number, padded to a fixed length: later changes of a record have greater ones (CloudEvents' extension
   * Sequence).
   */
  readonly sequence: string
  readonly datacontenttype: 'application/json'
  readonly data: {
    /** The command that wrote it. */
    readonly operation: string
    readonly before: LoggedState | null
    readonly after: LoggedState | null
  }
}

/** The event of an entry (webhook.cloud-events). */
export function toCloudEvent(entry: HistoryEntry, source: string): CloudEvent {
  const { id, recordId, at, operation, before, after } = entry
  return {
    specversion: '1.0',
    id: eventId(id),
    source,
    type: eventType(entry),
    subject: recordId,
    time: formatInstant(at),
    sequence: String(id).padStart(16, '0'),
    datacontenttype: 'application/json',
    data: { operation, before: before && toDocument(before), after: after && toDocument(after) },
  }
}

const EVENT_PREFIX = 'change-'
const EVENT_ID = /^change-\d{1,15}$/

/** The id of the event of an entry. */
export function eventId(entryId: number): string {
  return EVENT_PREFIX + entryId
}

/** The type of the event of an entry. */
export function eventType(entry: HistoryEntry): string {
  return `commerce.${entry.topic}.${kindOf(entry)}`
}

/** Reads the id of an event: the number of its entry. */
export function readEventId(reader: InputReader, name: PathSegment): number | undefined {
  const format = (text: string) => (EVENT_ID.test(text) ? undefined : 'must be the key of a dead letter')
  const text = reader.text(name, { required: true, format })
  return text == null ? undefined : Number(text.slice(EVENT_PREFIX.length))
}

/** Attempts to send an event before it becomes a dead letter. */
export const ATTEMPTS_MAX = 12

/** Seconds from a failed attempt to the next; the last delay repeats. */
const delays = [5, 20, 80, 300, 1_200, 3_600, 7_200, 14_400, 21_600]

/** Milliseconds to wait after this number of failed attempts; null when no attempt follows (webhook.back-off). */
export function retryDelay(attempts: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return (delays[Math.min(attempts, delays.length) - 1] ?? 0) * 1_000
}
