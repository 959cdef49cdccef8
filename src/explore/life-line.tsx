/** Life line: the states of a subscription from its beginning to the next invoice, as a line to scale and as a list. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { type Phase, partsOf, phaseWords } from './life-parts.ts'
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
    startsAt
    trialEndsAt
    endDate
    invoiceAfter
    nextAmount { formatted }
    scheduledChanges { key type at }
    states(first: 20) {
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

interface LineProps extends LifeProps {
  /** The newest first. */
  readonly states: readonly FragmentOf<typeof State>[]
}

const classOf = (phase: Phase, isAhead: boolean): string => `${phase.toLowerCase()}${isAhead ? ' ahead' : ''}`

function Line({ of, states: entered }: LineProps): JSX.Element {
  const [start, now, invoice] = [Date.parse(of.createdAt), Date.now(), Date.parse(of.invoiceAfter)]
  const parts = partsOf(of, entered, now)
  const ahead = parts.filter(({ isAhead }) => isAhead).map(({ from }) => Date.parse(from))
  const known = Math.max(now, of.nextAmount ? invoice : now, ...ahead)
  // What begins last is seen, too.
  const end = known + (ahead.length > 0 ? (known - start) / 8 : 0) + 1
  const percent = (at: number): string => `${(100 * (at - start)) / (end - start)}%`
  const isDue = of.nextAmount !== null && invoice > now
  // Of two names that are near each other both stand on one side of their ticks, and none of these crosses a name.
  const [isNear, isLate] = [invoice - now < (end - start) / 6, now - start > (end - start) / 2]
  return (
    <>
      <div class="line" aria-hidden="true">
        {parts.map(({ phase, from, isAhead }, index) => {
          const begin = Date.parse(from)
          const until = parts[index + 1] ? Date.parse(parts[index + 1]?.from ?? '') : end
          return (
            <span
              key={`${from} ${phase}`}
              class={classOf(phase, isAhead)}
              title={phaseWords[phase]}
              style={{ left: percent(begin), width: percent(start + until - begin) }}
            />
          )
        })}
        <Mark at={percent(now)} isLate={isLate} isBelow={isDue && isNear && !isLate} name="now" />
        {isDue && (
          <Mark
            at={percent(invoice)}
            isLate={isNear ? isLate : invoice - start > (end - start) / 2}
            isBelow={isNear && isLate}
            name="invoice"
          />
        )}
      </div>
      <ol class="life" aria-label="States over time">
        {parts.map(({ phase, from, isAhead }) => (
          <li key={`${from} ${phase}`} class={classOf(phase, isAhead)}>
            {phaseWords[phase]} {isAhead ? 'from ' : 'since '}
            <Time at={from} />
          </li>
        ))}
      </ol>
    </>
  )
}

interface MarkProps {
  readonly at: string
  /** Whether its name stands before it, so that it does not run over the end. */
  readonly isLate: boolean
  /** Whether its name stands a line below, since another one is near. */
  readonly isBelow?: boolean
  readonly name: string
}

/** An instant of the line with its name. */
function Mark({ at, isLate, isBelow = false, name }: MarkProps): JSX.Element {
  return (
    <i class={[name, isLate && 'late', isBelow && 'below'].filter(Boolean).join(' ')} style={{ left: at }}>
      {name}
    </i>
  )
}
