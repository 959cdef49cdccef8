/** How a price is shown: what is paid, the list price struck out and the sale's name. */
import { type FragmentOf, readFragment } from 'gql.tada'
import { el } from './dom.ts'
import { graphql } from './graph.ts'

export const PriceTag = graphql(`
  fragment PriceTag on CatalogPrice {
    amount {
      formatted
    }
    originalAmount {
      formatted
    }
    sale {
      name
    }
  }
`)

/** The element of a price. */
export function priceTag(of: FragmentOf<typeof PriceTag> | null, size: 'large' | '' = ''): HTMLElement {
  const price = readFragment(PriceTag, of)
  if (!price) return el('p', { className: `price ${size}` }, 'Not for sale')
  const { amount, originalAmount, sale } = price
  return el(
    'p',
    { className: `price ${size}` },
    el('span', { className: 'amount' }, amount.formatted),
    originalAmount && originalAmount.formatted !== amount.formatted ? el('s', {}, originalAmount.formatted) : null,
    sale ? el('span', { className: 'sale' }, sale.name) : null,
  )
}
