/** Releases of a catalog: the list, and for administrators the difference of two and the actions on one. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { firstPage, Link, noDifference, useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { Comparison } from './comparison.tsx'
import { graphql } from './graph.ts'
import { useList } from './list.ts'
import { useWrites } from './live.tsx'
import { Head, longer, More, plain, Time, Title } from './parts.tsx'
import { Publish } from './release-actions.tsx'
import { ReleaseDifference } from './release-difference.tsx'
import { useRole } from './session.tsx'

const Catalogs = graphql(`
  query Catalogs($first: Int!, $after: String) {
    catalogs(first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id name }
    }
  }
`)

const Row = graphql(`
  fragment Row on Release {
    id
    sequence
    status
    publishedAt
    scheduledFor @include(if: $isAdmin)
    warningCount @include(if: $isAdmin)
    productCount
    nodeCount
  }
`)

const Releases = graphql(
  `
  query Releases($id: ID!, $isAdmin: Boolean!, $isBegin: Boolean!, $first: Int!, $after: String) {
    history(first: 1) @include(if: $isBegin) { nodes { key } }
    catalog(id: $id) {
      id
      name
      latestRelease { pinned { id } }
      draft @include(if: $isBegin) { ...Row }
      scheduledReleases @include(if: $isBegin) { ...Row }
      releases(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { ...Row }
      }
    }
  }
`,
  [Row],
)

/** The number of releases that are listed at first. */
const STEP = 20

/** The view of a catalog's releases. */
export function ReleasesView(): JSX.Element {
  const { address, go } = useAddress()
  const { nodes, ...result } = useList({
    query: Catalogs,
    variables: {},
    connectionOf: ({ catalogs }) => catalogs,
    count: Infinity,
  })
  return (
    <main>
      <Answer query={Catalogs} variables={{ first: 100, after: null }} result={result}>
        {() => {
          const id = address.catalog ?? nodes[0]?.id
          if (!id) return <Title empty>There is no catalog.</Title>
          return (
            <>
              <Title>Releases</Title>
              <label class="field">
                Catalog
                <select
                  onChange={({ currentTarget }) => go({ ...firstPage, ...noDifference, catalog: currentTarget.value })}
                >
                  {nodes.map((catalog) => (
                    <option key={catalog.id} value={catalog.id} selected={catalog.id === id}>
                      {catalog.name}
                    </option>
                  ))}
                </select>
              </label>
              <ReleaseList key={id} id={id} />
            </>
          )
        }}
      </Answer>
    </main>
  )
}

function ReleaseList({ id }: { readonly id: string }): JSX.Element {
  const isAdmin = useRole() === 'admin'
  const { address, go } = useAddress()
  const { from = 'latest', to } = address
  const [withdrawn, setWithdrawn] = useState<number | null>(null)
  const leave = (sequence: number): void => {
    setWithdrawn(sequence)
    go({ ...firstPage, ...noDifference })
  }
  const [count, setCount] = useState(STEP)
  const variables = { id, isAdmin, isBegin: isAdmin }
  const later = { isBegin: false }
  const { nodes, ...result } = useList({
    query: Releases,
    variables,
    later,
    connectionOf: ({ catalog }) => catalog?.releases,
    count,
  })
  const { history } = result.data ?? {}
  useWrites(history && !result.fetching ? (history.nodes[0]?.key ?? '') : undefined)
  return (
    <>
      <Answer
        query={Releases}
        variables={{ ...variables, first: Math.min(count, 100), after: null }}
        result={result}
        link="releases"
      >
        {({ catalog }) => {
          if (!catalog) return <p class="empty">There is no such catalog.</p>
          const latest = catalog.latestRelease?.pinned.id
          const all = [...(catalog.draft ? [catalog.draft] : []), ...(catalog.scheduledReleases ?? []), ...nodes]
          const rows = all.filter((row, index) => all.findIndex((other) => other.id === row.id) === index)
          return (
            <div class="wide">
              {isAdmin && rows.length > 1 && <Comparison catalog={id} rows={rows} latest={latest} />}
              <table class="releases">
                <Head
                  titles={[
                    'Release',
                    'Status',
                    'Published',
                    'Products',
                    'Categories',
                    ...(isAdmin ? ['Warnings', 'Compare'] : []),
                  ]}
                />
                <tbody>
                  {rows.map((row, index) => (
                    <ReleaseRow key={row.id} row={row} before={rows[index + 1]?.id} latest={latest} isAdmin={isAdmin} />
                  ))}
                </tbody>
              </table>
              <More total={catalog.releases.totalCount} shown={nodes.length} more={() => setCount(longer(count))} />
              {/* The first release has none before it whose difference from the draft would show what a publish changes. */}
              {!latest && catalog.draft && <Publish catalogId={id} fromDraft={catalog.draft.id} />}
            </div>
          )
        }}
      </Answer>
      {isAdmin &&
        to &&
        (from === 'latest' && result.data?.catalog?.latestRelease === null ? (
          <p class="empty">There is no release yet to compare with.</p>
        ) : (
          <ReleaseDifference key={`${from} ${to}`} catalog={id} from={from} to={to} onWithdrawn={leave} />
        ))}
      <div role="status">{!to && withdrawn !== null && <p>Release {withdrawn} is withdrawn.</p>}</div>
    </>
  )
}

interface RowProps {
  readonly row: FragmentOf<typeof Row>
  /** The id of the release before. */
  readonly before: string | undefined
  /** The id of the latest release, if there is one. */
  readonly latest: string | undefined
  readonly isAdmin: boolean
}

function ReleaseRow({ row, before, latest, isAdmin }: RowProps): JSX.Element {
  const { address } = useAddress()
  const { id, sequence, status, publishedAt, scheduledFor, productCount, nodeCount, warningCount } = row
  const [isDraft, isLatest] = [status === 'DRAFT', id === latest]
  const instant = scheduledFor && Date.parse(scheduledFor) > Date.now() ? scheduledFor : publishedAt
  const to = isDraft ? 'draft' : id
  return (
    <tr class={address.to === to ? 'chosen' : ''}>
      <th scope="row">{isDraft ? 'Draft' : sequence}</th>
      <td>{isLatest ? 'latest' : plain(status)}</td>
      <td>{instant && <Time at={instant} />}</td>
      <td class="count">{productCount}</td>
      <td>{nodeCount}</td>
      {isAdmin && <td>{warningCount}</td>}
      {isAdmin && (
        <td>
          {latest && !isLatest && <Link to={{ ...firstPage, from: 'latest', to }}>with the latest</Link>}{' '}
          {!isDraft && before && <Link to={{ ...firstPage, from: before, to }}>with the one before</Link>}
        </td>
      )}
    </tr>
  )
}
