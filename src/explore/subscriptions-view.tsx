/** Subscriptions of an account: their states on a time line, the next invoice, and the allowed actions. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { useAccountEvents } from './live.tsx'
import { More, Time, Title, useValue } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { useSession } from './session.tsx'

const Life = graphql(`
  fragment Life on AccountSubscription {
    id
    status
    paused
    canceled
    closed
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
  query Subscriptions($account: ID!, $first: Int!) {
    account(id: $account) {
      id
      subscriptions(first: $first) {
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
  const [first, setFirst] = useState(25)
  useAccountEvents(account)
  return (
    <main>
      <Title>Subscriptions</Title>
      <label class="field">
        Account
        <input size={40} ref={useValue(account)} onChange={({ currentTarget }) => go({ account: currentTarget.value.trim() })} />
      </label>
      {account ? (
        <Ask query={Subscriptions} variables={{ account, first }} link>
          {({ account: found }) =>
            found && found.subscriptions.totalCount > 0 ? (
              <>
                {found.subscriptions.nodes.map((subscription) => (
                  <Subscription key={subscription.id} of={subscription} />
                ))}
                <More total={found.subscriptions.totalCount} shown={found.subscriptions.nodes.length} first={first} setFirst={setFirst} />
              </>
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
/** A state that was set by hand goes before the status, which follows at the next invoice. */
const stateOf = ({ status, paused, canceled, closed }: FragmentOf<typeof Life>): string =>
  closed ? 'closed' : canceled ? 'canceled' : paused ? 'paused' : status.toLowerCase()

const verbs = { PAUSE: 'Pause', CANCEL: 'Cancel', RESUME: 'Resume' } as const

function Subscription({ of }: { readonly of: FragmentOf<typeof Life> }): JSX.Element {
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
        {offering.name}, {plan.name} <span class="soft state">{stateOf(of)}</span>
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
        {actions.map((action) => (
          <button key={action} type="button" disabled={fetching} onClick={() => (action === 'CANCEL' ? setAsked(true) : run(action))}>
            {verbs[action]}
          </button>
        ))}
        {isAsked && allowedActions.includes('CANCEL') && (
          <fieldset>
            Cancel for good?{' '}
            <button type="button" disabled={fetching} onClick={() => run('CANCEL')}>
              Yes, cancel
            </button>{' '}
            <button type="button" onClick={() => setAsked(false)}>
              No
            </button>
          </fieldset>
        )}
        <Outcome error={error} userErrors={errors} />
      </div>
    </section>
  )
}

/** The states from the beginning to the next invoice: a line to scale with now and that invoice, and a list. */
function LifeLine({ of }: { readonly of: FragmentOf<typeof Life> }): JSX.Element {
  const actions = [...of.states.nodes].reverse().map(({ action, createdAt }) => ({ state: states[action], from: createdAt }))
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
          return <span key={from} class={state} title={state} style={{ left: percent(begin), width: percent(start + until - begin) }} />
        })}
        <i style={{ left: percent(now) }}>now</i>
        {of.nextAmount && invoice > now && (
          <i class="invoice" style={{ left: percent(invoice) }}>
            invoice
          </i>
        )}
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
