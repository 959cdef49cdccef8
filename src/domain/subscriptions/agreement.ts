/**
 * What is agreed with a subscriber, as it is stored (subscription.agreement-decides). Nothing in it is overwritten:
 * what is undone stays, with the instant of that. Instants are epoch milliseconds.
 */

import type { TimeZone } from './local-time.ts'
import type { Plan } from './plan.ts'

/** An item of the terms, with copies of what the subscription product was (subscription.pinned-prices). */
export interface Item {
  readonly productId: string
  /** Null for a product that was gone when its price was taken. */
  readonly name: string | null
  readonly sku: string | null
  /** Minor units for one; null: it had no price. */
  readonly unitAmount: number | null
  /** Null without a price. */
  readonly includesTax: boolean | null
  /** 1 or more. */
  readonly quantity: number
}

/** Whether a change settles what was charged (subscription.proration-by-time). */
export const prorationWords = ['by_time', 'none'] as const
/** A way of proration. */
export type Proration = (typeof prorationWords)[number]

interface Asked {
  readonly id: string
  /** When it was asked for. */
  readonly askedAt: number
  /** When it takes effect. */
  readonly at: number
  /** When it was undone, or taken back by one that replaces it; null when it stands. */
  readonly undoneAt: number | null
  /** Whether a shopper asked for it; absent: an administrator did, or it is not known. */
  readonly byShopper?: true
}

/** Other terms from an instant on. */
export interface TermsChange extends Asked {
  readonly type: 'change'
  /** The new plan's copy, which counts `plan_length` anew; null: the plan stays, with its count. */
  readonly plan: Plan | null
  /** The whole list of items. */
  readonly items: readonly Item[]
  readonly proration: Proration
  /** The instant that parts are counted from, in place of `at`; null: `at`. */
  readonly prorateAt: number | null
}

/** A pause or a cancel. */
export interface Hold extends Asked {
  readonly type: 'pause' | 'cancel'
  /** Whether it was asked for the end of the period: then its flag turns at the request. */
  readonly atPeriodEnd: boolean
  readonly proration: Proration
  readonly prorateAt?: number
  readonly reason: string | null
}

/** A resume: it ends pauses and cancels that were asked for before it. */
export interface Resume extends Asked {
  readonly type: 'resume'
  readonly proration: Proration
  readonly prorateAt?: number
  /** The pause whose `resumeAt` it is; null for one that was asked for by itself. */
  readonly pauseId: string | null
}

/** Another end of the trial, `at`. */
export interface TrialMove extends Asked {
  readonly type: 'trial'
}

/** What was asked for after the start. */
export type AgreedChange = TermsChange | Hold | Resume | TrialMove

/** The agreement. */
export interface Agreement {
  readonly startsAt: number
  readonly timeZone: TimeZone
  readonly billingDay: number | null
  /** Invoices that were due before it are another system's: they cover, and are not shown. */
  readonly invoicesFrom: number | null
  /** Whether it was asked to be the account's only one to the offering that has not ended; absent: no. */
  readonly onlyOne?: true
  /** The first terms. */
  readonly plan: Plan
  readonly items: readonly Item[]
  /** In the order in which they were asked for. */
  readonly changes: readonly AgreedChange[]
}
