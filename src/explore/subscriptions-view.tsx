/** Subscriptions of an account: their life lines, the next invoice, and the allowed actions. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { Life, LifeLine } from './life-line.tsx'
import { useList } from './list.ts'
import { useAccountEvents } from './live.tsx'
import { longer, More, Time, Title, useValue } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { useSession } from './session.tsx'

const Subscribed = graphql(
  `
  fragment Subscribed on AccountSubscription {
    id
    status
    paused
    canceled
    closed
    invoiceAfter
    endDate
    allowedActions
    nextAmount { formatted }
    offering { name }
    plan { name canResume }
    ...Life
  }
`,
  [Life],
)

const Subscriptions = graphql(
  `
  query Subscriptions($account: ID!, $first: Int!, $after: String) {
    account(id: $account) {
      id
      subscriptions(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { ...Subscribed }
      }
    }
  }
`,
  [Subscribed],
)

const Act = graphql(`
  mutation Act($id: ID!, $pause: Boolean!, $resume: Boolean!, $cancel: Boolean!) {
    pauseSubscription(input: { id: $id }) @include(if: $pause) { subscription { id status } userErrors { message } }
    resumeSubscription(input: { id: $id }) @include(if: $resume) { subscription { id status } userErrors { message } }
    cancelSubscription(input: { id: $id }) @include(if: $cancel) { subscription { id status } userErrors { message } }
  }
`)

/** The view of an account's subscriptions. */
export function SubscriptionsView(): JSX.Element {
  const { address, go } = useAddress()
  const { account: own } = useSession()
  const account = address.account ?? own ?? ''
  useAccountEvents(account)
  return (
    <main>
      <Title>Subscriptions</Title>
      <label class="field">
        Account
        <input size={40} ref={useValue(account)} onChange={({ currentTarget }) => go({ account: currentTarget.value.trim() })} />
      </label>
      {account ? <SubscriptionList key={account} account={account} /> : <p class="empty">Type the id of an account.</p>}
    </main>
  )
}

function SubscriptionList({ account }: { readonly account: string }): JSX.Element {
  const [count, setCount] = useState(25)
  const variables = { account }
  const list = useList({ query: Subscriptions, variables, connectionOf: (data) => data.account?.subscriptions, count })
  return (
    <Answer query={Subscriptions} variables={{ ...variables, first: Math.min(count, 100), after: null }} result={list} link>
      {({ account: found }) =>
        found && found.subscriptions.totalCount > 0 ? (
          <>
            {list.nodes.map((subscription) => (
              <Subscription key={subscription.id} of={subscription} />
            ))}
            <More total={found.subscriptions.totalCount} shown={list.nodes.length} more={() => setCount(longer(count))} />
          </>
        ) : (
          <p class="empty">This account has no subscription that this token may see.</p>
        )
      }
    </Answer>
  )
}

/** A state that was set by hand goes before the status, which follows at the next invoice. */
const stateOf = ({ status, paused, canceled, closed }: FragmentOf<typeof Subscribed>): string =>
  closed ? 'closed' : canceled ? 'canceled' : paused ? 'paused' : status.toLowerCase()

const verbs = { PAUSE: 'Pause', CANCEL: 'Cancel', RESUME: 'Resume' } as const

function Subscription({ of }: { readonly of: FragmentOf<typeof Subscribed> }): JSX.Element {
  const { id, offering, plan, invoiceAfter, endDate, nextAmount, allowedActions } = of
  const [{ data, error, fetching }, act] = useMutation(Act)
  const [isAsked, setAsked] = useState(false)
  const actions = [...allowedActions].sort((a, b) => Number(a === 'CANCEL') - Number(b === 'CANCEL'))
  const run = (action: keyof typeof verbs): void => {
    setAsked(false)
    void act({ id, pause: action === 'PAUSE', resume: action === 'RESUME', cancel: action === 'CANCEL' })
  }
  const errors = [data?.pauseSubscription, data?.resumeSubscription, data?.cancelSubscription].flatMap((done) => done?.userErrors ?? [])
  return (
    <section class="subscription">
      <h2>
        <bdi>{offering.name}</bdi>, <bdi>{plan.name}</bdi> <span class="soft state">{stateOf(of)}</span>
      </h2>
      <LifeLine of={of} />
      <p>
        {nextAmount ? (
          <>
            The next invoice, of <b>{nextAmount.formatted}</b>, follows <Time at={invoiceAfter} />.
          </>
        ) : (
          'No invoice follows.'
        )}{' '}
        {endDate && (
          <>
            It ends at <Time at={endDate} />.
          </>
        )}
      </p>
      <div class="actions">
        {isAsked && allowedActions.includes('CANCEL') ? (
          <fieldset class="question">
            <p>
              Once it is canceled, no invoice follows.{' '}
              {plan.canResume ? 'It can be resumed later.' : 'It cannot be resumed: the plan does not allow it.'}
            </p>
            <button type="button" disabled={fetching} onClick={() => run('CANCEL')}>
              Yes, cancel
            </button>{' '}
            <button type="button" onClick={() => setAsked(false)}>
              No
            </button>
          </fieldset>
        ) : (
          actions.map((action) => (
            <button key={action} type="button" disabled={fetching} onClick={() => (action === 'CANCEL' ? setAsked(true) : run(action))}>
              {action === 'CANCEL' ? 'Cancel…' : verbs[action]}
            </button>
          ))
        )}
        <Outcome error={error} userErrors={errors} />
      </div>
    </section>
  )
}
