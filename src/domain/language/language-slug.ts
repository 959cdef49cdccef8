/** Slugs in languages of products, hierarchies and nodes (slug.in-language). */
import { slugKey } from '../input/slug.ts'
import { localizeText } from './language.ts'
import type { Locales } from './locale.ts'

/** The slug of a record, with those in other languages. */
export interface Slugs {
  readonly slug: string
  readonly locales: Locales | null
}

/** The slug in the best accepted language that has one, else the one without a language. */
export function localizeSlug({ slug, locales }: Slugs, acceptLanguage: string | null): string {
  if (locales === null) return slug
  const inLanguages = Object.entries(locales).flatMap(([tag, texts]) =>
    texts.slug == null ? [] : [[tag, texts.slug] as const],
  )
  if (inLanguages.length === 0) return slug
  return localizeText(slug, Object.fromEntries(inLanguages), acceptLanguage) ?? slug
}

/** All slugs of a record, each once: the one without a language, then those in languages. */
export function slugsOf({ slug, locales }: Slugs): string[] {
  return [...new Set([slug, ...Object.values(locales ?? {}).flatMap((texts) => texts.slug ?? [])])]
}

/** Whether two slugs are the same one. */
type Same = (slug: string, wanted: string) => boolean

/** Exactly, and without regard to case (slug.exact-first). */
export const sameExactly: Same = (slug, wanted) => slug === wanted
export const sameInAnyCase: Same = (slug, wanted) => slug.length === wanted.length && slugKey(slug) === slugKey(wanted)

/** Whether a record has the slug, in whatever language. */
export function hasSlug({ slug, locales }: Slugs, wanted: string, same: Same): boolean {
  if (same(slug, wanted)) return true
  for (const tag in locales) {
    const own = locales[tag]?.slug
    if (own != null && same(own, wanted)) return true
  }
  return false
}

/** The locales with the slugs of `from` in place of their own; null without any text. */
export function withSlugsOf(locales: Locales | null, from: Locales | null): Locales | null {
  const tags = new Set([...Object.keys(locales ?? {}), ...Object.keys(from ?? {})])
  const changed = [...tags].flatMap((tag) => {
    const { slug: _, ...others } = locales?.[tag] ?? {}
    const slug = from?.[tag]?.slug
    const texts = slug == null ? others : { ...others, slug }
    return Object.keys(texts).length > 0 ? [[tag, texts] as const] : []
  })
  return changed.length > 0 ? Object.fromEntries(changed) : null
}
