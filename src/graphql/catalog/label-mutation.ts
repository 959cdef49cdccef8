/** Label mutations: many labels in one call. */
import { FREE_NAME_MAX, LABEL_NAME_MAX, LABEL_ROWS_MAX, LABELS_MAX, LOCALES_MAX } from '../../domain/input/limits.ts'
import { upsertLabels } from '../../operations/catalog/label.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { graphInput, type InputMembers } from '../schema/graph-input.ts'
import { localesMember } from '../schema/locale.ts'
import { LabelKindEnum, LabelRef } from './label.ts'

const LabelLocaleInput = builder.inputType('LabelLocaleInput', {
  description: 'A name in one language.',
  fields: (t) => ({
    language: t.string({
      required: true,
      description: 'A BCP 47 language tag, at most once in the list, whatever its case.',
    }),
    name: t.string({ required: true, description: `The name, 1 to ${LABEL_NAME_MAX} characters, not blank.` }),
  }),
})

const LabelInput = builder.inputType('LabelInput', {
  description: "What a store's name of a kind is called in languages.",
  fields: (t) => ({
    kind: t.field({ type: LabelKindEnum, required: true, description: 'What it is the name of.' }),
    key: t.string({
      required: true,
      description: `The name exactly as it is stored, 1 to ${FREE_NAME_MAX} characters, of tags in lower case; once in the call for each kind.`,
    }),
    locales: t.field({
      type: [LabelLocaleInput],
      required: true,
      description: `The names, at most ${LOCALES_MAX}; they replace all that the label has, and an empty list deletes it.`,
    }),
  }),
})

const labelMembers: InputMembers = { locales: localesMember }

defineMutation('upsertLabels', {
  description: `Sets what names are called in languages: adds, changes and deletes labels by kind and key, all or none. A store has at most ${LABELS_MAX}. Shoppers see them from the next publish on.`,
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    labels: t.field({ type: [LabelInput], required: true, description: `The labels, at most ${LABEL_ROWS_MAX}.` }),
  }),
  members: { labels: { members: labelMembers } },
  result: {
    name: 'labels',
    type: [LabelRef],
    description: `The labels of the input that there are now, at most ${LABEL_ROWS_MAX}, in its order: those without languages are gone.`,
  },
  run: async (ctx, { input }, options) => {
    const rows = input.labels.map((row) => graphInput(row, labelMembers))
    return [...(await upsertLabels(ctx, { rows }, options))]
  },
})
