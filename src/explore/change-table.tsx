/** Table of products that differ between two releases: side by side, with their prices and the fields that differ. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { Link, noView } from './address.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { type LaterQuery, useLaterPrices } from './later-prices.tsx'
import { Shown } from './live.tsx'
import { Name, plain } from './parts.tsx'
import { Table } from './table.tsx'

/** A product that differs. */
export const Change = graphql(`
  fragment Change on ReleaseChange {
    kind
    fields
    before { name language sku slug }
    after { id name language sku slug }
    priceChanges {
      currency
      before { amount formatted }
      after { formatted }
      difference { amount formatted }
    }
  }
`)

type ChangeOf = FragmentOf<typeof Change>

/** The relative change of a price; null without a price before or after. */
const partOf = ({ before, difference }: ChangeOf['priceChanges'][number]): number | null =>
  before?.amount && difference ? difference.amount / before.amount : null

/** By how much a price changed, such as `+€1.20, +10 %`. */
function sizeText(change: ChangeOf['priceChanges'][number]): string {
  const { difference } = change
  const part = partOf(change)
  if (!difference) return ''
  const percent = part?.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'always' })
  return `${difference.amount > 0 ? '+' : ''}${difference.formatted}${percent ? `, ${percent}` : ''}`
}

/** The fields that differ; the instant of the last write is named where nothing else does. */
const fieldWords = (fields: readonly string[]): string =>
  fields
    .filter((field) => field !== 'updatedAt' || fields.length === 1)
    .map(plain)
    .join(', ')

interface TableProps extends Omit<LaterQuery, 'ids'> {
  readonly changes: readonly ChangeOf[]
}

/** The changes in their order; null without any. */
export function ChangeTable({ changes, ...query }: TableProps): JSX.Element | null {
  const ids = changes.flatMap(({ fields, priceChanges, after }) =>
    after && priceChanges.length === 0 && fields.includes('prices') ? [after.id] : [],
  )
  const later = useLaterPrices({ ...query, ids })
  const { channel, tags } = useShopper()
  const usual = useGraph(Shown, { channel, tags }).data?.storefront?.id
  // A product opens as it is compared: in its catalog, at the instant of its prices.
  const shop = { ...noView, at: query.at, seen: query.catalog === usual ? null : query.catalog }
  if (changes.length === 0) return null
  return (
    <Table class="changes" titles={['Product', 'Before', 'After', 'Price', 'What changed']}>
      {changes.map(({ kind, fields, before, after, priceChanges }) => (
        <tr key={after?.slug ?? before?.slug}>
          <th scope="row">{after?.sku ?? before?.sku ?? kind.toLowerCase()}</th>
          <td>{before && <Name of={before} />}</td>
          <td>
            {after && (
              <Link to={{ ...shop, product: after.slug }}>
                <Name of={after} />
              </Link>
            )}
          </td>
          <td>
            {priceChanges.map((price) => (
              <div key={price.currency}>
                {price.before?.formatted ?? 'none'} → <b>{price.after?.formatted ?? 'none'}</b>{' '}
                <span class="soft">{sizeText(price)}</span>
              </div>
            ))}
            {priceChanges.length === 0 && later.get(after?.slug ?? '')}
          </td>
          <td>{kind === 'CHANGED' ? fieldWords(fields) : plain(kind)}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Changes on a page. */
export const PAGE = 100

interface PagesProps {
  readonly page: number
  readonly changes: {
    readonly totalCount: number
    readonly nodes: readonly unknown[]
    readonly pageInfo: { readonly startCursor: string | null; readonly endCursor: string | null }
  }
}

/** Which part of the changes is shown, with links to the other parts; null when all are shown. */
export function Pages({ page, changes: { totalCount, nodes, pageInfo } }: PagesProps): JSX.Element | null {
  if (totalCount <= PAGE) return null
  const start = (page - 1) * PAGE
  const end = start + nodes.length
  return (
    <p class="pages">
      <span role="status">
        {(start + 1).toLocaleString()} to {end.toLocaleString()} of {totalCount.toLocaleString()} changes
      </span>
      <span>
        {page > 1 && (
          <Link key="previous" to={{ page: String(page - 1), before: pageInfo.startCursor, after: null }}>
            Previous
          </Link>
        )}{' '}
        {end < totalCount && (
          <Link key="next" to={{ page: String(page + 1), after: pageInfo.endCursor, before: null }}>
            Next
          </Link>
        )}
      </span>
    </p>
  )
}
