/** Which of a record's languages a request gets (CAT-7; RFC 4647 3.4 lookup). */
import { acceptedLanguages } from './accept-language.ts'
import type { Locales, LocaleTexts } from './release.ts'

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
  if (tags.length === 0) return null
  const { accepted, refused } = acceptedLanguages(acceptLanguage)
  const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
  for (const range of accepted) {
    for (let wanted = range; wanted !== ''; wanted = shorten(wanted)) {
      const found = tags.findLast((tag) => same(tag, wanted))
      if (found !== undefined && !refused.some((tag) => same(tag, found))) return found
    }
  }
  return null
}

/** RFC 4647: the last subtag goes, and with it a single letter or digit before it. */
function shorten(range: string): string {
  const shorter = range.slice(0, Math.max(0, range.lastIndexOf('-')))
  return /(^|-)[a-z0-9]$/i.test(shorter) ? shorter.slice(0, Math.max(0, shorter.length - 2)) : shorter
}
