/**
 * Localized texts: as they are authored (a list of names and descriptions by language tag, language.texts-by-tag), and
 * in one language.
 */

import { shownLanguages } from '../../domain/language/accept-language.ts'
import {
  type Localized,
  localize,
  localizeSeo,
  type RequestLanguages,
  type SeoTexts,
} from '../../domain/language/language.ts'
import { localizeSlug, type Slugs } from '../../domain/language/language-slug.ts'
import type { Locales, LocaleTexts } from '../../domain/language/locale.ts'
import type { Context } from '../../request/context.ts'
import { builder } from './builder.ts'
import type { InputMember } from './graph-input.ts'
import type { FieldBuilder } from './graph-types.ts'
import { entriesOf } from './map-entries.ts'

export const LocaleRef = builder.objectRef<LocaleTexts & { readonly language: string }>('Locale').implement({
  description: 'Texts in one language; a text that is missing falls back to the default one.',
  right: 'anyone',
  fields: (t) => ({
    language: t.exposeString('language', { description: 'The BCP 47 language tag.' }),
    name: t.string({ nullable: true, description: 'The name in the language.', resolve: ({ name }) => name ?? null }),
    description: t.string({
      nullable: true,
      description: 'The description in the language.',
      resolve: (texts) => texts.description ?? null,
    }),
    slug: t.string({
      nullable: true,
      description: 'The name in URLs in the language; only of products, hierarchies and nodes.',
      resolve: (texts) => texts.slug ?? null,
    }),
    seoTitle: t.string({
      nullable: true,
      description: 'The title for search engines in the language; only of products, hierarchies and nodes.',
      resolve: (texts) => texts.seo_title ?? null,
    }),
    seoDescription: t.string({
      nullable: true,
      description: 'The description for search engines in the language; only of products, hierarchies and nodes.',
      resolve: (texts) => texts.seo_description ?? null,
    }),
  }),
})

/** Localized texts as a list, in the order of the language tag. */
export function localeList(locales: Locales | null) {
  return entriesOf(locales).map(([language, texts]) => ({ language, ...texts }))
}

export const LocaleInput = builder.inputType('LocaleInput', {
  description: 'Texts in one language.',
  fields: (t) => ({
    language: t.string({
      required: true,
      description: 'A BCP 47 language tag, at most once in the list, whatever its case.',
    }),
    name: t.string({ description: 'The name, 1 to 1024 characters.' }),
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    slug: t.string({
      description:
        'The name in URLs, of letters, digits, `-`, `_` and `.`, 1 to 1024; only of products, hierarchies and nodes (else UNKNOWN_FIELD). A sibling of a node must not have it, in whatever language.',
    }),
    seoTitle: t.string({
      description:
        'The title for search engines, at most 1024 characters; only of products, hierarchies and nodes (else UNKNOWN_FIELD).',
    }),
    seoDescription: t.string({
      description:
        'The description for search engines, at most 1024 characters; only of products, hierarchies and nodes (else UNKNOWN_FIELD).',
    }),
  }),
})

/** A list of LocaleInput, which the readers take for a map of texts by language tag. */
export const localesMember: InputMember = { entry: { key: 'language' } }

export const localeArgs = builder.args((t) => ({
  locale: t.string({
    description: "Languages in order of preference, such as `de-CH, en;q=0.5`; by default the request's.",
  }),
}))

/** The fields of an object's texts in the requested language. */
export function localizedFields<T>(
  t: Pick<FieldBuilder<T>, 'string'>,
  all: (one: T) => Parameters<typeof localize>[0],
) {
  return {
    name: t.string({
      description: 'The name in the requested language.',
      args: localeArgs,
      resolve: (one, args, ctx) => textsOf(all(one), args, ctx).name,
    }),
    description: t.string({
      nullable: true,
      description: 'The description in the requested language.',
      args: localeArgs,
      resolve: (one, args, ctx) => textsOf(all(one), args, ctx).description,
    }),
    language: t.string({
      nullable: true,
      description: 'The language tag of name and description; null with the default text.',
      args: localeArgs,
      resolve: (one, args, ctx) => textsOf(all(one), args, ctx).language,
    }),
  }
}

/** The fields of the addresses in the requested language; `path` is that of one. */
export function localizedSlugFields<T>(
  t: Pick<FieldBuilder<T>, 'string' | 'stringList'>,
  { all, path, ...descriptions }: SlugFields<T>,
) {
  return {
    slug: t.string({
      description: descriptions.slug,
      args: localeArgs,
      resolve: (one, args, ctx) => localizeSlug(all(one), languagesOf(args, ctx)),
    }),
    canonicalPath: t.stringList({
      description: descriptions.canonicalPath,
      args: localeArgs,
      resolve: (one, args, ctx) => path(one, languagesOf(args, ctx)),
    }),
  }
}

interface SlugFields<T> {
  readonly all: (one: T) => Slugs
  readonly path: (one: T, acceptLanguage: string | null) => string[]
  /** Descriptions. */
  readonly slug: string
  readonly canonicalPath: string
}

/** The fields of the texts for search engines in the requested language. */
export function localizedSeoFields<T>(t: Pick<FieldBuilder<T>, 'string'>, all: (one: T) => SeoTexts) {
  return {
    seoTitle: t.string({
      nullable: true,
      description: 'The title for search engines in the requested language; null without one.',
      args: localeArgs,
      resolve: (one, args, ctx) => localizeSeo(all(one), languagesOf(args, ctx)).seoTitle,
    }),
    seoDescription: t.string({
      nullable: true,
      description: 'The description for search engines in the requested language; null without one.',
      args: localeArgs,
      resolve: (one, args, ctx) => localizeSeo(all(one), languagesOf(args, ctx)).seoDescription,
    }),
  }
}

/** The fields of an authored record's texts for search engines. */
export function seoFields<T extends Omit<SeoTexts, 'locales'>>(t: Pick<FieldBuilder<T>, 'string'>) {
  return {
    seoTitle: t.string({
      nullable: true,
      description: 'The title for search engines, in the language of the store.',
      resolve: ({ seoTitle }) => seoTitle,
    }),
    seoDescription: t.string({
      nullable: true,
      description: 'The description for search engines, in the language of the store.',
      resolve: ({ seoDescription }) => seoDescription,
    }),
  }
}

/** The inputs of these texts. */
export const seoForm = {
  seoTitle: 'The title for search engines, {limits}; they show about 60.',
  seoDescription: 'The description for search engines, {limits}; they show about 160.',
}

interface LocaleArguments {
  readonly locale?: string | null | undefined
}

/** The languages of the argument `locale`, or of the request's Accept-Language, in which texts may be shown. */
export function languagesOf({ locale }: LocaleArguments, { config, shopperHeaders }: Context): string | null {
  return shownLanguages(locale ?? shopperHeaders.acceptLanguage, config.storeLanguage)
}

/** The same, with the language of the store. */
export function requestLanguages(args: LocaleArguments, ctx: Context): RequestLanguages {
  return { acceptLanguage: languagesOf(args, ctx), storeLanguage: ctx.config.storeLanguage }
}

/** The texts in the best of those languages. */
export function textsOf(texts: Parameters<typeof localize>[0], args: LocaleArguments, ctx: Context): Localized {
  return localize(texts, languagesOf(args, ctx))
}
