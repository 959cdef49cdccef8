/** Which of a record's languages a request gets (language.best-accepted-tag; RFC 4647 3.4 lookup). */
import { acceptedLanguages } from './accept-language.ts'
import type { Locales, LocaleTexts } from './locale.ts'

export interface Localized {
  /** The matched tag as the record spells it; null with the default text. */
  readonly language: string | null
  readonly name: string
  readonly description: string | null
}

interface Texts {
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
}

/** The texts of the best language that the header accepts, each falling back to the default text on its own. */
export function localize(record: Texts, acceptLanguage: string | null): Localized {
  const tag = acceptLanguage === null || record.locales === null ? null : lookUpLanguage(Object.keys(record.locales), acceptLanguage)
  const texts: LocaleTexts = (tag === null ? undefined : record.locales?.[tag]) ?? {}
  return { language: tag, name: texts.name ?? record.name, description: texts.description ?? record.description }
}

/** The tag among `tags` that the header's ranges look up first, each range cut from its end until it fits; null: the default text. */
export function lookUpLanguage(tags: readonly string[], acceptLanguage: string): string | null {
  const { lookupOrder: wanted, excluded: refused } = acceptedLanguages(acceptLanguage)
  let found: string | null = null
  let place = Number.POSITIVE_INFINITY
  for (const tag of tags) {
    const lower = tag.toLowerCase()
    const at = wanted.get(lower)
    if (at === undefined || at > place || refused.some((one) => one.toLowerCase() === lower)) continue
    found = tag
    place = at
  }
  return found
}
