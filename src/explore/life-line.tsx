/** Life line: the states of a subscription from its beginning to the next invoice, as a line to scale and as a list. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { useList } from './list.ts'
import { More, Time } from './parts.tsx'

const State = graphql(`
  fragment State on SubscriptionState {
    id
    action
    createdAt
  }
`)

/** What a life line shows of a subscription. */
export const Life = graphql(
  `
  fragment Life on AccountSubscription {
    id
    createdAt
    invoiceAfter
    nextAmount { formatted }
    states(first: 50) {
      totalCount
      nodes { ...State }
    }
  }
`,
  [State],
)

const States = graphql(
  `
  query States($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      ... on AccountSubscription {
        id
        states(first: $first, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { ...State }
        }
      }
    }
  }
`,
  [State],
)

interface LifeProps {
  readonly of: FragmentOf<typeof Life>
}

/** The latest states, and all of them on request. */
export function LifeLine({ of }: LifeProps): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const { nodes, totalCount } = of.states
  if (isWhole) return <WholeLife of={of} />
  return (
    <>
      <Line of={of} states={nodes} />
      <More total={totalCount} shown={nodes.length} more={() => setWhole(true)} />
    </>
  )
}

function WholeLife({ of }: LifeProps): JSX.Element {
  const variables = { id: of.id }
  const list = useList({
    query: States,
    variables,
    connectionOf: ({ node }) => (node && 'states' in node ? node.states : null),
    count: Infinity,
  })
  return (
    <Answer query={States} variables={{ ...variables, first: 100, after: null }} result={list}>
      {() => <Line of={of} states={list.nodes} />}
    </Answer>
  )
}

const states = { PAUSE: 'paused', CANCEL: 'canceled', RESUME: 'active' } as const

interface LineProps extends LifeProps {
  /** The newest first. */
  readonly states: readonly FragmentOf<typeof State>[]
}

function Line({ of, states: entered }: LineProps): JSX.Element {
  const actions = [...entered].reverse().map(({ action, createdAt }) => ({ state: states[action], from: createdAt }))
  const parts = [{ state: 'active', from: of.createdAt }, ...actions]
  const [start, now, invoice] = [Date.parse(of.createdAt), Date.now(), Date.parse(of.invoiceAfter)]
  const end = Math.max(now, of.nextAmount ? invoice : now) + 1
  const percent = (at: number): string => `${(100 * (at - start)) / (end - start)}%`
  return (
    <>
      <div class="line" aria-hidden="true">
        {parts.map(({ state, from }, index) => {
          const begin = Date.parse(from)
          const until = parts[index + 1] ? Date.parse(parts[index + 1]?.from ?? '') : end
          return (
            <span
              key={from}
              class={state}
              title={state}
              style={{ left: percent(begin), width: percent(start + until - begin) }}
            />
          )
        })}
        <Mark at={percent(now)} isLate={now - start > (end - start) / 2} name="now" />
        {of.nextAmount && invoice > now && <Mark at={percent(invoice)} isLate name="invoice" />}
      </div>
      <ol class="life" aria-label="States over time">
        {parts.map(({ state, from }) => (
          <li key={from} class={state}>
            {state} <Time at={from} />
          </li>
        ))}
      </ol>
    </>
  )
}

/**
 * An instant of the line with its name. The name of a late instant stands before it, so that it does not run over the
 * end.
 */
function Mark({
  at,
  isLate,
  name,
}: {
  readonly at: string
  readonly isLate: boolean
  readonly name: string
}): JSX.Element {
  return (
    <i class={isLate ? `late ${name}` : name} style={{ left: at }}>
      {name}
    </i>
  )
}
