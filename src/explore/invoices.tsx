/** Invoices of a subscription with their lines. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { graphql } from './graph.ts'
import { Name, Time } from './parts.tsx'
import { Table } from './table.tsx'

/** An invoice as the table shows it. */
export const Invoice = graphql(`
  fragment Invoice on SubscriptionInvoice {
    id
    dueAt
    amount { amount currency fractionDigits formatted }
    lines {
      reason
      amount { formatted }
      item { name quantity unitAmount { formatted } }
    }
  }
`)

const reasons = {
  PERIOD: '',
  PRORATION_CREDIT: ', unused rest given back',
  PRORATION_CHARGE: ', rest of the period',
} as const

interface LinesProps {
  readonly of: FragmentOf<typeof Invoice>['lines']
}

/** What an invoice is made of; the amount of a line where it is not that of one piece. */
export function Lines({ of }: LinesProps): JSX.Element {
  return (
    <ul class="lines">
      {of.map(({ item: { name, quantity, unitAmount }, reason, amount }, index) => (
        <li key={index}>
          {quantity.toLocaleString()} × <Name of={{ name: name ?? 'a product without a name', language: null }} /> at{' '}
          {unitAmount?.formatted ?? 'no price'}
          {reasons[reason]}
          {amount && amount.formatted !== unitAmount?.formatted && `: ${amount.formatted}`}
        </li>
      ))}
    </ul>
  )
}

interface InvoicesProps {
  readonly title: string
  readonly of: readonly FragmentOf<typeof Invoice>[]
}

/** A table of invoices, by the instant at which they are due. */
export function Invoices({ title, of }: InvoicesProps): JSX.Element {
  if (of.length === 0)
    return (
      <p>
        <b>{title}:</b> none.
      </p>
    )
  return (
    <Table class="invoices" caption={title} titles={['Due', 'For', 'Amount']}>
      {of.map(({ id, dueAt, amount, lines }) => (
        <tr key={id}>
          <th scope="row">
            <Time at={dueAt} />
          </th>
          <td>
            <Lines of={lines} />
          </td>
          <td class="number">{amount?.formatted ?? 'no price'}</td>
        </tr>
      ))}
    </Table>
  )
}

interface DifferenceProps {
  readonly before: readonly FragmentOf<typeof Invoice>[]
  readonly after: readonly FragmentOf<typeof Invoice>[]
}

/** How the totals of as many next invoices differ; null where one has no price. */
export function Difference({ before, after }: DifferenceProps): JSX.Element | null {
  const count = Math.min(before.length, after.length)
  const money = after[0]?.amount
  if (count === 0 || !money) return null
  const amounts = [before, after].map((list) => list.slice(0, count).map(({ amount }) => amount?.amount))
  if (amounts.flat().includes(undefined)) return null
  const [old, now] = amounts.map((list) => list.reduce((sum: number, amount) => sum + (amount ?? 0), 0))
  const text = (amount: number, signDisplay: 'auto' | 'exceptZero'): string =>
    (amount / 10 ** money.fractionDigits).toLocaleString('en', {
      style: 'currency',
      currency: money.currency,
      minimumFractionDigits: money.fractionDigits,
      maximumFractionDigits: money.fractionDigits,
      signDisplay,
    })
  if (old === undefined || now === undefined) return null
  return (
    <p class="totals">
      The next {count === 1 ? 'invoice' : `${count} invoices together`}: {text(old, 'auto')} →{' '}
      <b>{text(now, 'auto')}</b>, {old === now ? 'the same' : text(now - old, 'exceptZero')}.
    </p>
  )
}
