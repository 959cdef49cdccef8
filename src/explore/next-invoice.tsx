/** The next invoice of a subscription: its amount, the lines of it, and where their unit amounts come from. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { graphql } from './graph.ts'
import { Invoice, Lines } from './invoices.tsx'
import { dayText, Time } from './parts.tsx'
import { agreedFrom, amountWords } from './unit-amounts.ts'

/** Terms with what their unit amounts are made of. */
export const Agreed = graphql(`
  fragment Agreed on SubscriptionTerms {
    from
    plan {
      planId
      name
      canPause
      canCancel
      basePricePercentage
      billingIntervalType
      billingFrequency
      fixedPrices { amount { currency } }
    }
    items {
      productId
      name
      unitAmount { amount currency }
      product { priceUnits { unit amount } }
    }
  }
`)

/** What is shown of the next invoice. */
export const Next = graphql(
  `
  fragment Next on AccountSubscription {
    id
    currency
    invoiceAfter
    invoicesFrom
    endDate
    nextAmount { formatted }
    upcomingInvoices(first: 4) { ...Invoice }
    terms { ...Agreed }
  }
`,
  [Invoice, Agreed],
)

export function NextInvoice({ of }: { readonly of: FragmentOf<typeof Next> }): JSX.Element {
  const { nextAmount, invoiceAfter, endDate } = of
  // Prorations may be due before.
  const invoice = of.upcomingInvoices.find(({ dueAt }) => dueAt === invoiceAfter)
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
      {nextAmount && invoice && (
        <div class="next-lines">
          <Lines of={invoice.lines} />
          <p class="soft">
            <Source of={of} />
          </p>
        </div>
      )}
    </>
  )
}

/** Since when the unit amounts of the next period are agreed, and what they are. */
function Source({ of }: { readonly of: FragmentOf<typeof Next> }): JSX.Element | null {
  const { terms, invoiceAfter, currency, invoicesFrom } = of
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
      {!invoicesFrom && `: each is ${wordsOf(held, currency)} when it was agreed`}. A later list price does not change
      them.
    </>
  )
}

/** What the unit amounts of terms are. */
export const wordsOf = ({ plan, items }: FragmentOf<typeof Agreed>, currency: string): string =>
  amountWords(
    plan,
    currency,
    items.map(({ product }) => product?.priceUnits ?? null),
  )
