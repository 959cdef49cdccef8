/**
 * JSON parser for requests: it never rounds a number silently (value.numbers-never-rounded), and rejects nesting so deep that a later
 * walk would fail.
 */

/** Maximum nesting of arrays and objects. */
export const JSON_DEPTH_MAX = 64

/**
 * Escapes and quotes, which delimit strings, and numbers. A whole string is no token: over one with millions of escapes the pattern
 * would backtrack too far.
 */
const token = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The reason why parseJson rejected a text, as the end of a sentence. */
export function jsonProblem(error: unknown): string {
  return error instanceof JsonTooDeep ? error.message : 'is not JSON'
}

/** Thrown for JSON that nests deeper than JSON_DEPTH_MAX. */
export class JsonTooDeep extends SyntaxError {}

/**
 * Parses JSON. Throws SyntaxError for invalid text, and JsonTooDeep before anything is built: JSON.parse would make hundreds of
 * megabytes of millions of brackets.
 *
 * A number with a fraction that a double would round to an integer (4503599627370497.5, 1e-400) becomes Infinity, so that every reader
 * of integers rejects it. An integer beyond 2^53-1 stays beyond it when rounded, so readers reject it anyway.
 */
export function parseJson(text: string): unknown {
  assertShallow(text)
  const value: unknown = JSON.parse(text)
  if (!/\d[.eE]/.test(text)) return value
  const faithful = markRounded(text)
  return faithful === text ? value : JSON.parse(faithful)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Throws JsonTooDeep; in invalid JSON the depth is counted up to the error at least. */
function assertShallow(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    // `[` and `{`, then `]` and `}`: each pair differs in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > JSON_DEPTH_MAX) throw new JsonTooDeep(`is nested deeper than ${JSON_DEPTH_MAX} levels`)
    } else if ((code | 0x20) === 0x7d) depth--
  }
}

/** Index of the closing quote of the string that begins at `start`, or the length of a text without one. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    // An even number of backslashes before a quote does not escape it.
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** The JSON `text` with a number beyond doubles in place of every fraction that would become an integer. */
function markRounded(text: string): string {
  let inString = false
  return text.replace(token, (found) => {
    const first = found[0]
    if (first === '"') inString = !inString
    if (inString || first === '"') return found
    return /[.eE]/.test(found) && isFraction(found) && Number.isInteger(Number(found)) ? (first === '-' ? '-1e999' : '1e999') : found
  })
}

/** Whether a JSON number, taken exactly, is no integer. */
function isFraction(number: string): boolean {
  const [mantissa = '', exponent = '0'] = number.split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole.replace('-', '') + fraction).replace(/0+$/, '')
  const dropped = whole.replace('-', '').length + fraction.length - digits.length
  return /[1-9]/.test(digits) && Number(exponent) - fraction.length + dropped < 0
}
