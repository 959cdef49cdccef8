/** Warnings of a release: what its publish found that may not be meant. */
import type { JSX } from 'preact'
import { Named } from './carries.tsx'
import { useGraph } from './graph.ts'
import { counted, Name, plain, Time } from './parts.tsx'
import { type Numbered, ReleaseNumber } from './release-name.tsx'

/** What has warnings. */
export interface Warned {
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
    /** Null when it is gone. */
    readonly scheduledRelease: Numbered | null
    readonly productId?: string | null
  }[]
}

interface WarningsProps extends Warned {
  readonly count: number
}

/** What a publish at once puts live that is scheduled for later, named before it is published; null without any. */
export function ShownEarly({ warnings }: Warned): JSX.Element | null {
  const early = warnings.filter(({ code }) => code === 'SCHEDULED_SHOWN_EARLY')
  const ids = [...new Set(early.flatMap(({ productId }) => productId ?? []))]
  const names = useGraph(Named, { ids }, ids.length === 0).data?.nodes
  if (early.length === 0) return null
  return (
    <ul class="early">
      {early.map(({ scheduledFor, scheduledRelease, count, nodeCount, productId }) => {
        const first = names?.find((node) => node && 'id' in node && node.id === productId)
        return (
          <li key={scheduledFor}>
            This also puts live now what is scheduled for {scheduledFor && <Time at={scheduledFor} />}
            {scheduledRelease?.name && (
              <>
                {' '}
                in release <ReleaseNumber of={scheduledRelease} />
              </>
            )}
            : {count === 0 && !nodeCount && 'texts of the catalog'}
            {count > 0 && counted(count, 'product')}
            {first && 'name' in first && (
              <>
                {' '}
                (<Name of={{ name: first.name, language: null }} />
                {count > 1 && ` and ${count - 1} more`})
              </>
            )}
            {count > 0 && nodeCount ? ' and ' : ''}
            {nodeCount ? counted(nodeCount, 'category', 'categories') : ''}. With a time it waits until then.
          </li>
        )
      })}
    </ul>
  )
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
              Would be shown too early:{' '}
              {[
                ...(times > 0 ? [counted(times, 'product')] : []),
                ...(early.nodeCount ? [counted(early.nodeCount, 'category', 'categories')] : []),
              ].join(' and ') || 'texts of the catalog'}
              , scheduled for {early.scheduledFor && <Time at={early.scheduledFor} />}
              {early.scheduledRelease?.name && (
                <>
                  {' '}
                  in release <ReleaseNumber of={early.scheduledRelease} />
                </>
              )}
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
