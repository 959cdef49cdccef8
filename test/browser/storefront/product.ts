/** The page of a product: its price, and what else it is: a parent of variants, a bundle, something to subscribe to. */
import { readFragment } from 'gql.tada'
import { Bundle, bundleForm } from './bundle.ts'
import { el } from './dom.ts'
import { ask, graphql } from './graph.ts'
import { plansOf } from './plans.ts'
import { PriceTag, priceTag } from './price.ts'
import { Variants, variantForm } from './variants.ts'

const Product = graphql(
  `
  query Product($slug: String!) @inContext(currency: "EUR") {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          name
          description
          breadCrumbs {
            ancestors {
              name
              slug
            }
            node {
              name
              slug
            }
          }
          price {
            ...PriceTag
            tiers {
              minimumQuantity
              price {
                formatted
              }
            }
          }
          subscriptionProducts {
            id
          }
          ...Variants
          ...Bundle
        }
      }
    }
  }
`,
  [PriceTag, Variants, Bundle],
)

/** Shows the product in `main`. */
export async function showProduct(main: HTMLElement, slug: string): Promise<void> {
  const { storefront } = await ask(Product, { slug })
  const product = storefront?.latestRelease?.product
  if (!product) throw new Error('There is no such product.')
  const plans = el('section', { className: 'plans' })
  const showPlans = async (ids: readonly string[]): Promise<void> => plans.replaceChildren(...(await plansOf(ids)))
  await showPlans(product.subscriptionProducts.map(({ id }) => id))
  const bundle = readFragment(Bundle, product)
  const variants = readFragment(Variants, product)
  const tiers = (product.price?.tiers ?? []).map(({ minimumQuantity, price }) => `${price.formatted} each from ${minimumQuantity} on`)
  const form = variants.variations.length > 0 ? variantForm(product, showPlans) : bundle.components.length > 0 ? bundleForm(product) : null
  main.replaceChildren(
    ...crumbs(product.breadCrumbs[0]),
    el('h1', {}, product.name),
    el('p', { className: 'soft' }, product.description ?? ''),
    ...(form ? [form] : [priceTag(product.price, 'large'), el('p', { className: 'tiers soft' }, tiers.join(', '))]),
    plans,
  )
}

interface Place {
  readonly name: string
  readonly slug: string
}

/** The way to the product, as links to categories. */
function crumbs(way: { readonly ancestors: readonly Place[]; readonly node: Place } | undefined): HTMLElement[] {
  if (!way) return []
  const places = [...way.ancestors, way.node]
  const links = places.map(({ name }, index) => {
    const path = places.slice(0, index + 1).map(({ slug }) => encodeURIComponent(slug))
    return el('a', { href: `#/category/${path.join('/')}` }, name)
  })
  return [el('p', { className: 'crumbs soft' }, ...links.flatMap((link, index) => (index === 0 ? [link] : [' / ', link])))]
}
