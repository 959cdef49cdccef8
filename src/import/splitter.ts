/**
 * Splitter: cuts a stream of JSON objects into single objects with their first lines
 * (import.objects-one-after-another).
 *
 * Objects stand one per line or pretty-printed one after another, or are the entries of an array that is the whole
 * file. The splitter follows quotes and braces; JSON.parse judges the rest. After an error it resumes at the next line
 * that begins with a brace. So a file with one object per line loses only the wrong line, an indented file only the
 * wrong object.
 */
import { OBJECT_BYTES_MAX, type ParsedObject, parsedEntry, parseObject, TOO_LARGE } from './parsed-object.ts'

const LINE_END = 0x0a
const QUOTE = 0x22
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const BACKSLASH = 0x5c
const blanks = new Set([LINE_END, 0x20, 0x09, 0x0d])

/** A brace at the beginning of a line inside an object: its index, its line, and the depth before it. */
interface OpenBrace {
  at: number
  readonly line: number
  readonly depth: number
}

/** Where in an array the stream is; `none` for a stream without one, `unknown` before its first character. */
type InArray = 'unknown' | 'none' | 'opened' | 'behind an entry' | 'behind a comma' | 'closed'

/** The state of one stream. */
export class Splitter {
  private bytes: Buffer = Buffer.alloc(0)
  /** The index in `bytes` at which scanning continues, and its line. */
  private at = 0
  private line = 1
  /** The index at which the current object begins, and its line; -1 between objects. */
  private start = -1
  private startLine = 0
  private depth = 0
  /** The depth at which the current object is complete. */
  private endDepth = 0
  /** The braces at the beginnings of lines inside the current object that are open at `at`, from `firstOpen` on. */
  private open: OpenBrace[] = []
  private firstOpen = 0
  private inText = false
  /** Whether it skips to the next line that begins with a brace. */
  private isSkipping = false
  private lineBegins = true
  private first = true
  private inArray: InArray = 'unknown'

  /** The objects that end in a piece of the stream. */
  push(piece: Buffer): ParsedObject[] {
    const retainedFrom = this.start === -1 ? this.at : this.start
    this.bytes = Buffer.concat([this.bytes.subarray(retainedFrom), piece])
    this.at -= retainedFrom
    if (this.start !== -1) this.start = 0
    for (const brace of this.open) brace.at -= retainedFrom
    if (this.first && this.bytes.length > 0) this.skipByteOrderMark()
    return this.scan(null)
  }

  /**
   * The remaining objects and problems when the stream has ended. `problem` is reported for an object that is still
   * open.
   */
  end(problem = 'the file ends inside an object'): ParsedObject[] {
    const found = this.scan(problem)
    const isOpen = !['unknown', 'none', 'closed'].includes(this.inArray)
    if (isOpen && !this.isSkipping)
      found.push({ line: this.line, bytes: Buffer.alloc(0), problem: 'the file ends inside an array' })
    return found
  }

  private skipByteOrderMark(): void {
    this.first = false
    if (this.bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) this.at = 3
  }

  private scan(unclosed: string | null): ParsedObject[] {
    const found: ParsedObject[] = []
    for (;;) {
      const complete = this.start === -1 ? this.findStart(found) : this.findEnd()
      if (complete === 'object') this.take(found)
      else if (complete === 'broken') this.fail(found, 'a text is not closed on its line')
      else if (complete === 'wait') {
        if (this.start !== -1 && this.at - this.start > OBJECT_BYTES_MAX) this.fail(found, TOO_LARGE)
        else if (unclosed !== null && this.start !== -1) this.fail(found, unclosed)
        else return found
      }
    }
  }

