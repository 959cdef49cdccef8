/** The next invoice of a subscription: its amount, the lines of it, and where their unit amounts come from. */
import type { FragmentOf, ResultOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { Invoice, Lines } from './invoices.tsx'
import { dayText, Time } from './parts.tsx'
import { agreedFrom, amountWords } from './unit-amounts.ts'

/** What a plan makes unit amounts of. */
const Pricing = graphql(`
  fragment Pricing on PlanSnapshot {
    planId
    name
    basePricePercentage
    billingIntervalType
    billingFrequency
    fixedPrices { amount { currency } }
  }
`)

/** Terms with what their unit amounts are made of. */
export const Agreed = graphql(
  `
  fragment Agreed on SubscriptionTerms {
    from
    plan { canPause canCancel ...Pricing }
    items {
      unitAmount { currency }
      product { priceUnits { unit amount } }
    }
  }
`,
  [Pricing],
)

/** What a list shows of the next invoice. */
export const Next = graphql(`
  fragment Next on AccountSubscription {
    id
    invoiceAfter
    endDate
    nextAmount { formatted }
  }
`)

/** What the next invoice is made of, which costs so much that it is read for one subscription alone. */
const Made = graphql(
  `
  query NextInvoice($id: ID!) {
    node(id: $id) {
      ... on AccountSubscription {
        id
        currency
        invoiceAfter
        invoicesFrom
        upcomingInvoices(first: 3) { ...Invoice }
        plan { ...Pricing }
        items { product { priceUnits { unit amount } } }
        terms {
          from
          plan { planId name }
          items { productId name unitAmount { amount } }
        }
      }
    }
  }
`,
  [Invoice, Pricing],
)

type MadeOf = Extract<ResultOf<typeof Made>['node'], { readonly upcomingInvoices: unknown }>

interface NextProps {
  readonly of: FragmentOf<typeof Next>
  /** Whether it shows at first what the invoice is made of. */
  readonly isOpen: boolean
}

export function NextInvoice({ of, isOpen }: NextProps): JSX.Element {
  const { id, nextAmount, invoiceAfter, endDate } = of
  const [isShown, setShown] = useState(isOpen)
  return (
    <>
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
      {nextAmount && (
        <details class="next-lines" open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary>What it is made of</summary>
          {isShown && (
            <Ask query={Made} variables={{ id }}>
              {({ node }) => (node && 'upcomingInvoices' in node ? <Parts of={node} /> : null)}
            </Ask>
          )}
        </details>
      )}
    </>
  )
}

/** The lines of the invoice, and where their unit amounts come from. */
function Parts({ of }: { readonly of: MadeOf }): JSX.Element {
  // Prorations may be due before.
  const invoice = of.upcomingInvoices.find(({ dueAt }) => dueAt === of.invoiceAfter)
  return (
    <>
      {invoice && <Lines of={invoice.lines} />}
      <p class="soft">
        <Source of={of} />
      </p>
    </>
  )
}

/** Since when the unit amounts of the next period are agreed, and what they are. */
function Source({ of }: { readonly of: MadeOf }): JSX.Element | null {
  const { terms, invoiceAfter, currency, invoicesFrom, plan } = of
  const held = terms.filter(({ from }) => Date.parse(from) <= Date.parse(invoiceAfter)).at(-1)
  if (!held) return null
  const days = new Map<string, string[]>()
  for (const { productId, name } of held.items) {
    const from = dayText(Date.parse(agreedFrom(terms, productId, invoiceAfter) ?? held.from))
    days.set(from, [...(days.get(from) ?? []), name ?? 'a product without a name'])
  }
  const dates = [...days].map(([from, names]) => (days.size > 1 ? `${from} (${names.join(', ')})` : from))
  return (
    <>
      Unit amounts are agreed from {dates.join(' and from ')} on, under the plan <bdi>{held.plan.name}</bdi>
      {/* Amounts that came from another system may be any. */}
      {!invoicesFrom && held.plan.planId === plan.planId && `: each is ${wordsOf(of, currency)} when it was agreed`}. A
      later list price does not change them.
    </>
  )
}

/** What unit amounts are. */
export const wordsOf = (
  { plan, items }: Pick<MadeOf | FragmentOf<typeof Agreed>, 'plan' | 'items'>,
  currency: string,
): string =>
  amountWords(
    plan,
    currency,
    items.map(({ product }) => product?.priceUnits ?? null),
  )
