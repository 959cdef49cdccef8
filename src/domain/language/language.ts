/** Language selection: in which of its languages a record is shown (language.best-accepted-tag; RFC 4647 3.4 lookup). */
import { acceptedLanguages } from './accept-language.ts'
import { isTranslation, type Locales, type LocaleTexts } from './locale.ts'

/** The texts of a record in one language. */
export interface Localized {
  /** The matched tag as the record spells it; null for the default texts. */
  readonly language: string | null
  readonly name: string
  readonly description: string | null
}

/** The texts of a record, with those in other languages. */
export interface Texts {
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
}

/** The texts in the best language that the header accepts. Each text falls back to the default one by itself. */
export function localize(record: Texts, acceptLanguage: string | null): Localized {
  const { locales } = record
  const tag = acceptLanguage === null || locales === null ? null : lookUpLanguage(languagesIn(locales), acceptLanguage)
  const texts: LocaleTexts = (tag === null ? undefined : locales?.[tag]) ?? {}
  const { name, description } = texts
  return {
    language: tag,
    name: isTranslation(name) ? name : record.name,
    description: isTranslation(description) ? description : record.description,
  }
}

/** The tags that have a text (language.blank-is-no-translation). */
function languagesIn(locales: Locales): string[] {
  return Object.keys(locales).filter((tag) => isTranslation(locales[tag]?.name) || isTranslation(locales[tag]?.description))
}

/** The tag among `tags` that comes first in the lookup order of the header; null for the default text. */
export function lookUpLanguage(tags: readonly string[], acceptLanguage: string): string | null {
  const { lookupOrder, excluded } = acceptedLanguages(acceptLanguage)
  let found: string | null = null
  let bestRank = Number.POSITIVE_INFINITY
  for (const tag of tags) {
    const lower = tag.toLowerCase()
    const rank = lookupOrder.get(lower)
    if (rank === undefined || rank > bestRank || excluded.some((one) => one.toLowerCase() === lower)) continue
    found = tag
    bestRank = rank
  }
  return found
}

/**
 * The tags in lowercase whose texts a search of the header's sender looks at: the accepted ones and their truncations, best first
 * (search.in-accepted-languages).
 */
export function searchedLanguages(header: string | null): string[] {
  const { lookupOrder, excluded } = acceptedLanguages(header)
  return [...lookupOrder.keys()].filter((tag) => !excluded.some((one) => one.toLowerCase() === tag))
}
