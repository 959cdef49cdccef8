/** Steps of a price's explanation: one candidate each, with its outcome. */

/** The kinds of candidates, in the order in which they are weighed (pricing/README.md). */
type PriceStepKind = 'BOOK' | 'LIST' | 'SALE' | 'TIER' | 'MODIFIER' | 'BUNDLE'
/** The outcome of a candidate. */
type PriceStepOutcome =
  | 'APPLIED'
  | 'OUTRANKED'
  | 'YIELDED'
  | 'NOT_RUNNING'
  | 'NOT_REACHED'
  | 'OTHER_BUNDLE'
  | 'NO_AMOUNT'
  | 'NO_PRICE'

/** The outcome of a candidate, and the reason as a sentence for people. */
export interface StepResult {
  readonly outcome: PriceStepOutcome
  readonly reason: string
}

/** One candidate of a price. */
export interface PriceStep extends StepResult {
  readonly kind: PriceStepKind
  /**
   * The name of a sale, tier or modifier; the raw id of a price book or of an option's product; null where there is
   * none.
   */
  readonly name: string | null
  /**
   * Minor units, null without one: the amount after a modifier that applied, the part of an option, or what the
   * candidate gives by itself. The last candidate that applied has the amount of the price; none where there is none.
   */
  readonly amount: number | null
}

/** All candidates of one price in the order in which they are weighed. */
export interface Explanation {
  readonly steps: readonly PriceStep[]
  /** The next instant, in epoch milliseconds, at which a step differs; null for never. */
  readonly changesAt: number | null
}
