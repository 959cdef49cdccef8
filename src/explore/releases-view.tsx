/** Releases of a catalog: the list, and for administrators the difference of two and the actions on one. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { firstPage, noDifference, useAddress } from './address.tsx'
import { PublishAndTell } from './also-unpublished.tsx'
import { Answer } from './ask.tsx'
import { Comparison } from './comparison.tsx'
import { graphql, useGraph } from './graph.ts'
import { useList } from './list.ts'
import { useWrites } from './live.tsx'
import { longer, More, Title } from './parts.tsx'
import { ReleaseDifference } from './release-difference.tsx'
import { type Numbered, ReleaseNumber } from './release-name.tsx'
import { ReleaseRow, Row } from './release-row.tsx'
import { useRole } from './session.tsx'
import { Table } from './table.tsx'

const Catalogs = graphql(`
  query Catalogs($first: Int!, $after: String) {
    catalogs(first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id name }
    }
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

/** How many products each release changes that shoppers do not see yet. */
const Counts = graphql(`
  query ReleaseChanges($id: ID!) {
    catalog(id: $id) {
      draft { id changesSince(releaseId: "latest", first: 0) { totalCount } }
      scheduledReleases { id changesSince(releaseId: "latest", first: 0) { totalCount } }
    }
  }
`)

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
  const [withdrawn, setWithdrawn] = useState<Numbered | null>(null)
  const leave = (release: Numbered): void => {
    setWithdrawn(release)
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
  const { draft, scheduledReleases = [] } =
    useGraph(Counts, { id }, !isAdmin || !result.data?.catalog?.latestRelease).data?.catalog ?? {}
  const changes = new Map(
    [...(draft ? [draft] : []), ...scheduledReleases].map((one) => [one.id, one.changesSince.totalCount]),
  )
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
            <>
              {isAdmin && rows.length > 1 && <Comparison catalog={id} rows={rows} latest={latest} />}
              <Table
                class="releases"
                titles={[
                  'Release',
                  'Status',
                  'When',
                  ...(isAdmin ? ['By'] : []),
                  'Products',
                  'Categories',
                  ...(isAdmin ? ['Warnings', 'Compare', 'Actions'] : []),
                ]}
              >
                {rows.map((row, index) => (
                  <ReleaseRow
                    key={row.id}
                    {...{ catalog: id, row, latest, isAdmin }}
                    before={rows[index + 1]?.id}
                    changes={changes.get(row.id)}
                    onWithdrawn={leave}
                  />
                ))}
              </Table>
              <More total={catalog.releases.totalCount} shown={nodes.length} more={() => setCount(longer(count))} />
              {/* The first release has none before it whose difference from the draft would show what a publish changes. */}
              {!latest && catalog.draft && <PublishAndTell catalogId={id} fromDraft={catalog.draft.id} isFirst />}
            </>
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
      <div role="status">
        {!to && withdrawn && (
          <p>
            Release <ReleaseNumber of={withdrawn} /> is withdrawn.
          </p>
        )}
      </div>
    </>
  )
}
