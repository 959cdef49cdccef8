/**
 * Refused objects of an import job that are not stored yet, as the end of the file of refused objects
 * (job.refused-as-a-file).
 */

/** Takes what the import writes to the file, until a transaction stores it. */
export class RefusedPieces {
  /** Rows are kept as CSV. */
  readonly isWorkbook = false
  private pieces: Buffer[] = []
  private end: number

  /** `start` is the length of what is stored. */
  constructor(private start: number) {
    this.end = start
  }

  /** Bytes that wait to be stored. */
  get waiting(): number {
    return this.end - this.start
  }

  /** Writes lines at an offset; returns the offset after them. What was behind it came from a failed transaction. */
  async write(lines: string, offset: number): Promise<number> {
    if (lines === '') return offset
    const bytes = Buffer.from(lines)
    if (offset !== this.end) this.pieces = this.between(this.start, offset)
    this.pieces.push(bytes)
    this.end = offset + bytes.length
    return this.end
  }

  /** Forgets what is before an offset: it is stored. */
  forgetBefore(offset: number): void {
    this.pieces = this.between(offset, this.end)
    this.start = offset
  }

  /** The bytes from one offset to another, which must wait here. */
  between(from: number, to: number): Buffer[] {
    const found: Buffer[] = []
    let at = this.start
    for (const piece of this.pieces) {
      const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
      if (part.length > 0) found.push(part)
      at += piece.length
    }
    if (from < this.start || to > at) throw new Error('refused objects of the job are neither stored nor here')
    return found
  }
}
