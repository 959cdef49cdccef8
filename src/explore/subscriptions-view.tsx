/** Subscriptions of an account: their states on a time line, the next invoice, and the allowed actions. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useAddress } from './address.tsx'
import { graphql } from './graph.ts'
import { useAccountEvents } from './live.tsx'
import { Ask, Time } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { useSession } from './session.tsx'

const Life = graphql(`
  fragment Life on AccountSubscription {
    id
    status
    paused
    canceled
    createdAt
    invoiceAfter
    endDate
    allowedActions
    nextAmount { formatted }
    offering { name }
    plan { name }
    states(first: 50) {
      nodes { id action createdAt }
    }
  }
`)

const Subscriptions = graphql(
  `
  query Subscriptions($account: ID!) {
    account(id: $account) {
      id
      subscriptions(first: 25) {
        totalCount
        nodes { ...Life }
      }
    }
  }
`,
  [Life],
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
      <h1>Subscriptions</h1>
      <label class="field">
        Account
        <input
          size={40}
          key={account}
          defaultValue={account}
          onChange={({ currentTarget }) => go({ account: currentTarget.value.trim() })}
        />
      </label>
      {account ? (
        <Ask query={Subscriptions} variables={{ account }} link>
          {({ account: found }) =>
            found && found.subscriptions.totalCount > 0 ? (
              found.subscriptions.nodes.map((subscription) => <Subscription key={subscription.id} of={subscription} />)
            ) : (
              <p class="empty">This account has no subscription that this token may see.</p>
            )
          }
        </Ask>
      ) : (
        <p class="empty">Type the id of an account.</p>
      )}
    </main>
  )
}

const states = { PAUSE: 'paused', CANCEL: 'canceled', RESUME: 'active' } as const
const verbs = { PAUSE: 'Pause', CANCEL: 'Cancel', RESUME: 'Resume' } as const

function Subscription({ of }: { readonly of: FragmentOf<typeof Life> }): JSX.Element {
  const { id, status, offering, plan, invoiceAfter, endDate, nextAmount, allowedActions } = of
  const [{ data, error, fetching }, act] = useMutation(Act)
  const errors = [data?.pauseSubscription, data?.resumeSubscription, data?.cancelSubscription].flatMap((done) => done?.userErrors ?? [])
  return (
    <section class="subscription">
      <h2>
        {offering.name}, {plan.name} <span class="soft">{status.toLowerCase()}</span>
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
        {allowedActions.map((action) => (
          <button
            key={action}
            type="button"
            disabled={fetching}
            onClick={() => void act({ id, pause: action === 'PAUSE', resume: action === 'RESUME', cancel: action === 'CANCEL' })}
          >
            {verbs[action]}
          </button>
        ))}
        <Outcome error={error} userErrors={errors} />
      </div>
    </section>
  )
}

/** The states from the beginning to the next invoice, as wide as they lasted. */
function LifeLine({ of }: { readonly of: FragmentOf<typeof Life> }): JSX.Element {
  const actions = [...of.states.nodes].reverse().map(({ action, createdAt }) => ({ state: states[action], from: createdAt }))
  const parts = [{ state: 'active', from: of.createdAt }, ...actions]
  const end = Math.max(Date.now(), Date.parse(of.invoiceAfter))
  return (
    <ol class="life" aria-label="States over time">
      {parts.map(({ state, from }, index) => {
        const until = parts[index + 1]?.from
        const length = (until ? Date.parse(until) : end) - Date.parse(from)
        return (
          <li key={from} class={state} style={{ flexGrow: Math.max(1, Math.round(length / 3_600_000)) }}>
            {state} <Time at={from} />
          </li>
        )
      })}
    </ol>
  )
}
