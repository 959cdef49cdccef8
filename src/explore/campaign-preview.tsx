/** What a campaign does to each price of a book. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { Link, noView } from './address.tsx'
import { graphql } from './graph.ts'
import { counted, Name, plain } from './parts.tsx'
import type { PricesNow } from './prices-now.ts'
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
        after { amount { amount formatted } }
      }
      warnings { code currency tier }
      productPrice { id updatedAt product { id name } }
    }
    refused: rows(outcome: REFUSED) {
      sku
      userErrors { code message params { value } }
      productPrice { id product { id slug } }
    }
  }
`)

interface PreviewProps {
  /** The name of the sale. */
  readonly name: string
  readonly of: FragmentOf<typeof Outcomes>
  readonly now: PricesNow
  readonly isTaken: (sku: string) => boolean
  /** Called when a SKU is taken or left out. */
  readonly onTake: (sku: string, isTaken: boolean) => void
}

type Row = FragmentOf<typeof Outcomes>['changed'][number]

/** Whether the sale makes a price dearer than what shoppers pay now. */
const isDearerIn = ({ sku }: Row, { currency, after }: Row['prices'][number], now: PricesNow): boolean =>
  (after.amount?.amount ?? 0) > (now.get(`${sku} ${currency}`)?.amount ?? Infinity)

/** Whether it does so in any currency. */
export const isDearer = (row: Row, now: PricesNow): boolean => row.prices.some((price) => isDearerIn(row, price, now))

/** The prices before and after, with a box for each that leaves it out. */
export function CampaignPreview({ name, of, now, isTaken, onTake }: PreviewProps): JSX.Element {
  const { changed, changedCount, unchangedCount, refused } = of
  const currencies = [...new Set(changed.flatMap(({ prices }) => prices.map(({ currency }) => currency)))].sort()
  const isWhole = changed.length === changedCount
  const dearer = changed.filter((row) => isDearer(row, now)).length
  const isWarned = changed.some(({ warnings }) => warnings.length > 0)
  return (
    <>
      <p>
        {counted(changedCount, 'price')} would have the sale
        {unchangedCount > 0 && `, and ${counted(unchangedCount, 'price')} have it already`}.
        {!isWhole && ` The first ${changed.length} are shown; a narrower choice lets you leave out single ones.`}
      </p>
      {dearer > 0 && (
        <p class="failed">
          {counted(dearer, 'product')} would become dearer than shoppers pay now.
          {isWhole && ' Nothing is changed there unless you tick it.'}
        </p>
      )}
      <Refusals of={refused} name={name} />
      {changed.length > 0 && (
        <Table
          class="preview"
          titles={[...(isWhole ? ['With'] : []), 'Product', ...currencies, ...(isWarned ? ['Maybe not meant'] : [])]}
        >
          {changed.map((row) => (
            <tr key={row.sku} class={isTaken(row.sku) ? undefined : 'left-out'}>
              {isWhole && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`With ${row.sku}`}
                    checked={isTaken(row.sku)}
                    onChange={({ currentTarget }) => onTake(row.sku, currentTarget.checked)}
                  />
                </td>
              )}
              <th scope="row">
                {row.productPrice?.product && <Name of={{ name: row.productPrice.product.name, language: null }} />}{' '}
                <span class="soft sku">{row.sku}</span>
              </th>
              {currencies.map((currency) => (
                <td key={currency} class="number">
                  <PriceOf row={row} {...{ currency, now }} />
                </td>
              ))}
              {isWarned && <td>{[...new Set(row.warnings.map(({ code }) => plain(code)))].join(', ')}</td>}
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

interface PriceProps {
  readonly row: Row
  readonly currency: string
  readonly now: PricesNow
}

/** The price with the sale, the list price struck out, and what shoppers pay now where that is another price. */
function PriceOf({ row, currency, now }: PriceProps): JSX.Element | null {
  const price = row.prices.find((one) => one.currency === currency)
  const paid = now.get(`${row.sku} ${currency}`)
  if (!price) return null
  const { before, after } = price
  return (
    <>
      <span class="price">
        <b>{after.amount?.formatted}</b> <s>{before.amount?.formatted}</s>
      </span>
      {paid && paid.formatted !== before.amount?.formatted && (
        <div class="soft now">
          now {paid.formatted}
          {paid.sale !== null && (
            <>
              {' '}
              (<bdi>{paid.sale}</bdi>)
            </>
          )}
        </div>
      )}
      {isDearerIn(row, price, now) && <span class="badge dearer">dearer than now</span>}
    </>
  )
}

/** SKUs of a reason that are listed. */
const SKUS_SHOWN = 20

interface RefusalsProps {
  readonly of: FragmentOf<typeof Outcomes>['refused']
  readonly name: string
}

/** Why prices stay as they are: each reason once, with the SKUs that it concerns. */
function Refusals({ of, name }: RefusalsProps): JSX.Element | null {
  if (of.length === 0) return null
  const reasons = new Map<string, { error: (typeof of)[number]['userErrors'][number]; rows: typeof of }>()
  for (const row of of)
    for (const error of row.userErrors) {
      const { message } = error
      const end = `: ${row.sku}`
      const reason = message.endsWith(end) ? message.slice(0, -end.length) : message
      reasons.set(reason, { error, rows: [...(reasons.get(reason)?.rows ?? []), row] })
    }
  return (
    <div class="failed">
      <p>{counted(of.length, 'price')} cannot have it:</p>
      <ul>
        {[...reasons].slice(0, REASONS_SHOWN).map(([reason, { error, rows }]) => (
          <li key={reason}>
            {reason}:{' '}
            {rows.slice(0, SKUS_SHOWN).map(({ sku, productPrice }, index) => {
              const slug = productPrice?.product?.slug
              return (
                <span key={sku}>
                  {index > 0 && ', '}
                  {slug ? <Link to={{ ...noView, product: slug }}>{sku}</Link> : sku}
                </span>
              )
            })}
            {rows.length > SKUS_SHOWN && ` and ${rows.length - SKUS_SHOWN} more`}
            {error.code === 'SALE_SCHEDULE_REQUIRED' && (
              <div>
                {error.params[0]?.value === name
                  ? 'There is another sale already. Type a first or a last day above, and preview again.'
                  : 'That sale has no days, so it holds always, and no other can stand beside it. ' +
                    'Open the product and give the sale a day there, or take it away. Then preview again.'}
              </div>
            )}
          </li>
        ))}
      </ul>
      {reasons.size > REASONS_SHOWN && <p>And {counted(reasons.size - REASONS_SHOWN, 'more reason')}.</p>}
    </div>
  )
}