  /** Moves to the next opening brace; other text between objects is reported once. */
  private findStart(found: ParsedObject[]): 'started' | 'wait' {
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at] as number
      if (!this.isSkipping && this.isOfArray(byte)) {
        this.lineBegins = false
        continue
      }
      if (byte === OPEN && this.mayBegin()) {
        this.begin()
        return 'started'
      }
      if (byte === LINE_END) this.line++
      else if (!this.isSkipping && !blanks.has(byte)) {
        const end = this.bytes.indexOf(LINE_END, this.at)
        const bytes = this.bytes.subarray(this.at, end === -1 ? undefined : end)
        found.push({ line: this.line, bytes, problem: 'is not a JSON object' })
        this.isSkipping = true
        if (this.inArray === 'unknown') this.inArray = 'none'
      }
      this.lineBegins = byte === LINE_END
    }
    return 'wait'
  }

  /** Whether a character belongs to an array around the objects; goes on in it. */
  private isOfArray(byte: number): boolean {
    const { inArray } = this
    if (byte === OPEN_ARRAY && inArray === 'unknown') this.inArray = 'opened'
    else if (byte === COMMA && inArray === 'behind an entry') this.inArray = 'behind a comma'
    else if (byte === CLOSE_ARRAY && (inArray === 'opened' || inArray === 'behind an entry')) this.inArray = 'closed'
    else return false
    return true
  }

  /** Whether an object may begin here; goes on behind it. */
  private mayBegin(): boolean {
    if (this.isSkipping && !this.lineBegins) return false
    if (this.inArray === 'unknown') this.inArray = 'none'
    if (this.inArray === 'none') return true
    if (this.inArray === 'closed' || (this.inArray === 'behind an entry' && !this.isSkipping)) return false
    this.inArray = 'behind an entry'
    return true
  }

  private begin(): void {
    this.start = this.at
    this.startLine = this.line
    this.depth = 0
    this.endDepth = 0
    this.open = []
    this.firstOpen = 0
    this.inText = false
    this.isSkipping = false
    this.lineBegins = false
  }

  /** Moves past the closing brace of the current object. */
  private findEnd(): 'object' | 'broken' | 'wait' {
    const bytes = this.bytes
    const { length } = bytes
    let at = this.at
    let depth = this.depth
    let inText = this.inText
    let line = this.line
    let result: 'object' | 'broken' | 'wait' = 'wait'
    for (; at < length; at++) {
      const byte = bytes[at]
      if (inText) {
        if (byte === QUOTE) inText = false
        else if (byte === BACKSLASH) {
          // The escaped byte is skipped, even if it begins the next piece.
          if (at + 1 === length) break
          if (bytes[at + 1] !== LINE_END) at++
        } else if (byte === LINE_END) {
          result = 'broken'
          break
        }
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN) {
        if (depth > this.endDepth && bytes[at - 1] === LINE_END) this.open.push({ at, line, depth })
        depth++
      } else if (byte === CLOSE) {
        if (--depth === this.endDepth) {
          at++
          result = 'object'
          break
        }
        if (this.open.at(-1)?.depth === depth) this.open.pop()
      } else if (byte === LINE_END) line++
    }
    this.at = at
    this.depth = depth
    this.inText = inText
    this.line = line
    return result
  }

  private take(found: ParsedObject[]): void {
    const bytes = this.bytes.subarray(this.start, this.at)
    const value = parseObject(bytes)
    if (typeof value === 'string') this.fail(found, value)
    else
      found.push({ line: this.startLine, ...(this.inArray === 'none' ? { bytes, value } : parsedEntry(bytes, value)) })
    this.start = -1
  }

  /**
   * Reports a problem and goes on with the first line within the object that begins with a brace, if there is one.
   * Objects that are open where the current one failed are not scanned again, since that would take quadratic time.
   */
  private fail(found: ParsedObject[], problem: string): void {
    const next = this.bytes.indexOf('\n{', this.start)
    const isSplit = next !== -1 && next < this.at
    found.push({ line: this.startLine, bytes: this.bytes.subarray(this.start, isSplit ? next : this.at), problem })
    const nextLine = this.startLine + countLines(this.bytes.subarray(this.start, next + 1))
    const open = this.open[this.firstOpen++]
    if (open) {
      const before = new Splitter()
      for (const list of [before.push(this.bytes.subarray(next + 1, open.at - 1)), before.end(problem)])
        for (const one of list) found.push({ ...one, line: nextLine - 1 + one.line })
      this.start = open.at
      this.startLine = open.line
      this.endDepth = open.depth
      return
    }
    if (isSplit) {
      this.at = next + 1
      this.line = nextLine
      this.lineBegins = true
    } else {
      // After a balanced object scanning goes on; the rest of an unbalanced one is skipped.
      this.isSkipping = this.depth > this.endDepth
      this.lineBegins = false
    }
    this.start = -1
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count++
  return count
}
