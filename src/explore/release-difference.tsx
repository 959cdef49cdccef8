/** Difference of a release or the draft from another: counts, and products side by side, the largest changes of price first. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { firstPage, Link, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { Change, ChangeTable } from './change-table.tsx'
import { graphql } from './graph.ts'
import { Publish, Restore, Withdraw } from './release-actions.tsx'

const Compared = graphql(`
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
  }
`)

const Difference = graphql(
  `
  query Difference($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!) {
    catalog(id: $catalog) {
      base: release(id: $from) { sequence }
      draft @include(if: $isDraft) { ...Compared }
      release(id: $to) @skip(if: $isDraft) { ...Compared }
    }
  }
`,
  [Compared],
)

const Changed = graphql(
  `
  fragment Changed on Release {
    id
    changesSince(releaseId: $from, first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy) {
      totalCount
      pageInfo { startCursor endCursor }
      nodes { ...Change }
    }
  }
`,
  [Change],
)

const Changes = graphql(
  `
  query Changes(
    $catalog: ID!
    $from: ID!
    $to: ID!
    $isDraft: Boolean!
    $first: Int
    $after: String
    $last: Int
    $before: String
    $orderBy: ReleaseChangeOrderInput
  ) {
    catalog(id: $catalog) {
      draft @include(if: $isDraft) { ...Changed }
      release(id: $to) @skip(if: $isDraft) { ...Changed }
    }
  }
`,
  [Changed],
)

/** Changes on a page. */
const PAGE = 100

interface DifferenceProps {
  readonly catalog: string
  readonly from: string
  readonly to: string
}

/** The differences of two releases of a catalog. */
export function ReleaseDifference({ catalog, from, to }: DifferenceProps): JSX.Element {
  const isDraft = to === 'draft'
  return (
    <section class="difference">
      <Ask query={Difference} variables={{ catalog, from, to, isDraft }} link>
        {({ catalog: found }) => {
          const release = found?.draft ?? found?.release
          if (!release) return <p class="empty">There is no such release.</p>
          const { summarySince: counts } = release
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
              <ChangeList catalog={catalog} from={from} to={to} priceChanges={counts.priceChanges} />
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

type PriceCount = FragmentOf<typeof Compared>['summarySince']['priceChanges'][number]

interface ChangeListProps extends DifferenceProps {
  readonly priceChanges: readonly PriceCount[]
}

/** The products that differ: by the changes of price in the currency that the address names, else in the one with most of them. */
function ChangeList({ catalog, from, to, priceChanges }: ChangeListProps): JSX.Element {
  const { address, go } = useAddress()
  const { after = null, before = null, page = '1' } = address
  const countOf = ({ up, down }: PriceCount): number => up + down
  const [most] = [...priceChanges].sort((one, other) => countOf(other) - countOf(one))
  const isOffered = address.by === 'name' || priceChanges.some(({ currency }) => currency === address.by)
  const by = (isOffered ? address.by : most?.currency) ?? 'name'
  const [first, last] = before ? [null, PAGE] : [PAGE, null]
  const orderBy = by === 'name' ? null : ({ field: 'RELATIVE_PRICE_DIFFERENCE', direction: 'DESC', currency: by } as const)
  return (
    <>
      {priceChanges.length > 0 && (
        <label class="field order">
          Order
          <select onChange={({ currentTarget }) => go({ ...firstPage, by: currentTarget.value })}>
            {priceChanges.map(({ currency }) => (
              <option key={currency} value={currency} selected={currency === by}>
                Largest change of price in {currency}
              </option>
            ))}
            <option value="name" selected={by === 'name'}>
              Name
            </option>
          </select>
        </label>
      )}
      <Ask query={Changes} variables={{ catalog, from, to, isDraft: to === 'draft', first, after, last, before, orderBy }} link>
        {({ catalog: found }) => {
          const changes = (found?.draft ?? found?.release)?.changesSince
          if (!changes) return null
          return (
            <>
              <ChangeTable changes={changes.nodes} />
              {changes.totalCount > PAGE && <Pages page={Number(page)} changes={changes} />}
            </>
          )
        }}
      </Ask>
    </>
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
