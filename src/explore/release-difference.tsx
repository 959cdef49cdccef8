/** Difference of a release, or of the draft, from another: counts, and products side by side, the largest changes of price first. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from './address.tsx'
import { graphql } from './graph.ts'
import { Ask, Head } from './parts.tsx'
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
    changesSince(releaseId: $from, first: $first, after: $after) {
      totalCount
      pageInfo { endCursor hasNextPage }
      nodes { ...Change }
    }
  }
`,
  [Change],
)

const Difference = graphql(
  `
  query Difference($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!, $first: Int!, $after: String) {
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

/** The largest relative change of a price of the product. */
const sizeOf = ({ priceChanges }: ChangeOf): number =>
  Math.max(
    0,
    ...priceChanges.map(({ before, difference }) => (before?.amount && difference ? Math.abs(difference.amount) / before.amount : 0)),
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
  // The end cursors of the pages before the current one.
  const [ends, setEnds] = useState<readonly string[]>([])
  return (
    <section class="difference">
      <Ask query={Difference} variables={{ catalog, from, to, isDraft, first: PAGE, after: ends.at(-1) ?? null }} link>
        {({ catalog: found }) => {
          const release = found?.draft ?? found?.release
          if (!release) return <p class="empty">There is no such release.</p>
          const { summarySince: counts, changesSince: changes } = release
          const prices = counts.priceChanges.map(({ currency, up, down }) => `${up} up and ${down} down in ${currency}`)
          const base = from === 'latest' ? 'the latest' : `release ${found?.base?.sequence}`
          const start = ends.length * PAGE
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
              <ChangeTable changes={[...changes.nodes].sort((a, b) => sizeOf(b) - sizeOf(a))} />
              {changes.totalCount > PAGE && (
                <p class="pages">
                  <span role="status">
                    {(start + 1).toLocaleString()} to {(start + changes.nodes.length).toLocaleString()} of{' '}
                    {changes.totalCount.toLocaleString()} changes
                  </span>
                  <span>
                    <button type="button" disabled={start === 0} onClick={() => setEnds(ends.slice(0, -1))}>
                      Previous
                    </button>{' '}
                    <button
                      type="button"
                      disabled={!changes.pageInfo.hasNextPage}
                      onClick={() => setEnds([...ends, changes.pageInfo.endCursor ?? ''])}
                    >
                      Next
                    </button>
                  </span>
                </p>
              )}
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

function ChangeTable({ changes }: { readonly changes: readonly ChangeOf[] }): JSX.Element | null {
  if (changes.length === 0) return null
  return (
    <div class="wide">
      <table class="changes">
        <Head titles={['Product', 'Before', 'After', 'Fields', 'Price']} />
        <tbody>
          {changes.map(({ kind, fields, before, after, priceChanges }) => (
            <tr key={after?.slug ?? before?.slug}>
              <th scope="row">{after?.sku ?? before?.sku ?? kind.toLowerCase()}</th>
              <td>{before?.name}</td>
              <td>{after && <Link to={{ view: null, product: after.slug, from: null, to: null, catalog: null }}>{after.name}</Link>}</td>
              <td>{kind === 'CHANGED' ? fields.join(', ') : kind.toLowerCase()}</td>
              <td>
                {priceChanges.map((price) => (
                  <div key={price.currency}>
                    {price.before?.formatted ?? 'none'} → <b>{price.after?.formatted ?? 'none'}</b>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
