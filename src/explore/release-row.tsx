/** A release in the list: its state, its instant, and what can be done with it. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { firstPage, Link, useAddress } from './address.tsx'
import { graphql } from './graph.ts'
import { Restore, Withdraw } from './latest-release.tsx'
import { counted, instantText, plain, Time } from './parts.tsx'
import { type Numbered, numberText, ReleaseNumber, Rename } from './release-name.tsx'

/** What is shown of a release. */
export const Row = graphql(`
  fragment Row on Release {
    id
    sequence
    name @include(if: $isAdmin)
    updatedAt @include(if: $isAdmin)
    status
    publishedAt
    scheduledFor @include(if: $isAdmin)
    warningCount @include(if: $isAdmin)
    productCount
    nodeCount
    history(last: 1) @include(if: $isAdmin) { nodes { key subject } }
  }
`)

interface RowProps {
  readonly catalog: string
  readonly row: FragmentOf<typeof Row>
  /** The id of the release before. */
  readonly before: string | undefined
  /** The id of the latest release, if there is one. */
  readonly latest: string | undefined
  readonly isAdmin: boolean
  /** How many products it changes in what shoppers see; undefined where that is not counted. */
  readonly changes: number | undefined
  /** Called with a release that was withdrawn. */
  readonly onWithdrawn: (release: Numbered) => void
}

/** A row, and below it the actions once they are opened. */
export function ReleaseRow({ catalog, row, before, latest, isAdmin, changes, onWithdrawn }: RowProps): JSX.Element {
  const { address } = useAddress()
  const { id, status, publishedAt, scheduledFor, productCount, nodeCount, warningCount } = row
  // The oldest write is that of who published it; a draft has none.
  const author = isDraftOf(row) ? undefined : row.history?.nodes[0]?.subject
  const [isOpen, setOpen] = useState(false)
  const [isDraft, isLatest] = [status === 'DRAFT', id === latest]
  const isAhead = !!scheduledFor && Date.parse(scheduledFor) > Date.now()
  const to = isDraft ? 'draft' : id
  const state = isLatest ? 'latest' : plain(status)
  const canWithdraw = isAhead && status === 'SCHEDULED'
  const canRestore = !isDraft && !isLatest && (status === 'SCHEDULED' || status === 'PUBLISHED')
  return (
    <>
      <tr class={address.to === to ? 'chosen' : ''}>
        <th scope="row">{isDraft ? 'Draft' : <ReleaseNumber of={row} />}</th>
        <td>
          <span class={`badge ${state.replaceAll(' ', '-')}`}>{sentence(state)}</span>
        </td>
        <td>
          {isAhead ? (
            <>
              goes live <Time at={scheduledFor} />
            </>
          ) : (
            publishedAt && <Time at={publishedAt} />
          )}
        </td>
        {isAdmin && <td>{author && <bdi>{author}</bdi>}</td>}
        <td class="count">{productCount}</td>
        <td>{nodeCount}</td>
        {isAdmin && (
          <td>
            {warningCount && latest && (!isLatest || before) ? (
              <Link to={{ ...firstPage, from: isLatest && before ? before : 'latest', to }}>{warningCount}</Link>
            ) : (
              warningCount
            )}
          </td>
        )}
        {isAdmin && (
          <td>
            <span class="choices">
              {latest && !isLatest && (
                <Link to={{ ...firstPage, from: 'latest', to }}>
                  {changes === undefined ? 'with the latest' : `with the latest: ${counted(changes, 'product')}`}
                </Link>
              )}
              {!isDraft && before && <Link to={{ ...firstPage, from: before, to }}>with the one before</Link>}
            </span>
          </td>
        )}
        {isAdmin && (
          <td>
            {!isDraft && (
              <button
                type="button"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Close the actions' : 'Actions'} of release ${numberText(row)}`}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? 'Close' : 'Actions'}
              </button>
            )}
            {isDraft && latest && <Link to={{ ...firstPage, from: 'latest', to }}>Publish…</Link>}
          </td>
        )}
      </tr>
      {isOpen && (
        <tr class="row-actions">
          <td colSpan={9}>
            <Rename release={row} />
            {canWithdraw && (
              <Withdraw
                catalog={catalog}
                release={row}
                scheduledFor={scheduledFor}
                onWithdrawn={() => onWithdrawn(row)}
              />
            )}
            {canRestore && <Restore catalog={catalog} release={row} />}
          </td>
        </tr>
      )}
    </>
  )
}

const isDraftOf = ({ status }: { readonly status: string }): boolean => status === 'DRAFT'

interface Listed extends Numbered {
  readonly status: string
  readonly publishedAt: string | null
  readonly scheduledFor?: string | null
}

/** What a choice calls a release: its number and name, and when it was published or goes live. */
export function releaseName(release: Listed): string {
  const { sequence, name, publishedAt, scheduledFor } = release
  const called = [sequence, name].filter(Boolean).join(' · ')
  if (isDraftOf(release)) return 'Draft'
  if (release.status === 'SCHEDULED' && scheduledFor) return `${called} · for ${instantText(scheduledFor)}`
  return publishedAt ? `${called} · ${instantText(publishedAt)}` : called
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
