/** A subscription: its life line, the next invoice, what is scheduled, and what can be done. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link, noView } from './address.tsx'
import { graphql } from './graph.ts'
import { dropKept, hasKept } from './kept-form.tsx'
import { Life, LifeLine } from './life-line.tsx'
import { type Phase, phaseWords } from './life-parts.ts'
import { useRepeat } from './live.tsx'
import { Next, NextInvoice } from './next-invoice.tsx'
import { Outcome } from './release-actions.tsx'
import { useRole } from './session.tsx'
import { changeName, SubscriptionChange } from './subscription-change.tsx'
import { Coming, Scheduled, ScheduledChanges } from './subscription-timeline.tsx'

/** What is shown of a subscription. */
export const Subscribed = graphql(
  `
  fragment Subscribed on AccountSubscription {
    id
    paused
    canceled
    closed
    startsAt
    allowedActions
    phase
    account { id }
    subscriber { name email }
    offering { name }
    plan { name canResume }
    items { productId name quantity }
    ...Life
    ...Next
    ...Scheduled
  }
`,
  [Life, Next, Scheduled],
)

const Act = graphql(`
  mutation Act($id: ID!, $pause: Boolean!, $resume: Boolean!, $cancel: Boolean!) {
    pauseSubscription(input: { id: $id }) @include(if: $pause) { subscription { id status } userErrors { message } }
    resumeSubscription(input: { id: $id }) @include(if: $resume) { subscription { id status } userErrors { message } }
    cancelSubscription(input: { id: $id }) @include(if: $cancel) { subscription { id status } userErrors { message } }
  }
`)

/** A state that was set by hand goes before the phase, which follows at the next invoice. */
const phaseOf = ({ phase, paused, canceled, closed }: FragmentOf<typeof Subscribed>): Phase =>
  closed ? 'CLOSED' : canceled ? 'CANCELED' : paused ? 'PAUSED' : phase

const verbs = { PAUSE: 'Pause', CANCEL: 'Cancel', RESUME: 'Resume' } as const

interface SubscriptionProps {
  readonly of: FragmentOf<typeof Subscribed>
  /** Whether it is one of few, of which all is shown at first. */
  readonly isOfFew: boolean
}

/** The section of one subscription. */
export function Subscription({ of, isOfFew }: SubscriptionProps): JSX.Element {
  const { id, offering, plan, allowedActions } = of
  const [{ data, error, fetching }, act] = useMutation(Act)
  const [isAsked, setAsked] = useState(false)
  const [isChanging, setChanging] = useState(() => hasKept(changeName(id)))
  // What was shown when it was changed: another one is shown once the new state is read.
  const [former, setFormer] = useState<FragmentOf<typeof Subscribed> | null>(null)
  const repeat = useRepeat()
  const isAdmin = useRole() === 'admin'
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
        <bdi>{offering.name}</bdi>, <bdi>{plan.name}</bdi>{' '}
        <span class={`badge state ${phaseOf(of).toLowerCase()}`}>{phaseWords[phaseOf(of)]}</span>
      </h2>
      <p class="soft">
        <bdi>{of.subscriber.name}</bdi>, <bdi>{of.subscriber.email}</bdi>
        {isAdmin && (
          <>
            {' · '}
            <Link to={{ ...noView, view: 'rules', account: of.account.id }}>Which catalog this customer sees</Link>
          </>
        )}
      </p>
      <p>{itemWords(of)}</p>
      <LifeLine of={of} />
      <NextInvoice of={of} isOpen={isOfFew} />
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
          <button
            type="button"
            aria-expanded={isChanging}
            onClick={() => {
              dropKept(changeName(id))
              setChanging(!isChanging)
            }}
          >
            Change plan or products…
          </button>
        )}
        <Coming id={id} startsAt={of.startsAt} />
      </div>
      <div role="status">{former && <p class="toast">{former === of ? 'Saving…' : changeWords(former, of)}</p>}</div>
      {isChanging && (
        <SubscriptionChange
          id={id}
          onDone={() => {
            setFormer(of)
            setChanging(false)
            repeat()
          }}
        />
      )}
    </section>
  )
}

/** The products and how many of each, such as `2 × House Blend, Filter`. */
const itemWords = ({ items }: FragmentOf<typeof Subscribed>): string =>
  items
    .map(({ name, quantity }) => `${quantity > 1 ? `${quantity} × ` : ''}${name ?? 'a product without a name'}`)
    .join(', ')

/** What a change made of a subscription. */
function changeWords(before: FragmentOf<typeof Subscribed>, after: FragmentOf<typeof Subscribed>): string {
  const [old, now] = [itemWords(before), itemWords(after)]
  const changes = [
    ...(before.plan.name === after.plan.name ? [] : [`plan ${before.plan.name} → ${after.plan.name}`]),
    ...(old === now ? [] : [`products ${old} → ${now}`]),
  ]
  return changes.length > 0
    ? `Changed: ${changes.join('; ')}.`
    : 'The change is stored; what is ahead of the subscription shows when it applies.'
}
