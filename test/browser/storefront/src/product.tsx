import { useState } from 'react'
import { useQuery } from 'urql'
import { Bundle } from './bundle'
import { graphql } from './gql'
import { Pending, PriceTag } from './parts'

graphql(`
  fragment Offer on CatalogProduct {
    sku
    price { ...PriceTag tiers { minimumQuantity price { formatted } } }
    subscriptionProducts { id name }
  }
`)

const ProductPage = graphql(`
  query Product($slug: String!, $options: [ID!]!) {
    storefront { latestRelease { product(by: { slug: $slug }) {
      name
      description
      components { key }
      variations { key label options { key label } }
      variant(optionKeys: $options) { ...Offer }
      ...Offer
    } } }
  }
`)

export function Product({ slug }: { slug: string }) {
  const [chosen, choose] = useState<Record<string, string>>({})
  const variables = { slug, options: Object.values(chosen).filter(Boolean) }
  const [{ data, error }] = useQuery({ query: ProductPage, variables })
  if (error || !data) return <Pending error={error} />
  const product = data.storefront?.latestRelease?.product
  if (!product) return <p role="alert">There is no such product.</p>
  const offer = product.variations.length > 0 ? product.variant : product
  return (
    <>
      <h1>{product.name}</h1>
      <p>{product.description}</p>
      {product.variations.map(({ key, label, options }) => (
        <label key={key}>
          {label}{' '}
          <select onChange={({ target }) => choose({ ...chosen, [key]: target.value })}>
            <option value="">Choose</option>
            {options.map((option) => (
              <option key={option.key} value={option.key}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
      {product.components.length > 0 ? <Bundle slug={slug} /> : offer && <PriceTag price={offer.price} />}
      {offer?.price?.tiers.map(({ minimumQuantity, price }) => (
        <p key={minimumQuantity}>
          {price.formatted} each from {minimumQuantity} on
        </p>
      ))}
      {offer?.subscriptionProducts.map(({ id, name }) => (
        <a key={id} href={`#/subscribe/${id}`}>
          Subscribe: {name}
        </a>
      ))}
    </>
  )
}
