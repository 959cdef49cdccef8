/**
 * Product view: texts and price, variants, the components of a bundle, the texts that a shopper enters, and the price
 * over time.
 */
import type { JSX } from 'preact'
import { Link, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { Bundle, BundleForm } from './bundle-form.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { Breadcrumbs, Name, Paid, PriceTag, saying, Time, Title } from './parts.tsx'
import { Gallery, Pictured } from './picture.tsx'
import { PricePanel } from './price-panel.tsx'
import { ProductEdit } from './product-edit.tsx'
import { SaleSchedule } from './sale-schedule.tsx'
import { useRole } from './session.tsx'
import { Table } from './table.tsx'

const Product = graphql(
  `
  query Product(
    $slug: String!
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
    $isAdmin: Boolean!
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          id
          name
          language
          sku
          description
          updatedAt
          product @include(if: $isAdmin) { id updatedAt }
          tags: tagLabels
          breadCrumbs {
            ancestors { name language slug }
            node { name language slug }
          }
          price(quantity: $quantity) { ...Paid includesTax changesAt }
          priceRange { min { amount formatted } max { amount formatted } }
          variations { key name: label options { key name: label } }
          variationMatrix {
            optionKeys
            product { id name language slug sku price(quantity: $quantity) { ...Paid } }
          }
          parent { name language slug }
          customInputs { key name required validationRules { maxLength } }
          shopperAttributes { key value }
          ...Bundle
          ...Pictured
        }
      }
    }
  }
`,
  [Paid, Bundle, Pictured],
)

/** The view of one product. */
export function ProductView({ slug }: { readonly slug: string }): JSX.Element {
  const role = useRole()
  return (
    <>
      <Details slug={slug} />
      {role === 'admin' && (
        <>
          <ProductEdit slug={slug} />
          <SaleSchedule slug={slug} />
        </>
      )}
      <PricePanel slug={slug} />
    </>
  )
}

function Details({ slug }: { readonly slug: string }): JSX.Element {
  const isAdmin = useRole() === 'admin'
  const variables = { slug, isAdmin, quantity: useQuantity(), ...useShopper() }
  const { address } = useAddress()
  return (
    <Ask query={Product} variables={variables} link="product">
      {({ storefront }) => {
        const product = storefront?.latestRelease?.product
        if (!product) return <Title empty>There is no such product.</Title>
        const { price, priceRange, parent, variations, variationMatrix } = product
        const ways = product.breadCrumbs.map(({ ancestors, node }) => [...ancestors, node])
        const way = ways.find((places) => places.map((place) => place.slug).join('/') === address.path) ?? ways[0] ?? []
        const optionNames = new Map(variations.flatMap(({ options }) => options.map(({ key, name }) => [key, name])))
        const varies = priceRange && priceRange.min.amount !== priceRange.max.amount
        return (
          <article>
            <Breadcrumbs places={way} below />
            <Gallery of={product} name={product.name} />
            <Title language={product.language}>{product.name}</Title>
            <p class="soft">
              {product.sku} {product.tags.length > 0 && `· ${product.tags.join(', ')}`}
              {parent && (
                <>
                  {' '}
                  · a variant of{' '}
                  <Link to={{ product: parent.slug, choice: null }}>
                    <Name of={parent} />
                  </Link>
                </>
              )}
            </p>
            {product.product && product.product.updatedAt !== product.updatedAt && (
              <p class="draft-hint">These are the published texts; what was changed since is in the draft.</p>
            )}
            {product.description && <p lang={product.language ?? undefined}>{product.description}</p>}
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
              <Table caption="Variants" titles={['Variant', 'SKU', 'Price']}>
                {variationMatrix.map(({ optionKeys, product: variant }) => (
                  <tr key={optionKeys.join()}>
                    <th scope="row">{optionKeys.map((key) => optionNames.get(key)).join(', ')}</th>
                    <td>
                      {variant ? (
                        <Link to={{ product: variant.slug, choice: null }}>{variant.sku ?? <Name of={variant} />}</Link>
                      ) : (
                        'not published'
                      )}
                    </td>
                    <td class="number">{variant && <PriceTag price={variant.price} />}</td>
                  </tr>
                ))}
              </Table>
            )}
            {product.components.length > 0 && <BundleForm bundle={product} />}
            {product.customInputs.length > 0 && <CustomInputs inputs={product.customInputs} />}
            {product.shopperAttributes.length > 0 && (
              <dl>
                {product.shopperAttributes.map(({ key, value }) => (
                  <div key={key}>
                    <dt>{key.replaceAll('_', ' ')}</dt>
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

interface CustomInput {
  readonly key: string
  readonly name: string
  readonly required: boolean | null
  readonly validationRules: readonly { readonly maxLength: number | null }[]
}

/** What a shopper may type for the product, to be tried. The page sends it nowhere. */
function CustomInputs({ inputs }: { readonly inputs: readonly CustomInput[] }): JSX.Element {
  return (
    <form class="custom" onSubmit={(event) => event.preventDefault()}>
      <h2>What the shopper types</h2>
      {inputs.map(({ key, name, required, validationRules }) => {
        const lengths = validationRules.flatMap(({ maxLength }) => maxLength ?? [])
        const rules = [
          required ? 'required' : 'optional',
          ...(lengths.length > 0 ? [`at most ${Math.min(...lengths)} characters`] : []),
        ]
        return (
          <label key={key} class="field">
            {name}
            <input
              required={required === true}
              {...saying(`${name} is required.`)}
              {...(lengths.length > 0 && { maxLength: Math.min(...lengths) })}
            />
            {rules.join(', ')}
          </label>
        )
      })}
    </form>
  )
}
