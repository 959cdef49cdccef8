/** The root connection of all sales. For administrators only. */
import { sales } from '../../operations/pricing/sale-list.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { readId } from '../schema/ids.ts'
import { datedOrderArgs, recordConnection } from '../schema/record-connection.ts'
import {
  DateTimeFilter,
  datedClauses,
  datedFilterFields,
  instantClauses,
  RecordTextFilter,
} from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { SaleRef } from './sale.ts'

const SaleListFilter = builder.inputType('SaleListFilter', {
  description: 'Which sales to list; all that is given holds.',
  fields: (t) => ({
    priceBookId: t.id({ description: 'Those of the prices of one book: its global id or UUID.' }),
    name: t.field({ type: RecordTextFilter, description: 'By name.' }),
    runningAt: t.field({ type: 'DateTime', description: 'Those that run at this instant, permanent ones among them.' }),
    startsIn: t.field({
      type: DateTimeFilter,
      description: 'By the start of the schedule; a sale without a start is none of them.',
    }),
    endsIn: t.field({
      type: DateTimeFilter,
      description: 'By the end of the schedule; a sale without an end is none of them.',
    }),
    ...datedFilterFields(t),
  }),
})

const SaleConnection = defineConnection(SaleRef, 'admin')

builder.queryField('sales', (t) =>
  t.field({
    type: SaleConnection,
    right: 'admin',
    description:
      'The sales of all prices, oldest first. Lists by book or by name have an index; other conditions look at each sale of these.',
    args: {
      ...pageArgs,
      ...datedOrderArgs,
      filter: t.arg({
        type: SaleListFilter,
        description: 'Which sales to list, such as `{ name: { eq: "Black Friday" } }`.',
      }),
    },
    resolve: (_, { filter, ...args }, ctx) => {
      const { priceBookId, name, startsIn, endsIn } = filter ?? {}
      const bookId = priceBookId == null ? null : readId('PriceBook', priceBookId, ['filter', 'priceBookId'])
      const clauses = [
        ...textClauses('priceBookId', { eq: bookId }),
        ...textClauses('name', name),
        ...instantClauses('validFrom', startsIn),
        ...instantClauses('validTo', endsIn),
        ...datedClauses(filter),
      ]
      const runningAt = filter?.runningAt ?? null
      return recordConnection(ctx, args, clauses, {
        page: (of, request) => sales.page(of, { ...request, runningAt }),
        total: (of, request) => sales.total(of, { ...request, runningAt }),
      })
    },
  }),
)
