/** The streams that are open in this process: how many there may be, and how much of their requests may lie in memory. */

/** Each takes some 30 kB beside its request. */
export const STREAMS_MAX = 10_000
/** Characters of their requests, all together: of what is held of a request (STREAM_REQUEST_MAX) a character can take 70 bytes. */
export const STREAMS_TEXT_MAX = 8 * 1024 * 1024

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

  /** Takes a stream whose request has so many characters; returns what lets it go, null when there is no room. */
  acquire(length: number): (() => void) | null {
    if (this.count >= this.limits.streamsMax || this.text + length > this.limits.textMax) return null
    this.count++
    this.text += length
    return () => {
      this.count--
      this.text -= length
    }
  }
}
