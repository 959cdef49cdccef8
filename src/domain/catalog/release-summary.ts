/** What a publish found that is maybe not meant; for admins. */
export interface ReleaseWarning {
  /**
   * Why a product has no price in a currency although its parts have one (bundle.options-agree-on-tax, money.exact-or-no-price); or that a
   * quantity tier is dearer than a scheduled sale, which yields to it (tier.dearer-than-sale-warned).
   */
  readonly code: 'TAX_MIXED' | 'AMOUNT_TOO_LARGE' | 'TIER_ABOVE_SALE'
  /** Raw id. */
  readonly product_id: string
  readonly currency: string
  /** Of a TIER_ABOVE_SALE: the SKU of the price, and the names of its tier and sale. */
  readonly sku?: string
  readonly tier?: string
  readonly sale?: string
}

/** What is told of a release besides what it lists: counts, times, status (release.is-a-snapshot). Instants are epoch milliseconds. */
export interface ReleaseSummary {
  readonly id: string
  readonly catalogId: string
  /** Counts the catalog's publications from 1. */
  readonly sequence: number
  readonly status: 'publishing' | 'published' | 'failed'
  readonly hierarchyIds: readonly string[]
  readonly productCount: number
  readonly nodeCount: number
  readonly startedAt: number
  readonly publishedAt: number | null
  /** Why it failed, told to admins. */
  readonly error: string | null
  /** The first ones, told to admins, and how many there were. */
  readonly warnings: readonly ReleaseWarning[]
  readonly warningCount: number
}

/**
 * write.if-updated-at: what `ifUpdatedAt` speaks of. A release changes once, when its publish ends. That bears the instant at which it
 * began, so it moves on by the millisecond that record.updated-at-rises asks for.
 */
export function releaseUpdatedAt({ status, startedAt }: Pick<ReleaseSummary, 'status' | 'startedAt'>): number {
  return status === 'publishing' ? startedAt : startedAt + 1
}
