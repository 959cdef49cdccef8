/** Invoices of a subscription with their lines. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { graphql } from './graph.ts'
import { Head, Name, Time } from './parts.tsx'

/** An invoice as the table shows it. */
export const Invoice = graphql(`
  fragment Invoice on SubscriptionInvoice {
    id
    dueAt
    amount { formatted }
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
    <div class="wide">
      <table class="invoices">
        <caption>{title}</caption>
        <Head titles={['Due', 'For', 'Amount']} />
        <tbody>
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
        </tbody>
      </table>
    </div>
  )
}
