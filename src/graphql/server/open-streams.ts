/**
 * Open streams (GraphQL subscriptions) of this process: limits of their number and of the memory for their requests.
 */
import { countShed } from '../../lib/metrics.ts'

/** The maximum number of streams; each takes some 30 kB besides its request. */
export const STREAMS_MAX = 10_000
/**
 * The most characters of the requests of all streams. A character with its share of the syntax tree can take 70 bytes
 * (STREAM_REQUEST_MAX).
 */
export const STREAMS_TEXT_MAX = 8 * 1024 * 1024

/** Limits of streams; tests lower them. */
export interface StreamLimits {
  readonly streamsMax: number
  readonly textMax: number
}

export class OpenStreams {
  private readonly limits: StreamLimits
  private count = 0
  private text = 0

  constructor(limits: Partial<StreamLimits> = {}) {
    this.limits = { streamsMax: STREAMS_MAX, textMax: STREAMS_TEXT_MAX, ...limits }
  }

  /**
   * Counts a stream whose request has `length` characters. Returns a function that releases it, or null when a limit is
   * reached.
   */
  acquire(length: number): (() => void) | null {
    if (this.count >= this.limits.streamsMax || this.text + length > this.limits.textMax) {
      countShed('streams')
      return null
    }
    this.count++
    this.text += length
    return () => {
      this.count--
      this.text -= length
    }
  }
}
