/** Localized texts: a map from language tag to name and description (language.texts-by-tag). */
import { ownKey, type Violation } from '../input/errors.ts'
import { slug as slugProblem } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { FREE_NAME_MAX, LOCALES_MAX, PRODUCT_DESCRIPTION_MAX, SEO_TEXT_MAX } from '../input/limits.ts'
import { itsKey, type Sentence } from '../input/sentence.ts'
import { codePoints, isVisible } from '../input/text.ts'
import { keyParams } from '../input/violation-params.ts'

/** Texts in one language; an absent or blank one falls back to the default one. */
export interface LocaleTexts {
  readonly name?: string | null
  readonly description?: string | null
  /** Of products, hierarchies and nodes alone, like all below. */
  readonly slug?: string | null
  readonly seo_title?: string | null
  readonly seo_description?: string | null
}

/** Localized texts by language tag. */
export type Locales = Readonly<Record<string, LocaleTexts>>

const seoNames = ['seo_title', 'seo_description'] as const
const pageNames = ['slug', ...seoNames] as const

/** The maximum length of a language tag; real ones have about a dozen characters. */
export const LANGUAGE_TAG_MAX = 255

/**
 * Reads `locales: { tag: { name?, description? } }`, null for none. Tags are BCP 47 and stored as given; the second of
 * two that differ in case only is a violation. An absent, null or blank text falls back to the default one, so a tag
 * without any text is left out.
 */
export function readLocales(attributes: InputReader): Locales | null | undefined {
  return readTextsByTag(attributes, (texts) => {
    if (texts && !texts.isDocument) refusePageTexts(texts)
    return readTexts(texts)
  })
}

/** Reads `locales` with `slug`, `seo_title` and `seo_description` too. */
export function readPageLocales(attributes: InputReader): Locales | null | undefined {
  return readTextsByTag(attributes, (texts) => ({ ...readTexts(texts), ...readSlug(texts), ...readSeoTexts(texts) }))
}

/** Reads `locales` in the same way, with the texts that `read` returns: those that are translations. */
export function readTextsByTag<T extends object>(
  attributes: InputReader,
  read: (texts: InputReader | null | undefined) => T,
): Readonly<Record<string, T>> | null | undefined {
  const rule = { nullable: true, max: LOCALES_MAX, key: languageTag }
  const given = attributes.map('locales', (tags, tag) => read(tags.object(tag)), rule)
  if (given == null) return given
  attributes.addViolations('locales', duplicateTags([...given.keys()]))
  const withTexts = [...given].filter(([, texts]) => Object.keys(texts).length > 0)
  return withTexts.length > 0 ? Object.fromEntries(withTexts) : null
}

/**
 * Checks a map key that is a language tag: undefined for a well-formed BCP 47 tag, else the sentence of the violation.
 */
export function languageTag(text: string): Sentence | undefined {
  return codePoints(text) <= LANGUAGE_TAG_MAX && isWellFormedTag(text)
    ? undefined
    : itsKey('must be a BCP 47 language tag')
}

function readTexts(texts: InputReader | null | undefined): LocaleTexts {
  const name = texts?.text('name', { nullable: true, max: FREE_NAME_MAX, isName: 'or blank' })
  const description = texts?.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX })
  return { ...(isTranslation(name) && { name }), ...(isTranslation(description) && { description }) }
}

/** A slug is checked like one without a language (slug.in-language). */
function readSlug(texts: InputReader | null | undefined): LocaleTexts {
  const slug = texts?.text('slug', { nullable: true, min: 1, max: FREE_NAME_MAX, format: slugProblem })
  return slug == null ? {} : { slug }
}

function readSeoTexts(texts: InputReader | null | undefined): LocaleTexts {
  const rule = { nullable: true, max: SEO_TEXT_MAX }
  const [title, description] = seoNames.map((name) => texts?.text(name, rule))
  return {
    ...(isTranslation(title) && { seo_title: title }),
    ...(isTranslation(description) && { seo_description: description }),
  }
}

/** The graph has one type of input for texts of all records. */
function refusePageTexts(texts: InputReader): void {
  for (const name of pageNames) {
    const text = texts.raw(name, { nullable: true })
    if (typeof text === 'string' && isTranslation(text))
      texts.addViolation(name, 'UNKNOWN_FIELD', 'must not be given: only products, hierarchies and nodes have it')
  }
}

/**
 * Whether a text in another language replaces the default one; a blank text does not
 * (language.blank-is-no-translation).
 */
export function isTranslation(text: string | null | undefined): text is string {
  return text != null && isVisible(text)
}

function duplicateTags(tags: readonly string[]): Violation[] {
  const seen = new Map<string, string>()
  return tags.flatMap((tag): Violation[] => {
    const folded = tag.toLowerCase()
    const other = seen.get(folded)
    const message = 'is the same language tag as another key'
    if (other !== undefined) return [{ code: 'DUPLICATE', path: [ownKey(tag)], message, params: keyParams(other) }]
    seen.set(folded, tag)
    return []
  })
}

function isWellFormedTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
