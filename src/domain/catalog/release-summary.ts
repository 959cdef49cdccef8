import type { Activation } from './release-activation.ts'

/** A warning of a publish about what is probably not intended; for admins. */
export interface ReleaseWarning {
  /**
   * Why a product has no price in a currency although its parts have one (bundle.options-agree-on-tax, money.exact-or-no-price); that a
   * quantity tier is dearer than a scheduled sale, which yields to it (tier.dearer-than-sale-warned); or that SKUs look alike
   * (product.skus-look-alike).
   */
  readonly code: 'TAX_MIXED' | 'AMOUNT_TOO_LARGE' | 'TIER_ABOVE_SALE' | 'SKUS_LOOK_ALIKE'
  /** Raw product id; absent with SKUS_LOOK_ALIKE, as is the currency. */
  readonly product_id?: string
  readonly currency?: string
  /** Only with TIER_ABOVE_SALE: the SKU of the price, and the names of its tier and sale. */
  readonly sku?: string
  readonly tier?: string
  readonly sale?: string
  /** Only with SKUS_LOOK_ALIKE: the first of the SKUs, how many there are, and the raw id of their book; absent: products have them. */
  readonly skus?: readonly string[]
  readonly sku_count?: number
  readonly price_book_id?: string
}

/** Release summary: counts, instants and status of a release (release.is-a-snapshot). Instants are epoch milliseconds. */
export interface ReleaseSummary {
  readonly id: string
  readonly catalogId: string
  /** Number of the publish in its catalog, from 1; 0 of a draft. */
  readonly sequence: number
  readonly status: 'publishing' | 'published' | 'failed' | 'draft'
  readonly hierarchyIds: readonly string[]
  readonly productCount: number
  readonly nodeCount: number
  readonly startedAt: number
  readonly publishedAt: number | null
  /** Why the publish failed; for admins. */
  readonly error: string | null
  /** The first warnings; for admins. `warningCount` counts all of them. */
  readonly warnings: readonly ReleaseWarning[]
  readonly warningCount: number
  /** In the order in which they take effect. */
  readonly activations: readonly Activation[]
}

/**
 * The `updatedAt` of a release in epoch milliseconds, with which `ifUpdatedAt` is compared (write.if-updated-at): the start of its
 * publish, and a millisecond later once that has ended (record.updated-at-rises). A release changes only then.
 */
export function releaseUpdatedAt({ status, startedAt }: Pick<ReleaseSummary, 'status' | 'startedAt'>): number {
  return status === 'publishing' ? startedAt : startedAt + 1
}
