/**
 * Timelines of subscriptions, and their coming invoices: what their agreements decide for any time
 * (subscription.timeline-entries).
 */
import { badRequest } from '../../domain/input/errors.ts'
import { DAY_MS, isInstant } from '../../domain/input/instant.ts'
import {
  PLAN_DAYS_MAX,
  TIMELINE_PAGE_MAX,
  TIMELINE_YEARS_MAX,
  UPCOMING_INVOICES_MAX,
} from '../../domain/input/limits.ts'
import type { TimelineEntry } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { agreedInvoices, agreedTimeline } from '../../operations/subscriptions/agreed.ts'
import { type Context, readingInstant } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readCursor, writeCursor } from '../schema/cursor.ts'
import type { Types } from '../schema/graph-types.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { SubscriptionRef } from './subscription.ts'
import { InvoiceRef, type Of, PeriodRef } from './subscription-invoice.ts'
import { termsField } from './subscription-terms.ts'

const EntryType = wordEnum<TimelineEntry['type']>('SubscriptionEventType', 'What happens to a subscription.', {
  begins: 'It begins.',
  trial_begins: 'Its trial begins.',
  trial_ends: 'Its trial ends.',
  changes: 'Its terms change.',
  closes: 'Its plan comes to its end.',
  cancels: 'A cancellation takes effect.',
  pauses: 'A pause takes effect.',
  resumes: 'A resume takes effect.',
  becomes_inactive: 'Its status turns from active to inactive.',
  period: 'A period that is charged starts.',
  invoice: 'An invoice is due.',
})

const EntryRef = builder.objectRef<Of<{ readonly entry: TimelineEntry }>>('SubscriptionTimelineEntry').implement({
  description: 'What happens to a subscription at an instant.',
  right: 'anyone',
  fields: (t) => ({
    type: t.field({ type: EntryType, description: 'What happens.', resolve: ({ entry }) => entry.type }),
    at: t.field({ type: 'DateTime', description: 'When it happens.', resolve: ({ entry }) => entry.at }),
    period: t.field({
      type: PeriodRef,
      nullable: true,
      description: 'The period that starts; null for anything else.',
      resolve: ({ entry }) => (entry.type === 'period' ? entry : null),
    }),
    invoice: t.field({
      type: InvoiceRef,
      nullable: true,
      description: 'The invoice that is due; null for anything else.',
      resolve: ({ entry, ...source }) => (entry.type === 'invoice' ? { ...entry, ...source } : null),
    }),
  }),
})

interface Timeline {
  readonly entries: readonly Of<{ readonly entry: TimelineEntry }>[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean
}

const TimelineRef = builder.objectRef<Timeline>('SubscriptionTimeline').implement({
  description: 'A page of what happens to a subscription, in order.',
  right: 'anyone',
  fields: (t) => ({
    entries: t.field({
      type: [EntryRef],
      description: `What happens, at most ${TIMELINE_PAGE_MAX} entries.`,
      resolve: ({ entries }) => [...entries],
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'The cursor of the last entry, for `after`; null without entries.',
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more entries follow.' }),
  }),
})

interface Bounds {
  readonly from: number
  readonly to: number
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
}

const cursorKinds = ['integer', 'integer'] as const

function readBounds({ from, to, first, after }: Bounds) {
  const latest = new Date(from)
  latest.setUTCFullYear(latest.getUTCFullYear() + TIMELINE_YEARS_MAX)
  if (!isInstant(to + PLAN_DAYS_MAX * DAY_MS))
    throw badRequest('OUT_OF_RANGE', ['to'], `must be at least ${PLAN_DAYS_MAX} days before the year 10000`)
  if (to < from || to > latest.getTime())
    throw badRequest('OUT_OF_RANGE', ['to'], `must be from \`from\` to ${TIMELINE_YEARS_MAX} years after it`)
  const limit = first ?? TIMELINE_PAGE_MAX
  if (limit < 1 || limit > TIMELINE_PAGE_MAX)
    throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${TIMELINE_PAGE_MAX}`)
  const key = after == null ? null : readCursor(after, cursorKinds)
  if (key === undefined) throw badRequest('INVALID_FORMAT', ['after'], 'must be a cursor of this list')
  return { from, to, limit, after: key && { at: Number(key[0]), count: Number(key[1]) } }
}

function readFirst({ first }: { readonly first?: number | null | undefined }): number {
  const limit = first ?? 1
  if (limit >= 1 && limit <= UPCOMING_INVOICES_MAX) return limit
  throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${UPCOMING_INVOICES_MAX}`)
}

/** A subscription, or what it would be, with the instant from which on its invoices are to come. */
interface Source {
  readonly of: Subscription
  readonly after: number
  readonly stored?: Subscription
}

/** The fields of whatever has a timeline and invoices. */
export function lifeFields<Parent>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>,
  sourceOf: (parent: Parent, ctx: Context) => Source,
) {
  return {
    timeline: t.field({
      type: TimelineRef,
      description: 'What happened and will happen to it, as it is agreed.',
      args: {
        from: t.arg({
          type: 'DateTime',
          required: true,
          description: 'From when on, such as `2026-01-01T00:00:00Z`.',
          ...withReader((args: Bounds) => readBounds(args)),
        }),
        to: t.arg({
          type: 'DateTime',
          required: true,
          description: `Before when, at most ${TIMELINE_YEARS_MAX} years after \`from\`.`,
        }),
        first: t.arg.int({
          description: `How many entries, such as \`50\`: 1 to ${TIMELINE_PAGE_MAX}, by default ${TIMELINE_PAGE_MAX}.`,
        }),
        after: t.arg.string({
          description: 'Only entries after the one with this cursor, such as `endCursor` of the page before.',
        }),
      },
      resolve: async (parent, args, ctx): Promise<Timeline> => {
        const { after: _, ...source } = sourceOf(parent, ctx)
        const { entries, hasNextPage, end } = agreedTimeline(ctx, source.of, readBounds(args))
        return {
          entries: entries.map((entry) => ({ entry, ...source })),
          endCursor: end && writeCursor([end.at, end.count]),
          hasNextPage,
        }
      },
    }),
    upcomingInvoices: t.field({
      type: [InvoiceRef],
      description: `The next invoices, due after now, in a preview from its instant on: at most ${UPCOMING_INVOICES_MAX}; fewer when no more follow.`,
      args: {
        first: t.arg.int({
          description: `How many, such as \`3\`: 1 to ${UPCOMING_INVOICES_MAX}, by default 1.`,
          ...withReader(readFirst),
        }),
      },
      resolve: (parent, args, ctx) => {
        const { after, ...source } = sourceOf(parent, ctx)
        const invoices = agreedInvoices(ctx, source.of, after, readFirst(args))
        return invoices.map((invoice) => ({ ...invoice, ...source }))
      },
    }),
  }
}

builder.objectFields(SubscriptionRef, (t) => ({
  ...lifeFields(t, (of, ctx) => ({ of, after: readingInstant(ctx, of) })),
  terms: termsField(t, (of) => of),
}))
