/** Invoices of subscriptions (subscription.one-invoice-an-instant): they are computed, and nothing is stored. */
import type { InvoiceLine, LineReason } from '../../domain/subscriptions/cover.ts'
import { invoiceId } from '../../domain/subscriptions/invoice-id.ts'
import type { Invoice, Period } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { SubscriptionRef } from './subscription.ts'
import { SubscriptionItemRef } from './subscription-item.ts'

/** A part of a subscription's life with the subscription. */
export type Of<T> = T & {
  readonly of: Subscription
  /** In a preview, where `of` is what it would be: the subscription as it is. */
  readonly stored?: Subscription
}

const LineReasonEnum = wordEnum<LineReason>('InvoiceLineReason', 'Why an invoice has a line.', {
  period: 'A period is charged in advance.',
  proration_credit: 'What was charged for an item covers it no more.',
  proration_charge: 'An item is used without what was charged before.',
})

const InvoiceLineRef = builder
  .objectRef<InvoiceLine & { readonly currency: string }>('SubscriptionInvoiceLine')
  .implement({
    description: 'A line of an invoice.',
    right: 'anyone',
    fields: (t) => ({
      item: t.field({
        type: SubscriptionItemRef,
        description: 'What it is for: product, quantity and the amount of one for a whole period.',
        resolve: ({ item, currency }) => ({ ...item, currency }),
      }),
      reason: t.expose('reason', { type: LineReasonEnum, description: 'Why the line is there.' }),
      amount: t.field({
        type: MoneyRef,
        nullable: true,
        description: 'The amount, below 0 for a credit; null when the item has no price.',
        resolve: ({ amount, currency }) => toMoney(amount, currency),
      }),
    }),
  })

export const PeriodRef = builder.objectRef<Period>('SubscriptionPeriod').implement({
  description: 'A billing period.',
  right: 'anyone',
  fields: (t) => ({
    from: t.expose('at', { type: 'DateTime', description: 'Its start.' }),
    to: t.expose('end', { type: 'DateTime', description: 'Its end, which is not in it.' }),
  }),
})

export const InvoiceRef = builder.objectRef<Of<Invoice>>('SubscriptionInvoice').implement({
  description: 'What is due for a subscription at one instant. It is computed; nothing is stored.',
  right: 'anyone',
  fields: (t) => ({
    id: t.id({
      description: 'An id that is always the same for the subscription and the instant.',
      resolve: ({ of, at }) => invoiceId(of.id, at),
    }),
    dueAt: t.expose('at', { type: 'DateTime', description: 'When it is due.' }),
    period: t.expose('period', {
      type: PeriodRef,
      nullable: true,
      description: 'The period that it charges; null for prorations alone.',
    }),
    lines: t.field({
      type: [InvoiceLineRef],
      description: 'What it is made of: at most 1000 items of the period, and prorations.',
      resolve: ({ lines, of }) => lines.map((line) => ({ ...line, currency: of.currency })),
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The sum of its lines, perhaps below 0; null when an item has no price.',
      resolve: ({ amount, of }) => toMoney(amount, of.currency),
    }),
    subscription: t.field({
      type: SubscriptionRef,
      description: 'The subscription that it is for.',
      resolve: ({ of, stored }) => stored ?? of,
    }),
  }),
})
