/**
 * Text formats of input fields (value.text-can-be-stored). Each check returns undefined for valid text, else the
 * sentence of the violation.
 */
import { isCurrencyCode } from './currency.ts'

/** The text form of a UUID, in any case. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a UUID. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Checks a UUID. */
export function uuid(text: string): string | undefined {
  return isUuid(text) ? undefined : 'must be a UUID'
}

// RFC 3986: a percent-encoded byte or a character that a URI may hold outside its delimiters.
const uriCharacter = "(?:[\\w.~:@!$&'()*+,;=-]|%[\\da-f]{2})"
const uriPattern = new RegExp(
  `^https?://(?:${uriCharacter}|[[\\]])+(?:/(?:${uriCharacter}|/)*)?(?:\\?(?:${uriCharacter}|[/?])*)?(?:#(?:${uriCharacter}|[/?])*)?$`,
  'i',
)

/**
 * Checks an absolute URI (RFC 3986) with the scheme http or https. URL.canParse alone accepts texts that the URI checks
 * of clients refuse.
 */
export function uri(text: string): string | undefined {
  return uriPattern.test(text) && URL.canParse(text) ? undefined : 'must be an absolute http or https URI'
}

/**
 * Checks an email address: one @ with text on both sides, a domain of labels separated by dots, no white space. The
 * same as HTML's email input, plus Unicode.
 */
export function email(text: string): string | undefined {
  return /^[^\s@"(),:;<>[\\\]]+@[^\s@.,]+(\.[^\s@.,]+)*$/u.test(text) ? undefined : 'must be an email address'
}

/** Checks a currency code of three uppercase letters. */
export function currencyCode(text: string): string | undefined {
  return isCurrencyCode(text) ? undefined : 'must be three uppercase letters'
}

/** Checks a slug (product.slug-from-name). */
export function slug(text: string): string | undefined {
  return /^[A-Za-z0-9._-]+$/.test(text) ? undefined : 'must be of letters, digits, hyphen, underscore and period'
}

/** The formats that a member of a record can have, by name. */
export const textFormats = { uri, email, slug } as const

/** A name of a format. */
export type TextFormat = keyof typeof textFormats
