/** A subscription: its life line, the next invoice, what is scheduled, and what can be done. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { graphql } from './graph.ts'
import { Life, LifeLine } from './life-line.tsx'
import { useRepeat } from './live.tsx'
import { Time } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { SubscriptionChange } from './subscription-change.tsx'
import { Coming, Scheduled, ScheduledChanges } from './subscription-timeline.tsx'

/** What is shown of a subscription. */
export const Subscribed = graphql(
  `
  fragment Subscribed on AccountSubscription {
    id
    status
    paused
    canceled
    closed
    startsAt
    invoiceAfter
    endDate
    allowedActions
    nextAmount { formatted }
    phase
    subscriber { name email }
    offering { name }
    plan { name canResume }
    ...Life
    ...Scheduled
  }
`,
  [Life, Scheduled],
)

const Act = graphql(`
  mutation Act($id: ID!, $pause: Boolean!, $resume: Boolean!, $cancel: Boolean!) {
    pauseSubscription(input: { id: $id }) @include(if: $pause) { subscription { id status } userErrors { message } }
    resumeSubscription(input: { id: $id }) @include(if: $resume) { subscription { id status } userErrors { message } }
    cancelSubscription(input: { id: $id }) @include(if: $cancel) { subscription { id status } userErrors { message } }
  }
`)

/** A state that was set by hand goes before the status, which follows at the next invoice. */
const stateOf = ({ status, paused, canceled, closed }: FragmentOf<typeof Subscribed>): string =>
  closed ? 'closed' : canceled ? 'canceled' : paused ? 'paused' : status.toLowerCase()

const verbs = { PAUSE: 'Pause', CANCEL: 'Cancel', RESUME: 'Resume' } as const

/** The section of one subscription. */
export function Subscription({ of }: { readonly of: FragmentOf<typeof Subscribed> }): JSX.Element {
  const { id, offering, plan, invoiceAfter, endDate, nextAmount, allowedActions } = of
  const [{ data, error, fetching }, act] = useMutation(Act)
  const [isAsked, setAsked] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const repeat = useRepeat()
  const actions = [...allowedActions].sort((a, b) => Number(a === 'CANCEL') - Number(b === 'CANCEL'))
  const run = (action: keyof typeof verbs): void => {
    setAsked(false)
    void act({ id, pause: action === 'PAUSE', resume: action === 'RESUME', cancel: action === 'CANCEL' })
  }
  const errors = [data?.pauseSubscription, data?.resumeSubscription, data?.cancelSubscription].flatMap(
    (done) => done?.userErrors ?? [],
  )
  return (
    <section class="subscription">
      <h2>
        <bdi>{offering.name}</bdi>, <bdi>{plan.name}</bdi> <span class="soft state">{stateOf(of)}</span>
      </h2>
      <p class="soft">
        <bdi>{of.subscriber.name}</bdi>, <bdi>{of.subscriber.email}</bdi>
      </p>
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
      <ScheduledChanges of={of} />
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
            <button
              key={action}
              type="button"
              disabled={fetching}
              onClick={() => (action === 'CANCEL' ? setAsked(true) : run(action))}
            >
              {action === 'CANCEL' ? 'Cancel…' : verbs[action]}
            </button>
          ))
        )}
        <Outcome error={error} userErrors={errors} />
      </div>
      <div class="subscription-more">
        {of.phase !== 'CLOSED' && of.phase !== 'CANCELED' && (
          <button type="button" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
            Change plan or products…
          </button>
        )}
        <Coming id={id} startsAt={of.startsAt} />
      </div>
      {isChanging && (
        <SubscriptionChange
          id={id}
          onDone={() => {
            setChanging(false)
            repeat()
          }}
        />
      )}
    </section>
  )
}
