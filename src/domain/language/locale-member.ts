/** Texts in other languages as a member of records (input/record-members.ts), replaced whole. */
import { pageLocales as pageSchema, locales as schema } from '../input/document.ts'
import { LOCALES_MAX, SEO_TEXT_MAX } from '../input/limits.ts'
import { type JsonMember, optionalText } from '../input/record-members.ts'
import { replacedBy } from '../input/whole-member.ts'
import { type Locales, readLocales, readPageLocales } from './locale.ts'

/** Name and description by language tag, or null. */
export const locales: JsonMember<Locales | null, Locales, 'optional'> = {
  kind: 'locales',
  presence: 'optional',
  column: 'json',
  max: LOCALES_MAX,
  schema,
  read: (reader) => readLocales(reader),
  merge: replacedBy<Locales | null>(null),
}

/** Those of what has a page of its own: with slugs and texts for search engines. */
export const pageLocales = { ...locales, schema: pageSchema, read: readPageLocales }

/**
 * Texts for the result pages of search engines, in the language of the store. They are visible, since a blank one would
 * stand in place of name and description.
 */
export const seoTexts = {
  seoTitle: optionalText({ min: 1, max: SEO_TEXT_MAX, isName: true }),
  seoDescription: optionalText({ min: 1, max: SEO_TEXT_MAX, isName: true }),
}
