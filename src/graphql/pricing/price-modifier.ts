/**
 * Price modifiers of price books: type, queries and mutations (modifier.own-price-ignores-them). For administrators
 * only.
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { type PriceModifier, priceModifierRecord } from '../../domain/pricing/price-modifier.ts'
import type { ModifierType } from '../../domain/pricing/price-record.ts'
import {
  createPriceModifier,
  deletePriceModifier,
  priceModifier,
  updatePriceModifier,
} from '../../operations/pricing/price-modifier.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { childRecordConnection, orderArgs } from '../schema/record-connection.ts'
import { namedClauses, namedFilterFields } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { PriceBookRef } from './price-book.ts'
import { cleared, kept } from './record-input.ts'
import { defineRecordMutations } from './record-mutations.ts'
import { TieredPriceRef, tieredPrices } from './tiered-price.ts'

export const PriceModifierTypeEnum = wordEnum<ModifierType>(
  'PriceModifierType',
  "What a price modifier does to its base's price.",
  {
    price_increment: 'Increases the price.',
    price_decrement: 'Decreases the price.',
    price_equals: 'Sets the price.',
  },
)

export const PriceModifierRef = builder.objectRef<PriceModifier>('PriceModifier')

implementNode(PriceModifierRef, {
  description: "What an option of a variation does to the base's price for the children that have it.",
  right: 'admin',
  load: (id, ctx) => priceModifier(ctx, { id }),
  rootField: {
    name: 'priceModifier',
    noun: 'modifier',
    example: 'c0ffee00-0005-4000-8000-000000000001',
    description: 'One price modifier; null when there is none.',
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name that options call it by, unique within its book.' }),
    type: t.expose('modifierType', { type: PriceModifierTypeEnum, description: 'What it does to the price.' }),
    prices: t.field({
      type: [TieredPriceRef],
      description:
        'The amounts, at most 200, in the order of the currency code. A currency without an amount is left alone.',
      resolve: ({ currencies }) => tieredPrices(currencies),
    }),
    priceBook: t.field({
      type: PriceBookRef,
      nullable: true,
      description: 'The book that holds the modifier.',
      resolve: ({ priceBookId }, _, { loaders }) => loaders.priceBookById.load(priceBookId),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the modifier.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the modifier was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the modifier was last changed.' }),
  }),
})

const PriceModifierConnection = defineConnection(PriceModifierRef, 'admin')

const PriceModifierFilter = builder.inputType('PriceModifierFilter', {
  description: 'Which price modifiers to list; all that is given holds.',
  fields: (t) => ({
    ...namedFilterFields(t),
    type: t.field({ type: PriceModifierTypeEnum, description: 'By what they do to the price.' }),
  }),
})

type Filter = typeof PriceModifierFilter.$inferInput

builder.objectField(PriceBookRef, 'modifiers', (t) =>
  t.field({
    type: PriceModifierConnection,
    description: 'The price modifiers of the book, oldest first.',
    args: {
      ...pageArgs,
      ...orderArgs,
      ...filterArgs(PriceModifierFilter, 'Which to list, such as `{ type: PRICE_INCREMENT }`.', clausesOf),
    },
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, clausesOf(filter), loaders.priceModifierListByPriceBookId),
  }),
)

/** The clauses of a filter. Null means absent. */
function clausesOf(filter: Filter | null | undefined): RecordClause[] {
  return [...namedClauses(filter), ...textClauses('modifierType', { eq: filter?.type })]
}

defineRecordMutations('PriceModifier', {
  record: priceModifierRecord,
  ref: PriceModifierRef,
  noun: 'modifier',
  members: {
    name: ['The name, {limits}; case counts.', 'The name, {limits}; it can not be cleared.'],
    modifierType: { name: 'type', type: PriceModifierTypeEnum, description: kept('What it does to the price') },
    currencies: {
      name: 'prices',
      description: [
        'The amounts, {limits}; may be empty.',
        'Amounts to set, change or remove; what is not named keeps its value, and there are {limits} in all. Null removes all.',
      ],
    },
    externalRef: cleared('A free reference to another system, {limits}.'),
  },
  owner: { type: 'PriceBook', noun: 'book', member: 'priceBookId' },
  create: { description: 'Creates a price modifier in a book.', run: createPriceModifier },
  update: {
    description: 'Changes the members that are given; others keep their value. Releases keep what they froze.',
    run: updatePriceModifier,
  },
  remove: {
    description: 'Deletes a price modifier. Options may go on naming it: a name that a book lacks changes no price.',
    run: deletePriceModifier,
  },
})
