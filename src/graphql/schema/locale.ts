/** Localized texts: as they are authored, a list of names and descriptions by language tag (language.texts-by-tag), and in one language. */
import { type Localized, localize } from '../../domain/language/language.ts'
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
  }),
})

/** Localized texts as a list, in the order of the language tag. */
export function localeList(locales: Locales | null) {
  return entriesOf(locales).map(([language, texts]) => ({ language, ...texts }))
}

export const LocaleInput = builder.inputType('LocaleInput', {
  description: 'Texts in one language.',
  fields: (t) => ({
    language: t.string({ required: true, description: 'A BCP 47 language tag, at most once in the list, whatever its case.' }),
    name: t.string({ description: 'The name, 1 to 1024 characters.' }),
    description: t.string({ description: 'The description, at most 65536 characters.' }),
  }),
})

/** A list of LocaleInput, for the readers' map of texts by language tag. */
export const localesMember: InputMember = { entry: { key: 'language' } }

export const localeArgs = builder.args((t) => ({
  locale: t.string({ description: "Languages in order of preference, such as `de-CH, en;q=0.5`; by default the request's." }),
}))

/** The fields of an object's texts in the requested language. */
export function localizedFields<T>(t: Pick<FieldBuilder<T>, 'string'>, all: (one: T) => Parameters<typeof localize>[0]) {
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

interface LocaleArguments {
  readonly locale?: string | null | undefined
}

/** The languages of the argument `locale`, else the request's Accept-Language. */
export function languagesOf({ locale }: LocaleArguments, ctx: Context): string | null {
  return locale ?? ctx.shopperHeaders.acceptLanguage
}

/** The texts in the best of those languages. */
export function textsOf(texts: Parameters<typeof localize>[0], args: LocaleArguments, ctx: Context): Localized {
  return localize(texts, languagesOf(args, ctx))
}
