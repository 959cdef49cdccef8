/** Difference of a release or the draft from another: counts, and products side by side, the largest changes of price of a page first. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { firstPage, Link, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { Head } from './parts.tsx'
import { Publish, Restore, Withdraw } from './release-actions.tsx'

const Change = graphql(`
  fragment Change on ReleaseChange {
    kind
    fields
    before { name sku slug }
    after { name sku slug }
    priceChanges {
      currency
      before { amount formatted }
      after { formatted }
      difference { amount formatted }
    }
  }
`)

const Compared = graphql(
  `
  fragment Compared on Release {
    id
    sequence
    status
    summarySince(releaseId: $from) {
      added
      removed
      changed
      priceChanges { currency up down added removed }
      nodes { added removed changed moved }
    }
    changesSince(releaseId: $from, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { startCursor endCursor }
      nodes { ...Change }
    }
  }
`,
  [Change],
)

const Difference = graphql(
  `
  query Difference($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!, $first: Int, $after: String, $last: Int, $before: String) {
    catalog(id: $catalog) {
      base: release(id: $from) { sequence }
      draft @include(if: $isDraft) { ...Compared }
      release(id: $to) @skip(if: $isDraft) { ...Compared }
    }
  }
`,
  [Compared],
)

type ChangeOf = FragmentOf<typeof Change>

/** The relative change of a price; null without one before or after. */
const partOf = ({ before, difference }: ChangeOf['priceChanges'][number]): number | null =>
  before?.amount && difference ? difference.amount / before.amount : null

/** The largest relative change of a price of the product. */
const sizeOf = ({ priceChanges }: ChangeOf): number => Math.max(0, ...priceChanges.map((change) => Math.abs(partOf(change) ?? 0)))

/** Changes on a page. */
const PAGE = 100

interface DifferenceProps {
  readonly catalog: string
  readonly from: string
  readonly to: string
}

/** The differences of two releases of a catalog. */
export function ReleaseDifference({ catalog, from, to }: DifferenceProps): JSX.Element {
  const { after = null, before = null, page = '1' } = useAddress().address
  const isDraft = to === 'draft'
  const [first, last] = before ? [null, PAGE] : [PAGE, null]
  return (
    <section class="difference">
      <Ask query={Difference} variables={{ catalog, from, to, isDraft, first, after, last, before }} link>
        {({ catalog: found }) => {
          const release = found?.draft ?? found?.release
          if (!release) return <p class="empty">There is no such release.</p>
          const { summarySince: counts, changesSince: changes } = release
          const prices = counts.priceChanges.map(({ currency, up, down }) => `${up} up and ${down} down in ${currency}`)
          const base = from === 'latest' ? 'the latest' : `release ${found?.base?.sequence}`
          return (
            <>
              <h2>
                {isDraft && from === 'latest'
                  ? 'What a publish would change'
                  : `What differs in ${isDraft ? 'the draft' : `release ${release.sequence}`} from ${base}`}
              </h2>
              <p class="summary">
                {counts.added} added, {counts.removed} removed, {counts.changed} changed
                {prices.length > 0 && `; prices: ${prices.join(', ')}`}; nodes: {counts.nodes.added} added, {counts.nodes.removed} removed,{' '}
                {counts.nodes.changed} changed, {counts.nodes.moved} moved
              </p>
              {changes.nodes.some(({ priceChanges }) => priceChanges.length > 0) && (
                <p class="soft order">
                  {changes.totalCount > PAGE ? 'The largest changes of price of this page first.' : 'The largest changes of price first.'}
                </p>
              )}
              <ChangeTable changes={[...changes.nodes].sort((a, b) => sizeOf(b) - sizeOf(a))} />
              {changes.totalCount > PAGE && <Pages page={Number(page)} changes={changes} />}
              {isDraft && from === 'latest' && <Publish catalogId={catalog} fromDraft={release.id} />}
              {release.status === 'SCHEDULED' && <Withdraw releaseId={release.id} />}
              {!isDraft && from === 'latest' && <Restore releaseId={release.id} />}
            </>
          )
        }}
      </Ask>
    </section>
  )
}

interface PagesProps {
  readonly page: number
  readonly changes: {
    readonly totalCount: number
    readonly nodes: readonly unknown[]
    readonly pageInfo: { readonly startCursor: string | null; readonly endCursor: string | null }
  }
}

function Pages({ page, changes: { totalCount, nodes, pageInfo } }: PagesProps): JSX.Element {
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

/** By how much a price changed, such as `+€1.20, +10 %`. */
function sizeText(change: ChangeOf['priceChanges'][number]): string {
  const { difference } = change
  const part = partOf(change)
  if (!difference) return ''
  const percent = part?.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'always' })
  return `${difference.amount > 0 ? '+' : ''}${difference.formatted}${percent ? `, ${percent}` : ''}`
}

function ChangeTable({ changes }: { readonly changes: readonly ChangeOf[] }): JSX.Element | null {
  if (changes.length === 0) return null
  return (
    <div class="wide">
      <table class="changes">
        <Head titles={['Product', 'Before', 'After', 'Price', 'Fields']} />
        <tbody>
          {changes.map(({ kind, fields, before, after, priceChanges }) => (
            <tr key={after?.slug ?? before?.slug}>
              <th scope="row">{after?.sku ?? before?.sku ?? kind.toLowerCase()}</th>
              <td>{before?.name}</td>
              <td>
                {after && (
                  <Link to={{ ...firstPage, view: null, product: after.slug, from: null, to: null, catalog: null }}>{after.name}</Link>
                )}
              </td>
              <td>
                {priceChanges.map((price) => (
                  <div key={price.currency}>
                    {price.before?.formatted ?? 'none'} → <b>{price.after?.formatted ?? 'none'}</b>{' '}
                    <span class="soft">{sizeText(price)}</span>
                  </div>
                ))}
              </td>
              <td>{kind === 'CHANGED' ? fields.join(', ') : kind.toLowerCase()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
