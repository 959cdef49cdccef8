import type { PriceWarning } from '../pricing/price-warning.ts'
import type { Carry } from './carry.ts'
import type { MissingPrice } from './missing-price.ts'
import type { Activation } from './release-activation.ts'

/** The maximum number of warnings that a release stores; their total number is stored too. */
export const WARNINGS_MAX = 100

/** A probable mistake that a publish found, for admins: at one product, in one price book, or among SKUs. */
export interface ReleaseWarning {
  /**
   * Why a product has no price in a currency although its parts have one (bundle.options-agree-on-tax,
   * money.exact-or-no-price); what is doubtful about the price that it has (price-book.doubtful-prices-warned); that a
   * price book hides a currency (price-book.hidden-currency-warned); that SKUs look alike (product.skus-look-alike);
   * that products, or hierarchies, have one slug (slug.equal-ones-warned); or that it shows what a scheduled release
   * holds (release.early-shows-warned).
   */
  readonly code:
    | MissingPrice['code']
    | PriceWarning['code']
    | 'CURRENCY_HIDDEN_BY_BOOK'
    | 'SKUS_LOOK_ALIKE'
    | 'SLUGS_EQUAL'
    | 'SCHEDULED_SHOWN_EARLY'
  /**
   * How often it was found at the product, or at how many products the book hides the currency, the slug is or the
   * schedule is shown early, or at how many hierarchies the slug is; absent: once.
   */
  readonly count?: number
  /** Raw product id, where there are several that of the first; absent with SKUS_LOOK_ALIKE, and of hierarchies. */
  readonly product_id?: string
  /** Of the first finding, like all members below. */
  readonly currency?: string
  /** Only for a doubtful or hiding price: its SKU; for a doubtful one the names of its tier and sale. */
  readonly sku?: string
  readonly tier?: string
  readonly sale?: string
  /** Only with SKUS_LOOK_ALIKE: the first of the SKUs, and their number. */
  readonly skus?: readonly string[]
  readonly sku_count?: number
  /** Only with SLUGS_EQUAL. */
  readonly slug?: string
  /** Only with SLUGS_EQUAL of hierarchies: the raw id of the first. */
  readonly hierarchy_id?: string
  /** The raw id of the book that hides a currency, or whose SKUs look alike; absent for SKUs of products. */
  readonly price_book_id?: string
  /** Only with SCHEDULED_SHOWN_EARLY: hierarchies and nodes, the raw id of the release, and its instant. */
  readonly node_count?: number
  readonly release_id?: string
  readonly scheduled_for?: number
}

/** The record of a release of any status (release.is-a-snapshot). Instants are epoch milliseconds. */
export interface ReleaseRecord {
  readonly id: string
  readonly catalogId: string
  /** Number of the publish in its catalog, from 1; 0 for a draft. */
  readonly sequence: number
  readonly status: 'publishing' | 'published' | 'failed' | 'draft'
  readonly productCount: number
  readonly nodeCount: number
  readonly startedAt: number
  /** Null when it is not published. */
  readonly publishedAt: number | null
}

/** Release summary: a release with the outcome of its publish. */
export interface ReleaseSummary extends ReleaseRecord {
  /** What administrators call it (release.name-for-administrators); null without a name. */
  readonly name: string | null
  /** When the name was changed last; null: not since the publish. */
  readonly renamedAt: number | null
  readonly hierarchyIds: readonly string[]
  /** Why the publish failed; for admins. */
  readonly error: string | null
  /** The first warnings; for admins. `warningCount` counts all of them. */
  readonly warnings: readonly ReleaseWarning[]
  readonly warningCount: number
  /** In the order in which they take effect. */
  readonly activations: readonly Activation[]
  /** What it carried into scheduled releases when it last became the latest at once, or as a draft would. */
  readonly carries: readonly Carry[]
  /** Raw id of the release that has its schedule now; null for none. */
  readonly carriedInto: string | null
}

/**
 * The `updatedAt` of a release in epoch milliseconds, with which `ifUpdatedAt` is compared (write.if-updated-at): the
 * start of its publish, a millisecond later once the publish has ended, and the instant of its last change of name
 * (record.updated-at-rises). A release changes only then.
 */
export function releaseUpdatedAt({ status, startedAt, renamedAt }: Updated): number {
  return renamedAt ?? (status === 'publishing' ? startedAt : startedAt + 1)
}

type Updated = Pick<ReleaseRecord, 'status' | 'startedAt'> & Partial<Pick<ReleaseSummary, 'renamedAt'>>
