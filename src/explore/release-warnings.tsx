/** Warnings of a release: what its publish found that may not be meant. */
import type { JSX } from 'preact'
import { counted, plain, Time } from './parts.tsx'

interface WarningsProps {
  readonly count: number
  readonly warnings: readonly {
    readonly code: string
    readonly count: number
    readonly sku: string | null
    readonly currency: string | null
    readonly tier: string | null
    readonly sale: string | null
    readonly skus: readonly string[]
    readonly skuCount: number | null
    readonly slug: string | null
    readonly hierarchyId: string | null
    readonly priceBookId: string | null
    readonly nodeCount: number | null
    readonly scheduledFor: string | null
  }[]
}

/** The first warnings, as many as the graph returns. */
export function Warnings({ count, warnings }: WarningsProps): JSX.Element | null {
  if (count === 0) return null
  return (
    <details class="warnings" open={warnings.length <= 5}>
      <summary>{warnings.length < count ? `The first ${warnings.length} of ${count} warnings` : 'Warnings'}</summary>
      <ul>
        {warnings.map(({ code, count: times, sku, currency, tier, sale, skus, skuCount, priceBookId, ...early }) =>
          code === 'SCHEDULED_SHOWN_EARLY' ? (
            <li key={`${code} ${early.scheduledFor}`}>
              Shown before {early.scheduledFor && <Time at={early.scheduledFor} />}: {counted(times, 'product')},{' '}
              {counted(early.nodeCount ?? 0, 'category', 'categories')}
            </li>
          ) : code === 'SKUS_LOOK_ALIKE' ? (
            <li key={skus.join('\n')}>
              {skuCount} SKUs look alike: {skus.map((one) => JSON.stringify(one)).join(', ')}
            </li>
          ) : code === 'SLUGS_EQUAL' ? (
            <li key={`${code} ${early.hierarchyId === null} ${early.slug}`}>
              {times} {early.hierarchyId === null ? 'products' : 'hierarchies'} have the slug {early.slug}
            </li>
          ) : code === 'CURRENCY_HIDDEN_BY_BOOK' ? (
            <li key={`${code} ${priceBookId} ${currency}`}>
              No price in {currency}, which a higher price book hides: {sku}
              {times > 1 && `, and ${times - 1} more products`}
            </li>
          ) : (
            <li key={`${code} ${sku} ${currency} ${tier}`}>
              {sku ?? 'A product without SKU'}: {plain(code)} in {currency}
              {tier && `, tier ${tier}`}
              {sale && `, sale ${sale}`}
              {times > 1 && `, and ${times - 1} more`}
            </li>
          ),
        )}
      </ul>
    </details>
  )
}
