/** Labels: the type Label, its queries. For administrators only. */
import type { Label, LabelKind } from '../../domain/catalog/label.ts'
import { LOCALES_MAX } from '../../domain/input/limits.ts'
import { label, labels } from '../../operations/catalog/label.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { LocaleRef, localeList } from '../schema/locale.ts'
import { implementNode } from '../schema/node.ts'
import { datedOrderArgs, recordConnection } from '../schema/record-connection.ts'
import { datedClauses, datedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const LabelKindEnum = wordEnum<LabelKind>('LabelKind', 'What a label is the name of.', {
  sale: 'A sale, in whichever price books.',
  tier: 'A quantity tier, of list prices or sales.',
  tag: 'A tag of products.',
  attribute: 'A field of extensions, by whichever template.',
  attribute_value:
    'A value of a field of extensions, by whichever field: a text, or a number or boolean as facets write it.',
})

export const LabelRef = builder.objectRef<Label>('Label')
const LabelConnection = defineConnection(LabelRef, 'admin')

implementNode(LabelRef, {
  description:
    "What a store's name of a kind is called in languages. A publish freezes the labels in its release; keys, filters and REST have the name itself.",
  right: 'admin',
  load: (id, ctx) => label(ctx, { id }),
  fields: (t) => ({
    kind: t.field({
      type: LabelKindEnum,
      description: 'What it is the name of.',
      resolve: ({ kind }) => kind as LabelKind,
    }),
    key: t.exposeString('key', { description: 'The name as it is stored, unique within its kind.' }),
    locales: t.field({
      type: [LocaleRef],
      description: `The names in languages, at most ${LOCALES_MAX}.`,
      resolve: ({ locales }) => localeList(locales),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the label was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the label was last changed.' }),
  }),
})

const LabelFilter = builder.inputType('LabelFilter', {
  description: 'Which labels to list; all that is given holds.',
  fields: (t) => ({
    kind: t.field({ type: LabelKindEnum, description: 'Those of one kind.' }),
    key: t.field({ type: RecordTextFilter, description: 'By the stored name.' }),
    ...datedFilterFields(t),
  }),
})

builder.queryField('labels', (t) =>
  t.field({
    type: LabelConnection,
    right: 'admin',
    description: 'The labels of the store as they are now, oldest first.',
    args: {
      ...pageArgs,
      ...datedOrderArgs,
      filter: t.arg({ type: LabelFilter, description: 'Which labels to list, such as `{ kind: SALE }`.' }),
    },
    resolve: (_, { filter, ...args }, ctx) =>
      recordConnection(
        ctx,
        args,
        [...textClauses('kind', { eq: filter?.kind }), ...textClauses('key', filter?.key), ...datedClauses(filter)],
        labels,
      ),
  }),
)
