/** Warnings of a release: what its publish found that is maybe not meant. */
import type { JSX } from 'preact'

interface WarningsProps {
  readonly count: number
  readonly warnings: readonly {
    readonly code: string
    readonly sku: string | null
    readonly currency: string | null
    readonly tier: string | null
    readonly sale: string | null
    readonly skus: readonly string[]
    readonly skuCount: number | null
  }[]
}

/** The first of them, as many as the graph gives. */
export function Warnings({ count, warnings }: WarningsProps): JSX.Element | null {
  if (count === 0) return null
  return (
    <details class="warnings" open={warnings.length <= 5}>
      <summary>{warnings.length < count ? `The first ${warnings.length} of ${count} warnings` : 'Warnings'}</summary>
      <ul>
        {warnings.map(({ code, sku, currency, tier, sale, skus, skuCount }) =>
          code === 'SKUS_LOOK_ALIKE' ? (
            <li key={skus.join('\n')}>
              {skuCount} SKUs look alike: {skus.map((one) => JSON.stringify(one)).join(', ')}
            </li>
          ) : (
            <li key={`${code} ${sku} ${currency} ${tier}`}>
              {sku ?? 'A product without SKU'}: {code.toLowerCase().replaceAll('_', ' ')} in {currency}
              {tier && `, tier ${tier}`}
              {sale && `, sale ${sale}`}
            </li>
          ),
        )}
      </ul>
    </details>
  )
}
