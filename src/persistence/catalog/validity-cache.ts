/** Validity cache: values that are true for a span of time, a few spans per key, within bounded memory. */
import { LRUCache } from 'lru-cache'
import { type CacheLookups, cacheLookups } from '../../lib/metrics.ts'

/** A value that is true from `from` until right before `until`, epoch milliseconds. */
export interface Valid {
  readonly from: number
  readonly until: number
}

/** Spans that are kept of one key: the latest one, and those that pages of older walks still read. */
const SPANS_MAX = 3

/** The cache. `bytesOf` estimates the size of a value; `name` labels its counts of lookups. */
export class ValidityCache<Value extends Valid> {
  private readonly cache: LRUCache<string, readonly Value[]>
  private readonly lookups: CacheLookups

  constructor(name: string, maxSize: number, bytesOf: (value: Value) => number) {
    this.lookups = cacheLookups(name)
    this.cache = new LRUCache({
      maxSize,
      sizeCalculation: (values, key) => {
        const bytes = values.reduce((sum, value) => sum + bytesOf(value), 2 * key.length + 300)
        return Math.min(maxSize, bytes)
      },
    })
  }

  /** The value that is true at `instant`. */
  find(key: string, instant: number): Value | undefined {
    return this.lookups.count(this.validAt(key, instant))
  }

  /** The value that is true at `instant`, else the one that `work` finds, which is added. */
  async findOr(key: string, instant: number, work: () => Promise<Value>): Promise<Value> {
    const cached = this.find(key, instant)
    if (cached) return cached
    const found = await work()
    this.add(key, found)
    return found
  }

  /** Whether `find` would find one; not counted as a lookup. */
  has(key: string, instant: number): boolean {
    return this.validAt(key, instant) !== undefined
  }

  private validAt(key: string, instant: number): Value | undefined {
    return this.cache.get(key)?.find(({ from, until }) => from <= instant && instant < until)
  }

  /** The latest value that was true before `instant`. */
  before(key: string, instant: number): Value | undefined {
    const ended = this.cache.get(key)?.filter(({ until }) => until <= instant) ?? []
    return ended.reduce<Value | undefined>(
      (latest, one) => (latest && latest.from >= one.from ? latest : one),
      undefined,
    )
  }

  /**
   * Adds a value in place of one that begins at the same instant. When there are too many, the least recently added one
   * goes, but never the latest, so that pages of old walks don't evict it.
   */
  add(key: string, value: Value): void {
    const others = this.cache.get(key)?.filter(({ from }) => from !== value.from) ?? []
    const values = [value, ...others]
    const latest = values.reduce((found, one) => (one.from > found.from ? one : found))
    this.cache.set(key, [latest, ...values.filter((one) => one !== latest)].slice(0, SPANS_MAX))
  }
}
