/** The list of all subscriptions, for administrators: each leads to those of its account. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from './address.tsx'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { type Phase, phaseWords } from './life-parts.ts'
import { useList } from './list.ts'
import { longer, More, Time } from './parts.tsx'
import { Table } from './table.tsx'

const Listed = graphql(`
  query AllSubscriptions($filter: AccountSubscriptionFilter!, $first: Int!, $after: String) {
    subscriptions(filter: $filter, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        phase
        invoiceAfter
        nextAmount { formatted }
        account { id }
        subscriber { name email }
        offering { name }
        plan { name }
      }
    }
  }
`)

const phases = ['TRIAL', 'ACTIVE', 'PAUSED', 'CANCELED', 'CLOSED', 'PENDING'] as const satisfies Phase[]

/** Subscriptions that are listed at first. */
const STEP = 25

interface ChoiceProps {
  readonly phase: Phase | null
  readonly choose: (phase: Phase | null) => void
}

/** Chooses the phase of the subscriptions that are listed; null for any. */
export function PhaseField({ phase, choose }: ChoiceProps): JSX.Element {
  return (
    <label class="field">
      State
      <select
        onChange={({ currentTarget: { value } }) => choose(phases.find((one) => one === value) ?? null)}
        value={phase ?? ''}
      >
        <option value="">any</option>
        {phases.map((one) => (
          <option key={one} value={one}>
            {phaseWords[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

export function AllSubscriptions({ phase }: { readonly phase: Phase | null }): JSX.Element {
  const [count, setCount] = useState(STEP)
  const variables = { filter: { phase } }
  const list = useList({ query: Listed, variables, connectionOf: (data) => data.subscriptions, count })
  return (
    <Answer
      query={Listed}
      variables={{ ...variables, first: Math.min(count, 100), after: null }}
      result={list}
      link="subscriptions"
    >
      {({ subscriptions: { totalCount } }) =>
        totalCount === 0 ? (
          <p class="empty">
            {phase
              ? `No subscription has the state “${phaseWords[phase]}”: choose any.`
              : 'Nobody has a subscription yet.'}
          </p>
        ) : (
          <>
            <Table class="subscriptions" titles={['Customer', 'Plan', 'State', 'Next invoice']}>
              {list.nodes.map(({ id, subscriber, offering, plan, account, ...of }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to={{ account: account.id }}>
                      <bdi>{subscriber.name}</bdi>
                    </Link>
                    <div class="soft">
                      <bdi>{subscriber.email}</bdi>
                    </div>
                  </th>
                  <td>
                    <bdi>{plan.name}</bdi>
                    <div class="soft">
                      <bdi>{offering.name}</bdi>
                    </div>
                  </td>
                  <td>
                    <span class={`badge ${of.phase.toLowerCase()}`}>{phaseWords[of.phase]}</span>
                  </td>
                  <td>
                    {of.nextAmount ? (
                      <>
                        <b>{of.nextAmount.formatted}</b> <Time at={of.invoiceAfter} />
                      </>
                    ) : (
                      <span class="soft">none</span>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            <More total={totalCount} shown={list.nodes.length} more={() => setCount(longer(count))} />
          </>
        )
      }
    </Answer>
  )
}
