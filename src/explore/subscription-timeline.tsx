/** What comes of a subscription: the changes that are scheduled, and the events and invoices of a year. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { plain, Time } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { Drawing } from './subscription-drawing.tsx'
import { Table } from './table.tsx'

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
  query Timeline($id: ID!, $from: DateTime!, $now: DateTime!, $to: DateTime!) {
    node(id: $id) {
      ... on AccountSubscription {
        id
        startsAt
        phase
        trialEndsAt
        terms {
          from
          to
          plan { name }
          items { name sku quantity unitAmount { formatted } }
        }
        past: timeline(from: $from, to: $now) {
          entries {
            at
            type
            invoice { id amount { formatted } }
          }
        }
        timeline(from: $now, to: $to, first: 100) {
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

const WEEK = 7 * 86_400_000
const YEAR = 366 * 86_400_000

/** The terms, phases and invoices of a year until now, and the events of the coming one; on request. */
export function Coming({ id, startsAt }: { readonly id: string; readonly startsAt: string }): JSX.Element {
  const [now, setNow] = useState<number | null>(null)
  if (now === null)
    return (
      <button type="button" onClick={() => setNow(Date.now())}>
        The coming year
      </button>
    )
  const from = Math.min(Math.max(Date.parse(startsAt), now - YEAR), now - WEEK)
  const [first, middle, last] = [from, now, now + YEAR].map((at) => new Date(at).toISOString()) as [
    string,
    string,
    string,
  ]
  return (
    <Ask query={Timeline} variables={{ id, from: first, now: middle, to: last }} link="timeline of a subscription">
      {({ node }) => {
        if (!node || !('timeline' in node)) return <p class="empty">There is no such subscription.</p>
        const { entries, hasNextPage } = node.timeline
        // Only as far as all is known.
        const to = hasNextPage ? Date.parse(entries.at(-1)?.at ?? last) : now + YEAR
        return (
          <>
            <Drawing of={node} past={node.past.entries} ahead={entries} {...{ from, now, to }} />
            {entries.length === 0 ? <p class="empty">Nothing follows within a year.</p> : <Events of={node.timeline} />}
          </>
        )
      }}
    </Ask>
  )
}

interface EventsProps {
  readonly of: {
    readonly hasNextPage: boolean
    readonly entries: readonly {
      readonly at: string
      readonly type: string
      readonly period: { readonly to: string } | null
      readonly invoice: { readonly amount: { readonly formatted: string } | null } | null
    }[]
  }
}

function Events({ of: { entries, hasNextPage } }: EventsProps): JSX.Element {
  return (
    <>
      <Table titles={['When', 'What', 'Amount']}>
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
      </Table>
      {hasNextPage && <p class="soft">The first {entries.length} events; its query shows how to go on.</p>}
    </>
  )
}
