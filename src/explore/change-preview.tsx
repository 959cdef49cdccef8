/** What a change of a subscription would do: its invoices, its end, and what it can no longer do; then the change. */
import type { FragmentOf } from 'gql.tada'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { graphql } from './graph.ts'
import { Difference, Invoice, Invoices } from './invoices.tsx'
import { Agreed, wordsOf } from './next-invoice.tsx'
import { Time } from './parts.tsx'

/** What is previewed. */
export const Previewed = graphql(
  `
  fragment Previewed on SubscriptionPreview {
    at
    before {
      endDate
      terms { ...Agreed }
      upcomingInvoices(first: 3) { ...Invoice }
    }
    after {
      endDate
      terms { ...Agreed }
      upcomingInvoices(first: 3) { ...Invoice }
    }
  }
`,
  [Invoice, Agreed],
)

interface Rights {
  readonly canPause: boolean
  readonly canCancel: boolean
}

/** What can be done under one plan and not under another. */
export const lostRights = (one: Rights, other: Rights): string =>
  [one.canPause && !other.canPause && 'paused', one.canCancel && !other.canCancel && 'canceled']
    .filter(Boolean)
    .join(' or ')

interface PreviewProps {
  readonly of: FragmentOf<typeof Previewed>
  readonly isWriting: boolean
  readonly change: () => void
  /** What became of the change. */
  readonly children: ComponentChildren
}

export function ChangePreview({ of: { at, before, after }, isWriting, change, children }: PreviewProps): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const old = before?.terms.filter(({ from }) => Date.parse(from) <= Date.parse(at)).at(-1) ?? before?.terms[0]
  const agreed = after.terms.at(-1)
  const currency = agreed?.items.find(({ unitAmount }) => unitAmount)?.unitAmount?.currency
  const isOtherPlan = old?.plan.planId !== agreed?.plan.planId
  const lost = old && agreed ? lostRights(old.plan, agreed.plan) : ''
  const end = before?.endDate ?? null
  const isMoved = end !== after.endDate
  const effects = (
    <ul class="effects">
      {agreed && (
        <li>It takes effect {Date.parse(agreed.from) <= Date.parse(at) ? 'at once' : <Time at={agreed.from} />}.</li>
      )}
      {after.endDate && (
        <li>
          It ends at <Time at={after.endDate} />
          {!isMoved ? (
            ', as before'
          ) : end ? (
            <>
              {' '}
              instead of <Time at={end} />
            </>
          ) : (
            '; so far it goes on without an end'
          )}
          .
        </li>
      )}
      {!after.endDate && end && (
        <li>
          It goes on without an end; so far it ends at <Time at={end} />.
        </li>
      )}
      {lost && <li>It can no longer be {lost}.</li>}
    </ul>
  )
  return (
    <>
      <div class="forecasts">
        <Invoices title="The next invoices as it is" of={before?.upcomingInvoices ?? []} />
        <Invoices title="The next invoices with the change" of={after.upcomingInvoices} />
      </div>
      <Difference before={before?.upcomingInvoices ?? []} after={after.upcomingInvoices} />
      {agreed && currency && isOtherPlan && (
        <p class="soft">
          Under the plan <bdi>{agreed.plan.name}</bdi> each unit amount is {wordsOf(agreed, currency)}.
        </p>
      )}
      {isAsked ? (
        <fieldset class="question">
          <legend>Change it? Then this holds:</legend>
          {effects}
          <button type="button" disabled={isWriting} onClick={change}>
            {isWriting ? 'Saving…' : 'Yes, change it'}
          </button>{' '}
          <button type="button" onClick={() => setAsked(false)}>
            No
          </button>
        </fieldset>
      ) : (
        <>
          {effects}
          {lost || isMoved ? (
            <button type="button" class="primary" onClick={() => setAsked(true)}>
              Change it…
            </button>
          ) : (
            <button type="button" class="primary" disabled={isWriting} onClick={change}>
              {isWriting ? 'Saving…' : 'Change it'}
            </button>
          )}
        </>
      )}
      {children}
    </>
  )
}
