/** Localized texts as they are authored: names and descriptions by language tag, as a list (language.texts-by-tag). */
import type { Locales, LocaleTexts } from '../../domain/language/locale.ts'
import { builder } from './builder.ts'
import type { InputMember } from './graph-input.ts'
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
