/** Language selection: the language in which a record is shown (language.best-accepted-tag; RFC 4647 3.4 lookup). */
import { acceptedLanguages, shownLanguages } from './accept-language.ts'
import { isTranslation, type Locales, type LocaleTexts } from './locale.ts'

/** The languages of a request. */
export interface RequestLanguages {
  /** Its Accept-Language. */
  readonly acceptLanguage: string | null
  /** The language of texts without a tag. */
  readonly storeLanguage: string
}

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

/** The texts in the best language that the header accepts. Each text falls back to its default separately. */
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

/** One text in the best accepted language that has it, else by default. */
export function localizeText(
  text: string | null,
  translations: Readonly<Record<string, string | null | undefined>>,
  acceptLanguage: string | null,
): string | null {
  if (acceptLanguage === null) return text
  const tags = Object.keys(translations).filter((tag) => isTranslation(translations[tag]))
  const tag = lookUpLanguage(tags, acceptLanguage)
  return (tag === null ? null : translations[tag]) ?? text
}

/** Texts for search engines, with those in other languages; null without one. */
export interface SeoTexts {
  readonly seoTitle: string | null
  readonly seoDescription: string | null
  readonly locales: Locales | null
}

/** Each text for search engines in the best accepted language that has it (language.seo-texts). */
export function localizeSeo({ seoTitle, seoDescription, locales }: SeoTexts, acceptLanguage: string | null) {
  const translated = (name: 'seo_title' | 'seo_description') =>
    Object.fromEntries(Object.entries(locales ?? {}).map(([tag, texts]) => [tag, texts[name]]))
  return {
    seoTitle: localizeText(seoTitle, translated('seo_title'), acceptLanguage),
    seoDescription: localizeText(seoDescription, translated('seo_description'), acceptLanguage),
  }
}

/** The texts of a record without a language, as '', then by the tag in lower case those of each that has one. */
export function textsByLanguage(record: Texts): [language: string, texts: Pick<Localized, 'name' | 'description'>][] {
  const { name, description, locales } = record
  const others = languagesIn(locales ?? {}).map((tag): ReturnType<typeof textsByLanguage>[number] => {
    const own = locales?.[tag]
    const ownName = isTranslation(own?.name) ? own.name : name
    return [tag.toLowerCase(), { name: ownName, description: own?.description ?? null }]
  })
  return [['', { name, description }], ...others]
}

/** The tags that have a text (language.blank-is-no-translation). */
function languagesIn(locales: Locales): string[] {
  return Object.keys(locales).filter(
    (tag) => isTranslation(locales[tag]?.name) || isTranslation(locales[tag]?.description),
  )
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

/** The accepted ones among `languages`, in the order in which a text is shown in them. */
export function acceptedOf(languages: readonly string[], acceptLanguage: string | null): string[] {
  if (acceptLanguage === null) return []
  const best = lookUpLanguage(languages, acceptLanguage)
  if (best === null) return []
  const others = languages.filter((language) => language !== best)
  return [best, ...acceptedOf(others, acceptLanguage)]
}

/**
 * The accepted ones in that order, with '' for the default texts where these are shown
 * (language.default-text-in-its-turn).
 */
export function acceptedWithDefault(
  languages: readonly string[],
  { acceptLanguage, storeLanguage }: RequestLanguages,
): string[] {
  const shown = acceptedOf(languages, shownLanguages(acceptLanguage, storeLanguage))
  const others = acceptedOf(languages, acceptLanguage).filter((language) => !shown.includes(language))
  return [...shown, '', ...others]
}

/**
 * The lowercase tags whose texts a search considers: those that the header accepts and their truncations, best first
 * (search.in-accepted-languages).
 */
export function searchedLanguages(header: string | null): string[] {
  const { lookupOrder, excluded } = acceptedLanguages(header)
  return [...lookupOrder.keys()].filter((tag) => !excluded.some((one) => one.toLowerCase() === tag))
}
