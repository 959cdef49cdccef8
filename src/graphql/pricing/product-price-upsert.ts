/** Bulk upsert of product prices: many rows in one call, with one result per row. */
import { capViolations, prefixPaths, VIOLATIONS_MAX } from '../../domain/input/errors.ts'
import { PRICE_ROWS_MAX } from '../../domain/input/limits.ts'
import type { UpsertedRow } from '../../domain/pricing/price-upsert.ts'
import { upsertProductPrices } from '../../operations/pricing/product-price-upsert.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { toUserErrors, UserErrorRef } from '../schema/errors.ts'
import { graphInput, type InputMembers } from '../schema/graph-input.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { bulkFields, bulkOptions } from './bulk-mode.ts'
import { ProductPriceRef } from './product-price.ts'
import { priceInputs } from './product-price-mutation.ts'

const members: InputMembers = { rows: { members: priceInputs.members } }

const UpsertOutcome = wordEnum('UpsertOutcome', 'What became of a row.', {
  created: 'The book lacked the SKU and has a price for it now.',
  updated: 'The price of the SKU was changed.',
  unchanged: 'The price of the SKU was like that already.',
  refused: 'The row breaks a rule and wrote nothing.',
})

const UpsertResultRef = builder
  .objectRef<UpsertedRow & { readonly row: number; readonly input: object }>('ProductPriceUpsert')
  .implement({
    description: 'What became of one row of `upsertProductPrices`.',
    right: 'admin',
    fields: (t) => ({
      row: t.exposeInt('row', { description: 'The place of the row in the input, from 0.' }),
      outcome: t.expose('outcome', { type: UpsertOutcome, description: 'What became of it.' }),
      productPrice: t.expose('price', {
        type: ProductPriceRef,
        nullable: true,
        description: 'The price; null when the row was refused.',
      }),
      userErrors: t.field({
        type: [UserErrorRef],
        description: `Why the row was refused, at most ${VIOLATIONS_MAX}.`,
        resolve: ({ row, violations, input }) =>
          toUserErrors(prefixPaths(['rows', row], capViolations(violations)), { input, members }),
      }),
    }),
  })

const ProductPriceRowInput = builder.inputType('ProductPriceRowInput', {
  description: 'The price of one SKU. Where the book has one, members that are absent keep their value.',
  fields: (t) => ({
    ...priceInputs.update(t),
    sku: t.string({ required: true, description: 'The SKU, 1 to 1024 characters, at most once in the call.' }),
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` of the price that you last saw: when it has moved on, or is gone, the row is refused (STALE).',
    }),
  }),
})

defineMutation('upsertProductPrices', {
  description:
    'Adds or changes the prices of up to 1000 SKUs in one price book, by SKU. New prices must have `prices`.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'PriceBook', noun: 'book', member: 'priceBookId' },
  input: (t) => ({
    rows: t.field({
      type: [ProductPriceRowInput],
      required: true,
      description: `The prices, at most ${PRICE_ROWS_MAX}.`,
    }),
    ...bulkFields(t),
  }),
  members,
  result: { name: 'results', type: [UpsertResultRef], description: 'What became of each row, in their order.' },
  run: async (ctx, { id, input }, options) => {
    const { mode, dryRun } = bulkOptions(input)
    const rows = input.rows.map(({ ifUpdatedAt, ...row }) => ({
      data: graphInput(row, priceInputs.members),
      ifUpdatedAt,
    }))
    const results = await upsertProductPrices(ctx, { priceBookId: id, mode, dryRun, rows }, dryRun ? {} : options)
    return results.map((result, row) => ({ ...result, row, input }))
  },
})
