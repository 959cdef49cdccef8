/** Pages of a timeline. A cursor is an instant and the number of its entries that were read. */
import type { Agreement } from './agreement.ts'
import { type TimelineEntry, timeline } from './life-readings.ts'

interface Place {
  readonly at: number
  readonly count: number
}

interface Page {
  readonly entries: readonly TimelineEntry[]
  readonly hasNextPage: boolean
  /** The place of the last entry; null without entries. */
  readonly end: Place | null
}

/** The first entries between two instants, after a place. */
export function timelinePage(
  agreement: Agreement,
  { from, to, limit, after }: { from: number; to: number; limit: number; after: Place | null },
): Page {
  const entries: TimelineEntry[] = []
  let end: Place | null = null
  let seen = 0
  for (const entry of timeline(agreement, Math.max(from, after?.at ?? from), to)) {
    if (after && entry.at === after.at && seen++ < after.count) continue
    if (entries.length === limit) return { entries, hasNextPage: true, end }
    end = { at: entry.at, count: countUpTo(end ?? after, entry.at) }
    entries.push(entry)
  }
  return { entries, hasNextPage: false, end }
}

function countUpTo(last: Place | null, at: number): number {
  return last?.at === at ? last.count + 1 : 1
}
