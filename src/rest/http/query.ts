import type { Violation } from '../../domain/input/errors.ts'

/** Query parameters with their violations. */
export interface QueryParameters {
  /** By decoded name. */
  readonly parameters: ReadonlyMap<string, string>
  readonly violations: readonly Violation[]
}

/**
 * Parses a raw query string. A raw `+` is a plus (list.pages-and-links). A duplicate name or a malformed
 * percent-encoding is a violation, except for names in `ignored` (subscription.create-filter-ignored).
 */
export function readQuery(raw: string, ignored: readonly string[] = []): QueryParameters {
  const parameters = new Map<string, string>()
  const violations: Violation[] = []
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const rawName = equals < 0 ? piece : piece.slice(0, equals)
    const name = decode(rawName)
    if (name !== null && ignored.includes(name)) continue
    const value = decode(equals < 0 ? '' : piece.slice(equals + 1))
    if (name === null || value === null) {
      violations.push({ code: 'INVALID_FORMAT', path: [name ?? rawName], message: 'is not percent-encoded UTF-8' })
    } else if (parameters.has(name)) {
      violations.push({ code: 'DUPLICATE', path: [name], message: 'must be given once' })
    } else parameters.set(name, value)
  }
  return { parameters, violations }
}

/** Percent-decoded text; null when the encoding is malformed. */
export function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Writes a query string; `:` and `,` stay unencoded, as RFC 3986 allows. */
export function writeQuery(parameters: Iterable<readonly [string, string]>): string {
  const encode = (text: string): string => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',')
  return [...parameters].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}
