/**
 * JSON parser for requests and imports. It never rounds a number silently (value.numbers-never-rounded) and never drops
 * a value: a key that an object gives twice is refused (input.keys-once). It also refuses what would take too long to
 * build or to walk: nesting that is too deep, and more values than the caller allows.
 *
 * One scan of the text finds all of this before JSON.parse builds anything. The scan takes time in proportion to the
 * text, whatever the text holds.
 */
import { KeyWatch } from './json-keys.ts'
import { JsonRefused } from './json-refused.ts'

/** Maximum nesting of arrays and objects. */
export const JSON_DEPTH_MAX = 64

/** Characters of a number: more than any double needs to be written exactly. */
const NUMBER_MAX = 1_000

/** Limits of a text. */
export interface JsonLimits {
  /** The most values: the whole, every item, and the key and the value of every member count. Absent: any number. */
  readonly valuesMax?: number
  /**
   * The most different keys, in all objects together. JSON.parse takes ten times as long for a new key as for a known
   * one.
   */
  readonly keysMax?: number
}

/** Why parseJson rejected a text, as the end of a sentence. */
export function jsonProblem(error: unknown): string {
  return error instanceof JsonRefused ? error.message : 'is not JSON'
}

/**
 * Parses JSON. Throws SyntaxError for invalid text, and JsonRefused past a limit or for a key given twice. In invalid
 * JSON the limits hold at least up to the error.
 *
 * A number with a fraction that a double would round to an integer (4503599627370497.5, 1e-400) becomes Infinity, so
 * every reader of integers rejects it. An integer beyond 2^53-1 stays beyond it when it is rounded, so readers reject
 * it too.
 */
export function parseJson(text: string, limits: JsonLimits = {}): unknown {
  return scanJson(text, limits)()
}

/**
 * The first half of parseJson: checks the limits, and returns the second half. Of a text of megabytes each half takes a
 * tenth of a second, so that others should run between them.
 */
export function scanJson(text: string, limits: JsonLimits = {}): () => unknown {
  const rounded = scan(text, limits)
  return () => {
    const value: unknown = JSON.parse(text)
    return rounded.length === 0 ? value : JSON.parse(withInfinities(text, rounded))
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const LETTER_A = 0x61
const LETTER_E = 0x65
const LETTER_Z = 0x7a

/**
 * Checks the limits. Returns the start and the end of each number that a double would round to an integer, one after
 * another.
 */
function scan(
  text: string,
  { valuesMax = Number.POSITIVE_INFINITY, keysMax = Number.POSITIVE_INFINITY }: JsonLimits,
): number[] {
  const keys = new KeyWatch(keysMax)
  const rounded: number[] = []
  let depth = 0
  let values = 0
  let stringStart = 0
  let stringEnd = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) continue
    if (code === QUOTE) {
      values++
      stringStart = at
      at = endOfString(text, at)
      stringEnd = at + 1
    } else if (code === COLON) {
      keys.name(text.slice(stringStart, stringEnd))
    } else if (code === COMMA) {
      if (values > valuesMax) throw tooMany(valuesMax)
      keys.next()
    } else if ((code | 0x20) === 0x7b) {
      // `[` and `{`, then `]` and `}`: each pair differs in one bit.
      values++
      if (++depth > JSON_DEPTH_MAX) throw new JsonRefused(`is nested deeper than ${JSON_DEPTH_MAX} levels`)
      keys.open(code === OPEN_BRACKET)
    } else if ((code | 0x20) === 0x7d) {
      if (values > valuesMax) throw tooMany(valuesMax)
      depth--
      keys.close()
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      values++
      const start = at
      while (isOfNumber(text.charCodeAt(at + 1))) {
        if (++at - start >= NUMBER_MAX) throw new JsonRefused(`has a number of more than ${NUMBER_MAX} characters`)
      }
      if (isRounded(text, start, at + 1)) rounded.push(start, at + 1)
    } else if (code >= LETTER_A && code <= LETTER_Z) {
      // `true`, `false` or `null`.
      values++
      while (isLetter(text.charCodeAt(at + 1))) at++
    }
  }
  return rounded
}

function tooMany(valuesMax: number): JsonRefused {
  return new JsonRefused(`has more than ${valuesMax} values: send fewer at once`)
}

/** Index of the closing quote of the string that begins at `start`, or the length of a text without one. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1)
  if (first < 0) return text.length
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

function isLetter(code: number): boolean {
  return code >= LETTER_A && code <= LETTER_Z
}

/** Whether a character may stand inside a number: a digit, `+`, `-`, `.`, `e` or `E`. */
function isOfNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === DOT || (code | 0x20) === LETTER_E || code === MINUS || code === 0x2b
}

/**
 * Characters of a number without an exponent that has 15 digits at most: a double never rounds such a fraction to an
 * integer.
 */
const SAFE_LENGTH = 16

/** Whether the number from `start` to before `end` is a fraction that a double would round to an integer. */
function isRounded(text: string, start: number, end: number): boolean {
  let dot = -1
  let mantissaEnd = end
  for (let at = start; at < mantissaEnd; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) dot = at
    else if ((code | 0x20) === LETTER_E) mantissaEnd = at
  }
  if (mantissaEnd === end && (dot < 0 || end - start <= SAFE_LENGTH)) return false
  return isFraction(text, start, dot, mantissaEnd, end) && Number.isInteger(Number(text.slice(start, end)))
}

/** Whether a number, taken exactly, is not an integer: its last digit other than zero stands for a tenth or less. */
function isFraction(text: string, start: number, dot: number, mantissaEnd: number, end: number): boolean {
  let last = mantissaEnd - 1
  while (last >= start && (text.charCodeAt(last) === ZERO || last === dot)) last--
  if (last < start || text.charCodeAt(last) === MINUS) return false
  const ones = dot < 0 ? mantissaEnd : dot
  const power = last < ones ? ones - 1 - last : ones - last
  return power + (mantissaEnd < end ? Number(text.slice(mantissaEnd + 1, end)) : 0) < 0
}

/** The JSON `text` with a number beyond the range of doubles in place of every rounded one. */
function withInfinities(text: string, rounded: readonly number[]): string {
  const pieces: string[] = []
  let from = 0
  for (let index = 0; index < rounded.length; index += 2) {
    const start = rounded[index] as number
    pieces.push(text.slice(from, start), text.charCodeAt(start) === MINUS ? '-1e999' : '1e999')
    from = rounded[index + 1] as number
  }
  return pieces.join('') + text.slice(from)
}
