/** Product view: texts and price, variants, the components of a bundle, the texts that a shopper enters, and the price over time. */
import type { JSX } from 'preact'
import { Link, useAddress } from './address.tsx'
import { Bundle, BundleForm } from './bundle-form.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { Ask, Breadcrumbs, Paid, PriceTag, Time } from './parts.tsx'
import { PricePanel } from './price-panel.tsx'

const Product = graphql(
  `
  query Product(
    $slug: String!
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          id
          name
          sku
          description
          tags
          breadCrumbs {
            ancestors { name slug }
            node { name slug }
          }
          price(quantity: $quantity) { ...Paid includesTax changesAt }
          priceRange { min { amount formatted } max { amount formatted } }
          variations { key name: label options { key name: label } }
          variationMatrix {
            optionKeys
            product { id name slug sku price(quantity: $quantity) { ...Paid } }
          }
          parent { name slug }
          customInputs { key name required }
          shopperAttributes { key value }
          ...Bundle
        }
      }
    }
  }
`,
  [Paid, Bundle],
)

/** The view of one product. */
export function ProductView({ slug }: { readonly slug: string }): JSX.Element {
  return (
    <>
      <Details slug={slug} />
      <PricePanel slug={slug} />
    </>
  )
}

function Details({ slug }: { readonly slug: string }): JSX.Element {
  const variables = { slug, quantity: useQuantity(), ...useShopper() }
  const { address } = useAddress()
  return (
    <Ask query={Product} variables={variables} link>
      {({ storefront }) => {
        const product = storefront?.latestRelease?.product
        if (!product) return <p class="empty">There is no such product.</p>
        const { price, priceRange, parent, variations, variationMatrix } = product
        const ways = product.breadCrumbs.map(({ ancestors, node }) => [...ancestors, node])
        const way = ways.find((places) => places.map((place) => place.slug).join('/') === address.path) ?? ways[0] ?? []
        const optionNames = new Map(variations.flatMap(({ options }) => options.map(({ key, name }) => [key, name])))
        const varies = priceRange && priceRange.min.amount !== priceRange.max.amount
        return (
          <article>
            <Breadcrumbs places={way} below />
            <h1>{product.name}</h1>
            <p class="soft">
              {product.sku} {product.tags.length > 0 && `· ${product.tags.join(', ')}`}
              {parent && (
                <>
                  {' '}
                  · a variant of <Link to={{ product: parent.slug }}>{parent.name}</Link>
                </>
              )}
            </p>
            {product.description && <p>{product.description}</p>}
            <p class="large">
              {varies ? (
                <b>
                  {priceRange.min.formatted} – {priceRange.max.formatted}
                </b>
              ) : (
                <PriceTag price={price} />
              )}{' '}
              {price && <span class="soft">{price.includesTax ? 'with tax' : 'without tax'}</span>}
            </p>
            {variationMatrix.length > 0 && (
              <table>
                <caption>Variants</caption>
                <tbody>
                  {variationMatrix.map(({ optionKeys, product: variant }) => (
                    <tr key={optionKeys.join()}>
                      <th scope="row">{optionKeys.map((key) => optionNames.get(key)).join(', ')}</th>
                      <td>{variant ? <Link to={{ product: variant.slug }}>{variant.sku ?? variant.name}</Link> : 'not published'}</td>
                      <td class="number">{variant && <PriceTag price={variant.price} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {product.components.length > 0 && <BundleForm bundle={product} />}
            {product.customInputs.length > 0 && (
              <p>
                The shopper types: {product.customInputs.map(({ name, required }) => (required ? `${name} (required)` : name)).join(', ')}
              </p>
            )}
            {product.shopperAttributes.length > 0 && (
              <dl>
                {product.shopperAttributes.map(({ key, value }) => (
                  <div key={key}>
                    <dt>{key}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            {price?.changesAt && (
              <p>
                The price changes at <Time at={price.changesAt} />.
              </p>
            )}
          </article>
        )
      }}
    </Ask>
  )
}
