/** The list of invoices that are due in a time, for the system that bills them. */
import { badRequest } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { DUE_DAYS_MAX, DUE_PAGE_MAX } from '../../domain/input/limits.ts'
import { type DueInvoice, invoicesDue } from '../../operations/subscriptions/invoices-due.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readCursor, writeCursor } from '../schema/cursor.ts'
import { subscriptionClauses, subscriptionFilterArgs } from './subscription-filter.ts'
import { InvoiceRef } from './subscription-invoice.ts'

/** Invoices of a page by default. */
const DUE_PAGE = 100

interface Page {
  readonly invoices: readonly DueInvoice[]
  readonly hasNextPage: boolean
}

const PageRef = builder.objectRef<Page>('SubscriptionInvoicePage').implement({
  description: 'A page of invoices, by the instant at which they are due, then by the id of the subscription.',
  right: 'admin',
  fields: (t) => ({
    invoices: t.field({
      type: [InvoiceRef],
      description: `The invoices, at most ${DUE_PAGE_MAX}.`,
      resolve: ({ invoices }) => invoices.map(({ invoice, subscription: of }) => ({ ...invoice, of })),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last invoice, for `after`; null without invoices.',
      resolve: ({ invoices }) => {
        const last = invoices.at(-1)
        return last ? writeCursor([last.invoice.at, last.subscription.id]) : null
      },
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more invoices follow.' }),
  }),
})

interface Bounds {
  readonly from: number
  readonly to: number
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
}

const cursorKinds = ['instant', 'uuid'] as const

function readBounds({ from, to, first, after }: Bounds) {
  if (to < from || to > from + DUE_DAYS_MAX * DAY_MS)
    throw badRequest('OUT_OF_RANGE', ['to'], `must be from \`from\` to ${DUE_DAYS_MAX} days after it`)
  const limit = first ?? DUE_PAGE
  if (limit < 1 || limit > DUE_PAGE_MAX)
    throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${DUE_PAGE_MAX}`)
  const key = after == null ? null : readCursor(after, cursorKinds)
  if (key === undefined) throw badRequest('INVALID_FORMAT', ['after'], 'must be a cursor of this list')
  return { from, to, first: limit, after: key && { due: Number(key[0]), subscriptionId: String(key[1]) } }
}

builder.queryField('invoicesDue', (t) =>
  t.field({
    type: PageRef,
    right: 'admin',
    description:
      'The invoices of all subscriptions that are due in a time, as it is agreed now. A minute after its end nothing changes in it any more, so a system that bills can read a time once it is over, and use the ids as keys.',
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'From when on, such as `2026-12-01T00:00:00Z`.',
        ...withReader((args: Bounds) => readBounds(args)),
      }),
      to: t.arg({
        type: 'DateTime',
        required: true,
        description: `Before when, at most ${DUE_DAYS_MAX} days after \`from\`.`,
      }),
      first: t.arg.int({ description: `How many, such as \`25\`: 1 to ${DUE_PAGE_MAX}, by default ${DUE_PAGE}.` }),
      after: t.arg.string({
        description: 'Only invoices after the one with this cursor, such as `endCursor` of the page before.',
      }),
      ...subscriptionFilterArgs,
    },
    resolve: (_, { filter, ...args }, ctx) =>
      invoicesDue(ctx, { ...readBounds(args), clauses: subscriptionClauses(filter, ctx.now) }),
  }),
)
