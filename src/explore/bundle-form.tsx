/** Bundle configurator: it starts with the default selection; the graph prices each change and reports what is wrong with it. */
import type { FragmentOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { graphql, useShopper } from './graph.ts'
import { Ask, Paid, PriceTag } from './parts.tsx'

/** The components of a bundle and their options. */
export const Bundle = graphql(`
  fragment Bundle on CatalogProduct {
    id
    components {
      key
      name
      min
      max
      options { quantity product { id name } }
    }
    bundleConfiguration {
      selectedOptions { component options { product { id } } }
    }
  }
`)

const Configure = graphql(
  `
  query Configure(
    $id: ID!
    $selection: [ComponentSelectionInput!]!
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, at: $at) {
    configureBundle(id: $id, selection: $selection) {
      valid
      issues { message }
      price { ...Paid }
    }
  }
`,
  [Paid],
)

interface Selection {
  readonly component: string
  readonly options: { readonly productId: string }[]
}

/** The form of a bundle's options, with the price of what is chosen. */
export function BundleForm({ bundle }: { readonly bundle: FragmentOf<typeof Bundle> }): JSX.Element {
  const { id, components, bundleConfiguration } = bundle
  const [selection, setSelection] = useState<Selection[]>(() =>
    (bundleConfiguration?.selectedOptions ?? []).map(({ component, options }) => ({
      component,
      options: options.flatMap(({ product }) => (product ? [{ productId: product.id }] : [])),
    })),
  )
  const chosen = new Set(selection.flatMap(({ component, options }) => options.map(({ productId }) => `${component} ${productId}`)))
  const change = (event: TargetedEvent<HTMLFormElement>): void => {
    const form = new FormData(event.currentTarget)
    const chosenOf = (key: string): Selection['options'] => form.getAll(key).map((productId) => ({ productId: String(productId) }))
    setSelection(components.map(({ key }) => ({ component: key, options: chosenOf(key) })).filter(({ options }) => options.length > 0))
  }
  return (
    <form class="bundle" onChange={change} onSubmit={(event) => event.preventDefault()}>
      <h2>Components</h2>
      {components.map(({ key, name, min, max, options }) => (
        <fieldset key={key} class="facet">
          <legend>
            {name}, {min ?? 0} to {max ?? options.length}
          </legend>
          {options.map(
            ({ quantity, product }) =>
              product && (
                <label key={product.id}>
                  <input type="checkbox" name={key} value={product.id} checked={chosen.has(`${key} ${product.id}`)} />
                  {quantity > 1 ? `${quantity} × ${product.name}` : product.name}
                </label>
              ),
          )}
        </fieldset>
      ))}
      <Ask query={Configure} variables={{ id, selection: [...selection], ...useShopper() }}>
        {({ configureBundle }) => (
          <div role="status">
            {configureBundle?.valid ? (
              <p>
                This choice costs <PriceTag price={configureBundle.price} />.
              </p>
            ) : (
              <ul class="issues">
                {configureBundle?.issues.map(({ message }) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Ask>
    </form>
  )
}
