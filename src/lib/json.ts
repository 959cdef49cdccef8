/**
 * JSON text as clients send it: nothing is rounded silently (value.numbers-never-rounded), and nothing nests so deep that a later walk
 * would break.
 */

/** Deepest nesting of arrays and objects that is read. */
export const JSON_DEPTH_MAX = 64

/**
 * Escapes and quotes, which tell where strings begin and end, and numbers, of which those with a fraction or an exponent are looked at. A
 * string is not one match: one with millions of escapes is more than a pattern can go back over.
 */
const token = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** What is wrong with a text that parseJson refused, as the end of a sentence. */
export function jsonProblem(error: unknown): string {
  return error instanceof JsonTooDeep ? error.message : 'is not JSON'
}

export class JsonTooDeep extends SyntaxError {}

/**
 * Parses JSON; throws SyntaxError when it is none, or nests deeper than JSON_DEPTH_MAX, which is told before anything is made of it: of millions
 * of brackets, JSON.parse would make hundreds of megabytes.
 *
 * A number with a fraction that a double would round to an integer (4503599627370497.5, 1e-400) reads as Infinity, so that every reader
 * of integers refuses it; an integer beyond 2^53-1 needs no such care, since what it is rounded to is beyond it too.
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

/** Of a text that is no JSON it tells the depth up to where that shows. */
function assertShallow(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    // [ and {, then ] and }, which differ by one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > JSON_DEPTH_MAX) throw new JsonTooDeep(`is nested deeper than ${JSON_DEPTH_MAX} levels`)
    } else if ((code | 0x20) === 0x7d) depth--
  }
}

/** Where the string that begins at `start` has its closing quote, or the text its end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    // Of backslashes in a row each second one is escaped itself.
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** `text`, which is JSON, with every fraction that would become an integer replaced by a number too large for a double. */
function markRounded(text: string): string {
  let inString = false
  return text.replace(token, (found) => {
    const first = found[0]
    if (first === '"') inString = !inString
    if (inString || first === '"') return found
    return /[.eE]/.test(found) && isFraction(found) && Number.isInteger(Number(found)) ? (first === '-' ? '-1e999' : '1e999') : found
  })
}

/** Whether a JSON number, taken exactly, is not an integer. */
function isFraction(number: string): boolean {
  const [mantissa = '', exponent = '0'] = number.split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole.replace('-', '') + fraction).replace(/0+$/, '')
  const dropped = whole.replace('-', '').length + fraction.length - digits.length
  return /[1-9]/.test(digits) && Number(exponent) - fraction.length + dropped < 0
}
