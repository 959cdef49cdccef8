/** Rows of campaigns: what a call does to each price that it names or finds. */
import { type Path, prefixPaths, type Violation } from '../input/errors.ts'
import type { PlannedSale, PriceChange } from './campaign.ts'
import type { CampaignRow } from './campaign-target.ts'
import { type PriceWarning, priceWarnings } from './price-warning.ts'
import type { PriceUpdate, ProductPrice } from './product-price.ts'

/** The result of one row of a campaign. */
export interface CampaignResult {
  readonly sku: string
  readonly outcome: PlannedSale['outcome']
  /** Raw id of the price; null when the book has none for the SKU. */
  readonly priceId: string | null
  readonly changes: readonly PriceChange[]
  /** What is doubtful about the price as the call leaves it. */
  readonly warnings: readonly PriceWarning[]
  /** Why it was refused; their paths begin at `place`. */
  readonly violations: readonly Violation[]
  /** Where the input names the row. */
  readonly place: Path
}

/** The result of a row, and the price to write, if any. */
export interface PlannedRow {
  readonly result: CampaignResult
  readonly update: PriceUpdate | null
}

/**
 * Plans a row for the stored price of its SKU. `plan` returns null for a price without an amount in a currency of the
 * campaign. Without a plan or a price, a row that the client named is refused, and one that a filter found (`isNamed`
 * false) is left out. `now` is epoch milliseconds.
 */
export function planRow(
  { sku, ifUpdatedAt, place }: CampaignRow,
  price: ProductPrice | undefined,
  isNamed: boolean,
  plan: (price: ProductPrice) => PlannedSale | null,
  now: number,
): PlannedRow | null {
  const refused = (violation: Violation): PlannedRow => ({
    result: {
      sku,
      outcome: 'refused',
      priceId: price?.id ?? null,
      changes: [],
      warnings: [],
      violations: [violation],
      place,
    },
    update: null,
  })
  if (!price)
    return isNamed ? refused({ code: 'NOT_FOUND', path: [], message: 'The price book has no price for the SKU' }) : null
  if (ifUpdatedAt !== null && price.updatedAt !== ifUpdatedAt)
    return refused({ code: 'STALE', path: ['if_updated_at'], message: 'the price has changed since' })
  const planned = plan(price)
  if (!planned)
    return isNamed
      ? refused({ code: 'NOT_FOUND', path: [], message: 'The price has no amount in a currency of the sale' })
      : null
  const { outcome, changes } = planned
  // A violation about the other sales of a price has a path in that price, which the input lacks.
  const violations = planned.violations.map((violation) => ({ ...violation, path: [] }))
  const update = outcome === 'changed' ? { stored: price, price: planned.price } : null
  const warnings = outcome === 'refused' ? [] : priceWarnings(planned.price, now)
  return { result: { sku, outcome, priceId: price.id, changes, warnings, violations, place }, update }
}

/** The violations of a result, each below the place of its row and with the SKU. */
export function violationsOf({ sku, violations, place }: CampaignResult): Violation[] {
  return prefixPaths(place, violations).map((violation) => ({ ...violation, subject: sku }))
}
