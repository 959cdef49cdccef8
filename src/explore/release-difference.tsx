/**
 * Difference of a release or the draft from another: counts, and products side by side, the largest changes of price
 * first.
 */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { firstPage, useAddress } from './address.tsx'
import { PublishAndTell } from './also-unpublished.tsx'
import { Ask } from './ask.tsx'
import { CarriedInto } from './carries.tsx'
import { Change, ChangeTable, PAGE, Pages } from './change-table.tsx'
import { graphql } from './graph.ts'
import { Restore, Withdraw } from './latest-release.tsx'
import { Called, type Numbered } from './release-name.tsx'
import { Counts, isEmpty, Summary } from './release-summary.tsx'
import { Warnings } from './release-warnings.tsx'

const Compared = graphql(
  `
  fragment Compared on Release {
    id
    sequence
    name
    status
    scheduledFor
    carriedInto { id sequence name scheduledFor }
    warningCount
    warnings { code count sku currency tier sale skus skuCount slug hierarchyId priceBookId nodeCount scheduledFor scheduledRelease { sequence name } }
    summarySince(releaseId: $from) { ...Counts }
  }
`,
  [Counts],
)

const Difference = graphql(
  `
  query Difference($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!) {
    catalog(id: $catalog) {
      base: release(id: $from) { sequence name pinned { id } }
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
    $at: DateTime
  ) @inContext(at: $at) {
    catalog(id: $catalog) {
      draft @include(if: $isDraft) { ...Changed }
      release(id: $to) @skip(if: $isDraft) { ...Changed }
    }
  }
`,
  [Changed],
)

interface DifferenceProps {
  readonly catalog: string
  readonly from: string
  readonly to: string
}

interface ReleaseDifferenceProps extends DifferenceProps {
  /** Called with a release that was withdrawn. */
  readonly onWithdrawn: (release: Numbered) => void
}

/** The differences of two releases of a catalog. */
export function ReleaseDifference({ catalog, from, to, onWithdrawn }: ReleaseDifferenceProps): JSX.Element {
  const { address } = useAddress()
  const isDraft = to === 'draft'
  return (
    <section class="difference">
      <Ask query={Difference} variables={{ catalog, from, to, isDraft }} link="difference">
        {({ catalog: found }) => {
          const release = found?.draft ?? found?.release
          if (!release) return <p class="empty">This release is not there: it was withdrawn or deleted.</p>
          const { summarySince: counts } = release
          // Shoppers see what is scheduled, and its prices, from its instant on.
          const at = address.at ?? (release.status === 'SCHEDULED' ? release.scheduledFor : null)
          // At another instant the latest may be another one.
          const start = (at && found?.base?.pinned.id) || from
          return (
            <>
              <h2>
                {isDraft && from === 'latest' ? (
                  'What a publish would change'
                ) : (
                  <>
                    What differs in {isDraft ? 'the draft' : <Called release={release} />} from{' '}
                    {from === 'latest' || !found?.base ? 'the latest' : <Called release={found.base} />}
                  </>
                )}
              </h2>
              {release.status === 'CARRIED' && <CarriedInto release={release} into={release.carriedInto} />}
              <p class="summary">
                <Summary of={counts} />
              </p>
              <Warnings count={release.warningCount} warnings={release.warnings} />
              <ChangeList catalog={catalog} from={start} to={to} at={at} priceChanges={counts.priceChanges} />
              {isDraft && from === 'latest' && (
                <PublishAndTell catalogId={catalog} fromDraft={release.id} isLeft={!isEmpty(counts)} hasWarnings />
              )}
              {release.scheduledFor && release.status === 'SCHEDULED' && (
                <Withdraw
                  catalog={catalog}
                  release={release}
                  scheduledFor={release.scheduledFor}
                  onWithdrawn={() => onWithdrawn(release)}
                />
              )}
              {!isDraft && from === 'latest' && release.status !== 'CARRIED' && (
                <Restore catalog={catalog} release={release} />
              )}
            </>
          )
        }}
      </Ask>
    </section>
  )
}

type PriceCount = FragmentOf<typeof Counts>['priceChanges'][number]

interface ChangeListProps extends DifferenceProps {
  /** The instant of the prices; null for now. */
  readonly at: string | null
  readonly priceChanges: readonly PriceCount[]
}

/**
 * The products that differ, by the change of their price in the currency that the address names, or else in the
 * currency with the most changes.
 */
function ChangeList({ catalog, from, to, at, priceChanges }: ChangeListProps): JSX.Element {
  const { address, go } = useAddress()
  const { after = null, before = null, page = '1' } = address
  const countOf = ({ up, down }: PriceCount): number => up + down
  const [most] = [...priceChanges].sort((one, other) => countOf(other) - countOf(one))
  const isOffered = address.by === 'name' || priceChanges.some(({ currency }) => currency === address.by)
  const by = (isOffered ? address.by : most?.currency) ?? 'name'
  const [first, last] = before ? [null, PAGE] : [PAGE, null]
  const orderBy =
    by === 'name' ? null : ({ field: 'RELATIVE_PRICE_DIFFERENCE', direction: 'DESC', currency: by } as const)
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
      <Ask
        query={Changes}
        variables={{
          ...{ catalog, from, to, isDraft: to === 'draft' },
          ...{ first, after, last, before, orderBy, at },
        }}
        link="changes of products"
      >
        {({ catalog: found }) => {
          const changes = (found?.draft ?? found?.release)?.changesSince
          if (!changes) return null
          return (
            <>
              <ChangeTable
                changes={changes.nodes}
                {...{ catalog, from, to, at }}
                currency={by === 'name' ? null : by}
              />
              <Pages page={Number(page)} changes={changes} />
            </>
          )
        }}
      </Ask>
    </>
  )
}
