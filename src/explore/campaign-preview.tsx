/** What a campaign does to each price of a book. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { graphql } from './graph.ts'
import { counted, Name, plain } from './parts.tsx'
import { usePricesNow } from './prices-now.ts'
import { Table } from './table.tsx'

/** Reasons of refusals that are listed. */
const REASONS_SHOWN = 10

/** The results of a campaign. */
export const Outcomes = graphql(`
  fragment Outcomes on SaleCampaign {
    changedCount
    unchangedCount
    refusedCount
    changed: rows(outcome: CHANGED) {
      sku
      prices {
        currency
        before { amount { formatted } }
        after { amount { formatted } }
      }
      warnings { code currency tier }
      productPrice { id updatedAt product { id name } }
    }
    refused: rows(outcome: REFUSED) {
      sku
      userErrors { message }
    }
  }
`)

interface PreviewProps {
  readonly of: FragmentOf<typeof Outcomes>
  /** The SKUs that are left out. */
  readonly leftOut: ReadonlySet<string>
  /** Changes whether a SKU is left out. */
  readonly onToggle: (sku: string) => void
}

/** The prices before and after, with a box for each that leaves it out. */
export function CampaignPreview({ of, leftOut, onToggle }: PreviewProps): JSX.Element {
  const { changed, changedCount, unchangedCount, refused } = of
  const currencies = [...new Set(changed.flatMap(({ prices }) => prices.map(({ currency }) => currency)))].sort()
  const isWhole = changed.length === changedCount
  const now = usePricesNow(changed.map(({ sku }) => sku))
  const isWarned = changed.some(({ warnings }) => warnings.length > 0)
  return (
    <>
      <p>
        {counted(changedCount, 'price')} would have the sale
        {unchangedCount > 0 && `, and ${counted(unchangedCount, 'price')} have it already`}.
        {!isWhole && ` The first ${changed.length} are shown; a narrower choice lets you leave out single ones.`}
      </p>
      <Refusals of={refused} />
      {changed.length > 0 && (
        <Table
          class="preview"
          titles={[...(isWhole ? ['With'] : []), 'Product', ...currencies, ...(isWarned ? ['Maybe not meant'] : [])]}
        >
          {changed.map(({ sku, prices, warnings, productPrice }) => (
            <tr key={sku} class={leftOut.has(sku) ? 'left-out' : undefined}>
              {isWhole && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`With ${sku}`}
                    checked={!leftOut.has(sku)}
                    onChange={() => onToggle(sku)}
                  />
                </td>
              )}
              <th scope="row">
                {productPrice?.product && <Name of={{ name: productPrice.product.name, language: null }} />}{' '}
                <span class="soft sku">{sku}</span>
              </th>
              {currencies.map((currency) => {
                const price = prices.find((one) => one.currency === currency)
                const paid = now.get(`${sku} ${currency}`)
                return (
                  <td key={currency} class="number">
                    {price && (
                      <span class="price">
                        <b>{price.after.amount?.formatted}</b> <s>{price.before.amount?.formatted}</s>
                      </span>
                    )}
                    {price && paid && paid.amount !== price.before.amount?.formatted && (
                      <div class="soft now">
                        now {paid.amount}
                        {paid.sale !== null && (
                          <>
                            {' '}
                            (<bdi>{paid.sale}</bdi>)
                          </>
                        )}
                      </div>
                    )}
                  </td>
                )
              })}
              {isWarned && <td>{[...new Set(warnings.map(({ code }) => plain(code)))].join(', ')}</td>}
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

/** SKUs of a reason that are listed. */
const SKUS_SHOWN = 20

/** Why prices stay as they are: each reason once, with the SKUs that it concerns. */
function Refusals({ of }: { readonly of: FragmentOf<typeof Outcomes>['refused'] }): JSX.Element | null {
  if (of.length === 0) return null
  const reasons = new Map<string, string[]>()
  for (const { sku, userErrors } of of)
    for (const { message } of userErrors) {
      const reason = message.endsWith(`: ${sku}`) ? message.slice(0, -`: ${sku}`.length) : message
      reasons.set(reason, [...(reasons.get(reason) ?? []), sku])
    }
  return (
    <div class="failed">
      <p>{counted(of.length, 'price')} cannot have it:</p>
      <ul>
        {[...reasons].slice(0, REASONS_SHOWN).map(([reason, skus]) => (
          <li key={reason}>
            {reason}: {skus.slice(0, SKUS_SHOWN).join(', ')}
            {skus.length > SKUS_SHOWN && ` and ${skus.length - SKUS_SHOWN} more`}
          </li>
        ))}
      </ul>
      {reasons.size > REASONS_SHOWN && <p>And {counted(reasons.size - REASONS_SHOWN, 'more reason')}.</p>}
    </div>
  )
}
