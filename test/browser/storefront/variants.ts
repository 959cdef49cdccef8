/** Variants of a parent: an option of each variation makes the variant. */
import { type FragmentOf, readFragment } from 'gql.tada'
import { choice, el } from './dom.ts'
import { ask, graphql } from './graph.ts'
import { PriceTag, priceTag } from './price.ts'

export const Variants = graphql(`
  fragment Variants on CatalogProduct {
    id
    priceRange {
      min {
        formatted
      }
      max {
        formatted
      }
    }
    variations {
      key
      name
      options {
        key
        name
        description
      }
    }
  }
`)

const Variant = graphql(
  `
  query Variant($id: ID!, $options: [ID!]!) @inContext(currency: "EUR") {
    storefront {
      latestRelease {
        product(by: { id: $id }) {
          variant(optionKeys: $options) {
            name
            sku
            price {
              ...PriceTag
            }
            subscriptionProducts {
              id
            }
          }
        }
      }
    }
  }
`,
  [PriceTag],
)

/** The form; `showPlans` gets the subscription products of the chosen variant. */
export function variantForm(of: FragmentOf<typeof Variants>, showPlans: (ids: readonly string[]) => Promise<void>): HTMLElement {
  const { id, priceRange, variations } = readFragment(Variants, of)
  const range = priceRange ? `${priceRange.min.formatted} – ${priceRange.max.formatted}` : ''
  const outcome = el('div', { className: 'variant' }, el('p', { className: 'price large' }, el('span', { className: 'amount' }, range)))
  const form = el('form', {})
  for (const { key, name, options } of variations) {
    const buttons = options.map((option) =>
      choice({ type: 'radio', name: key, value: option.key, checked: false }, option.name, option.description ?? ''),
    )
    form.append(el('fieldset', { className: 'variation' }, el('legend', {}, name), ...buttons))
  }
  form.append(outcome)
  form.onchange = async () => {
    const options = [...new FormData(form).values()].map(String)
    if (options.length < variations.length) return
    const { storefront } = await ask(Variant, { id, options })
    const variant = storefront?.latestRelease?.product?.variant
    if (!variant) return outcome.replaceChildren('Not made in this combination.')
    outcome.replaceChildren(
      priceTag(variant.price, 'large'),
      el('p', {}, el('span', { className: 'name' }, variant.name), ' · ', el('span', { className: 'sku soft' }, variant.sku ?? '')),
    )
    await showPlans(variant.subscriptionProducts.map((product) => product.id))
  }
  return form
}
