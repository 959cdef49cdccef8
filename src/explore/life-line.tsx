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
    scheduledChanges { key type at }
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

interface Part {
  readonly state: string
  readonly from: string
  /** Whether it is asked for and has not begun. */
  readonly isAhead: boolean
}

/** The states in their order. One that was asked for ahead begins at the instant that was asked for. */
function partsOf({ createdAt, scheduledChanges }: LifeProps['of'], entered: LineProps['states']): Part[] {
  const ahead = new Map(scheduledChanges.map(({ type, at }) => [type as string, at]))
  const parts = entered.map(({ action, createdAt: asked }, index): Part => {
    const isNewest = entered.findIndex((one) => one.action === action) === index
    const at = action === 'RESUME' || !isNewest ? undefined : ahead.get(action)
    return { state: states[action], from: at ?? asked, isAhead: at !== undefined }
  })
  // A pause may end by itself, which nobody asks for later.
  const resumes = ahead.get('RESUME')
  return [
    { state: 'active', from: createdAt, isAhead: false },
    ...parts.reverse(),
    ...(resumes ? [{ state: 'active', from: resumes, isAhead: true }] : []),
  ].sort((one, other) => Number(one.isAhead) - Number(other.isAhead) || Date.parse(one.from) - Date.parse(other.from))
}

function Line({ of, states: entered }: LineProps): JSX.Element {
  const parts = partsOf(of, entered)
  const [start, now, invoice] = [Date.parse(of.createdAt), Date.now(), Date.parse(of.invoiceAfter)]
  const ahead = parts.filter(({ isAhead }) => isAhead).map(({ from }) => Date.parse(from))
  const known = Math.max(now, of.nextAmount ? invoice : now, ...ahead)
  // What begins last is seen, too.
  const end = known + (ahead.length > 0 ? (known - start) / 8 : 0) + 1
  const percent = (at: number): string => `${(100 * (at - start)) / (end - start)}%`
  return (
    <>
      <div class="line" aria-hidden="true">
        {parts.map(({ state, from, isAhead }, index) => {
          const begin = Date.parse(from)
          const until = parts[index + 1] ? Date.parse(parts[index + 1]?.from ?? '') : end
          return (
            <span
              key={from}
              class={isAhead ? `${state} ahead` : state}
              title={state}
              style={{ left: percent(begin), width: percent(start + until - begin) }}
            />
          )
        })}
        <Mark at={percent(now)} isLate={now - start > (end - start) / 2} name="now" />
        {of.nextAmount && invoice > now && (
          <Mark at={percent(invoice)} isLate={invoice - start > (end - start) / 2} name="invoice" />
        )}
      </div>
      <ol class="life" aria-label="States over time">
        {parts.map(({ state, from, isAhead }) => (
          <li key={from} class={isAhead ? `${state} ahead` : state}>
            {state} {isAhead && 'scheduled for '}
            <Time at={from} />
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
