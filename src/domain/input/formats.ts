/** The forms of text that the contract names (value.text-can-be-stored). Each answers undefined when right, else what the text must be. */
import { isCurrencyCode } from './currency.ts'
import { parseInstant } from './instant.ts'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

export function uuid(text: string): string | undefined {
  return isUuid(text) ? undefined : 'must be a UUID'
}

/** Absolute http or https. */
export function uri(text: string): string | undefined {
  const fine = /^https?:\/\/[^\s/?#]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
  return fine ? undefined : 'must be an absolute http or https URI'
}

/** One @ with something on both sides, a domain of dot-separated labels, no white space: what HTML's input takes, and Unicode besides. */
export function email(text: string): string | undefined {
  return /^[^\s@"(),:;<>[\\\]]+@[^\s@.,]+(\.[^\s@.,]+)*$/u.test(text) ? undefined : 'must be an email address'
}

/** RFC 3339; without an offset UTC (value.instants-cut-to-milliseconds). `parseInstant` reads what this lets pass. */
export function dateTime(text: string): string | undefined {
  return parseInstant(text) === null ? 'must be an RFC 3339 date-time' : undefined
}

/** Three-letter uppercase ISO code. */
export function currencyCode(text: string): string | undefined {
  return isCurrencyCode(text) ? undefined : 'must be three uppercase letters'
}

/** product.slug-from-name. */
export function slug(text: string): string | undefined {
  return /^[A-Za-z0-9._-]+$/.test(text) ? undefined : 'must be of letters, digits, hyphen, underscore and period'
}
