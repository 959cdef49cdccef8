/** What comes of a subscription: the changes that are scheduled, and the events and invoices of a year. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { Head, plain, Time } from './parts.tsx'
import { Outcome } from './release-actions.tsx'

/** The changes that wait. */
export const Scheduled = graphql(`
  fragment Scheduled on AccountSubscription {
    id
    scheduledChanges {
      key
      type
      at
      plan { name }
    }
  }
`)

const Undo = graphql(`
  mutation UndoScheduledChange($input: UndoScheduledChangeInput!) {
    undoScheduledChange(input: $input) {
      subscription { id updatedAt }
      userErrors { message }
    }
  }
`)

/** Each scheduled change, with a button that takes it back. */
export function ScheduledChanges({ of }: { readonly of: FragmentOf<typeof Scheduled> }): JSX.Element | null {
  const [{ data, error, fetching }, undo] = useMutation(Undo)
  return (
    <>
      {of.scheduledChanges.map(({ key, type, at, plan }) => (
        <p key={key}>
          Scheduled: {plain(type)}
          {plan && ` to ${plan.name}`} at <Time at={at} />.{' '}
          <button type="button" disabled={fetching} onClick={() => void undo({ input: { id: of.id, changeKey: key } })}>
            Take it back
          </button>
        </p>
      ))}
      <Outcome error={error} userErrors={data?.undoScheduledChange.userErrors} />
    </>
  )
}

const Timeline = graphql(`
  query Timeline($id: ID!, $from: DateTime!, $to: DateTime!) {
    node(id: $id) {
      ... on AccountSubscription {
        id
        timeline(from: $from, to: $to, first: 100) {
          hasNextPage
          entries {
            at
            type
            period { to }
            invoice { id amount { formatted } }
          }
        }
      }
    }
  }
`)

const YEAR = 366 * 86_400_000

/** The events of the coming year, on request. */
export function Coming({ id }: { readonly id: string }): JSX.Element {
  const [from, setFrom] = useState<number | null>(null)
  if (from === null)
    return (
      <button type="button" onClick={() => setFrom(Date.now())}>
        The coming year
      </button>
    )
  const span = { from: new Date(from).toISOString(), to: new Date(from + YEAR).toISOString() }
  return (
    <Ask query={Timeline} variables={{ id, ...span }} link>
      {({ node }) => {
        if (!node || !('timeline' in node)) return <p class="empty">There is no such subscription.</p>
        const { entries, hasNextPage } = node.timeline
        if (entries.length === 0) return <p class="empty">Nothing follows within a year.</p>
        return (
          <div class="wide">
            <table>
              <Head titles={['When', 'What', 'Amount']} />
              <tbody>
                {entries.map(({ at, type, period, invoice }) => (
                  <tr key={`${at} ${type}`}>
                    <th scope="row">
                      <Time at={at} />
                    </th>
                    <td>
                      {plain(type)}
                      {period && (
                        <>
                          {' '}
                          to <Time at={period.to} />
                        </>
                      )}
                    </td>
                    <td class="number">{invoice && (invoice.amount?.formatted ?? 'no price')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {hasNextPage && <p class="soft">The first {entries.length} events; its query shows how to go on.</p>}
          </div>
        )
      }}
    </Ask>
  )
}
