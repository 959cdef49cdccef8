import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from './gql'
import type { ComponentSelectionInput } from './gql/graphql'
import { Pending, PriceTag } from './parts'

const BundleForm = graphql(`
  query Bundle($slug: String!, $selection: [ComponentSelectionInput!]) {
    storefront { latestRelease { product(by: { slug: $slug }) {
      components { key name options { productKey quantity product { name } } }
      bundleConfiguration(selection: $selection) {
        price { ...PriceTag }
        issues { message }
        selectedOptions { component options { productKey } }
      }
    } } }
  }
`)

/** It begins with what the bundle has by default; the graph prices each choice. */
export function Bundle({ slug }: { slug: string }) {
  const [selection, select] = useState<ComponentSelectionInput[] | null>(null)
  const [{ data, error }] = useQuery({ query: BundleForm, variables: { slug, selection } })
  const { components = [], bundleConfiguration: outcome } = data?.storefront?.latestRelease?.product ?? {}
  if (error || !outcome) return <Pending error={error} />
  const chosen = outcome.selectedOptions.flatMap(({ component, options }) =>
    options.map(({ productKey }) => `${component} ${productKey}`),
  )
  const read = (form: FormData): ComponentSelectionInput[] =>
    components
      .map(({ key }) => ({ component: key, options: form.getAll(key).map((one) => ({ productId: String(one) })) }))
      .filter(({ options }) => options.length > 0)
  return (
    <form onChange={({ currentTarget }) => select(read(new FormData(currentTarget)))}>
      {components.map(({ key, name, options }) => (
        <fieldset key={key}>
          <legend>{name}</legend>
          {options.map(({ productKey, quantity, product }) => (
            <label key={productKey}>
              <input
                type="checkbox"
                name={key}
                value={productKey}
                defaultChecked={chosen.includes(`${key} ${productKey}`)}
              />
              {quantity} × {product?.name}
            </label>
          ))}
        </fieldset>
      ))}
      {outcome.issues.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {outcome.price && <PriceTag price={outcome.price} />}
    </form>
  )
}
