/** The parts of a subscription's life (life.ts). Instants are epoch milliseconds. */
import type { AgreedChange, Agreement, Item } from './agreement.ts'
import type { Cadence } from './cadence.ts'
import type { InvoiceLine } from './cover.ts'
import type { Plan } from './plan.ts'

/** The phases of a subscription; of several the last one that holds counts (subscription.last-phase-counts). */
export const phaseWords = ['pending', 'trial', 'active', 'paused', 'canceled', 'closed'] as const
/** A phase. */
export type Phase = (typeof phaseWords)[number]

/** The kinds of what happens in a life, periods and invoices aside. */
export const happeningWords = [
  'begins',
  'trial_begins',
  'trial_ends',
  'changes',
  'closes',
  'cancels',
  'pauses',
  'resumes',
  'becomes_inactive',
] as const
/** What happens. */
export interface Happening {
  readonly type: (typeof happeningWords)[number]
  readonly at: number
  /** The change that it comes from; null for what comes of itself. */
  readonly change: AgreedChange | null
}

/** A time in which terms and phase stay the same. */
export interface Stretch {
  readonly from: number
  /** Its end, which is not in it; infinite for the last one. */
  readonly to: number
  readonly phase: Phase
  readonly plan: Plan
  readonly items: readonly Item[]
  readonly cadence: Cadence
  /** When the subscription closes by these terms; null for never. */
  readonly end: number | null
  /** What happens at its start, in order. */
  readonly happenings: readonly Happening[]
  /** The prorations that are due at its start. */
  readonly prorations: readonly InvoiceLine[]
}

/** What became of a change that was agreed. */
export interface Outcome {
  /** When it took effect or will; null: something overtook it, or took it back. */
  readonly effectiveAt: number | null
  /** When a resume ended it or will, or took it back; null for none. */
  readonly endedAt: number | null
}

/** A life. */
export interface Life {
  readonly agreement: Agreement
  readonly trialEndsAt: number
  /** From the beginning of time on, in order; never empty. */
  readonly stretches: readonly Stretch[]
  /** By the id of the change; those that were undone have none. */
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** A change with its place in the order of asking. */
export interface Placed<C extends AgreedChange = AgreedChange> {
  readonly change: C
  readonly index: number
}
