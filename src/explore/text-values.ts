/** The texts of a product that a form changes: those without a language, or those in one language. */
import type { FragmentOf } from 'gql.tada'
import { graphql } from './graph.ts'

/** What the forms change. */
export const Texts = graphql(`
  fragment Texts on Product {
    id
    name
    description
    tags
    seoTitle
    seoDescription
    locales { language name description seoTitle seoDescription slug }
    updatedAt
  }
`)

export type TextsOfProduct = FragmentOf<typeof Texts>

export const labels = {
  name: 'Name',
  description: 'Description',
  tags: 'Tags',
  seoTitle: 'Title for search engines',
  seoDescription: 'Text for search engines',
  slug: 'Name in addresses (slug)',
}

export type Field = keyof typeof labels
/** The fields of a form by name, as they are typed. */
export type Typed = Readonly<Partial<Record<Field, string>>>

/** The fields of the form of a language; null: of the texts that are shown where a language has none. */
export function fieldsOf(language: string | null): readonly Field[] {
  return language === null
    ? ['name', 'description', 'tags', 'seoTitle', 'seoDescription']
    : ['name', 'description', 'seoTitle', 'seoDescription', 'slug']
}

/** What is stored, as it would be typed. */
export function typedOf(product: TextsOfProduct, language: string | null): Typed {
  const stored: Partial<Record<Field, unknown>> =
    language === null ? product : (product.locales.find((one) => one.language === language) ?? {})
  return Object.fromEntries(fieldsOf(language).map((field) => [field, typed(stored[field])]))
}

const typed = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : ((value as string | null) ?? ''))

/** The input of `updateProduct` that stores what is typed and differs from what is stored; null when nothing does. */
export function inputOf(product: TextsOfProduct, language: string | null, now: Typed): object | null {
  const before = typedOf(product, language)
  const changed = fieldsOf(language).filter((field) => now[field] !== before[field])
  if (changed.length === 0) return null
  if (language === null) return Object.fromEntries(changed.map((field) => [field, inputValue(field, now[field] ?? '')]))
  const texts = fieldsOf(language).map((field) => [field, now[field] || null] as const)
  const isEmpty = texts.every(([, text]) => text === null)
  const others = product.locales.map(({ language: tag, name, description, seoTitle, seoDescription, slug }) => ({
    ...{ language: tag, name, description, seoTitle, seoDescription, slug },
  }))
  const place = placeOf(product, language)
  others.splice(place, 1, ...(isEmpty ? [] : [{ language, ...Object.fromEntries(texts) } as (typeof others)[number]]))
  return { locales: others }
}

/** The place of a language's texts in the list of the input. */
export function placeOf({ locales }: TextsOfProduct, language: string): number {
  const place = locales.findIndex((one) => one.language === language)
  return place < 0 ? locales.length : place
}

function inputValue(field: Field, text: string): string | null | string[] {
  if (field === 'tags')
    return text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean)
  return field === 'name' ? text : text || null
}

/** A language by its English name, such as `German (de)`; undefined for a text that is no language tag. */
export function languageName(tag: string): string | undefined {
  try {
    const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag)
    return name === tag || !name ? tag : `${name} (${tag})`
  } catch {
    return undefined
  }
}

/** A text in small letters as names are written, such as `Grace Hopper`; others as they are. */
export const asName = (text: string): string =>
  text === text.toLowerCase() ? text.replace(/(^|[\s-])\p{Ll}/gu, (letter) => letter.toUpperCase()) : text
