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
      item { name quantity }
    }
  }
`)

const reasons = {
  PERIOD: '',
  PRORATION_CREDIT: ', unused rest given back',
  PRORATION_CHARGE: ', rest of the period',
} as const

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
            <ul>
              {lines.map(({ item, reason, amount: part }, index) => (
                <li key={index}>
                  {item.quantity > 1 && `${item.quantity} × `}
                  <Name of={{ name: item.name ?? 'a product without a name', language: null }} />
                  {reasons[reason]}
                  {lines.length > 1 && `: ${part?.formatted ?? 'no price'}`}
                </li>
              ))}
            </ul>
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
