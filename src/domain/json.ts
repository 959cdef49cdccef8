/** JSON text as clients send it: nothing is rounded silently (VAL-1), and nothing nests so deep that a later walk would break. */

/** Deepest nesting of arrays and objects that is read. */
export const JSON_DEPTH_MAX = 64

/**
 * Escapes and quotes, which tell where strings begin and end; brackets, which are counted; numbers, of which those with a fraction or an
 * exponent are looked at. A string is not one match: one with millions of escapes is more than a pattern can go back over.
 */
const token = /\\.|"|[[\]{}]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON; throws SyntaxError when it is none, or nests deeper than JSON_DEPTH_MAX.
 *
 * A number with a fraction that a double would round to an integer (4503599627370497.5, 1e-400) reads as Infinity, so that every reader
 * of integers refuses it; an integer beyond 2^53-1 needs no such care, since what it is rounded to is beyond it too.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isPlain(text)) return value
  const faithful = markRounded(text)
  return faithful === text ? value : JSON.parse(faithful)
}

/** Whether nothing in `text` can need a closer look, as in most documents: nothing like a fraction or an exponent, and few brackets. */
function isPlain(text: string): boolean {
  if (/\d[.eE]/.test(text)) return false
  let brackets = 0
  for (let at = 0; at < text.length && brackets <= JSON_DEPTH_MAX; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) brackets++
  }
  return brackets <= JSON_DEPTH_MAX
}

/** `text`, which is JSON, with every fraction that would become an integer replaced by a number too large for a double. */
function markRounded(text: string): string {
  let depth = 0
  let inString = false
  return text.replace(token, (found) => {
    const first = found[0]
    if (first === '"') inString = !inString
    if (inString || first === '"') return found
    if (first === '[' || first === '{') {
      depth++
      if (depth > JSON_DEPTH_MAX) throw new SyntaxError(`nested deeper than ${JSON_DEPTH_MAX} levels`)
    } else if (first === ']' || first === '}') depth--
    else if (/[.eE]/.test(found) && isFraction(found) && Number.isInteger(Number(found))) return found[0] === '-' ? '-1e999' : '1e999'
    return found
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
