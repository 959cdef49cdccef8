/**
 * Bundle configurator. It starts with the default selection. The graph prices each change and reports what is wrong
 * with it.
 */
import type { FragmentOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql, useShopper } from './graph.ts'
import { Name, Paid, PriceTag } from './parts.tsx'

/** The components of a bundle and their options. */
export const Bundle = graphql(`
  fragment Bundle on CatalogProduct {
    id
    components {
      key
      name
      min
      max
      options { productKey quantity product { id name language } }
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
    $tags: [String!]
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
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

/** The keys of the chosen products by component, as the address holds them; null for a text that is no such map. */
function readChoice(text: string | undefined): ReadonlyMap<string, readonly string[]> | null {
  try {
    const entries = Object.entries<unknown>(JSON.parse(text ?? 'null'))
    return new Map(entries.map(([component, keys]) => [component, Array.isArray(keys) ? keys : []]))
  } catch {
    return null
  }
}

/** The form for a bundle's options, with the price of the current choice. */
export function BundleForm({ bundle }: { readonly bundle: FragmentOf<typeof Bundle> }): JSX.Element {
  const { id, components, bundleConfiguration } = bundle
  const { address, go } = useAddress()
  const standard = (bundleConfiguration?.selectedOptions ?? []).map(({ component, options }) => ({
    component,
    options: options.flatMap(({ product }) => (product ? [{ productId: product.id }] : [])),
  }))
  const choice = readChoice(address.choice)
  const selection: readonly Selection[] = choice
    ? components.map(({ key, options }) => ({
        component: key,
        options: options.flatMap(({ productKey, product }) =>
          product && choice.get(key)?.includes(productKey) ? [{ productId: product.id }] : [],
        ),
      }))
    : standard
  const chosen = new Set(
    selection.flatMap(({ component, options }) => options.map(({ productId }) => `${component} ${productId}`)),
  )
  const change = (event: TargetedEvent<HTMLFormElement>): void => {
    const form = new FormData(event.currentTarget)
    go({ choice: JSON.stringify(Object.fromEntries(components.map(({ key }) => [key, form.getAll(key)]))) })
  }
  return (
    <form class="bundle" onChange={change} onSubmit={(event) => event.preventDefault()}>
      <h2>Components</h2>
      {components.map(({ key, name, min, max, options }) => (
        <fieldset key={key} class="facet">
          <legend>
            <bdi>{name}</bdi>: {choiceWords(min ?? 0, max ?? options.length)}
          </legend>
          {options.map(
            ({ productKey, quantity, product }) =>
              product && (
                <label key={product.id}>
                  <input type="checkbox" name={key} value={productKey} checked={chosen.has(`${key} ${product.id}`)} />
                  {quantity > 1 && `${quantity} × `}
                  <Name of={product} />
                </label>
              ),
          )}
        </fieldset>
      ))}
      <Ask
        query={Configure}
        variables={{ id, selection: selection.filter(({ options }) => options.length > 0), ...useShopper() }}
      >
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

/** How many options a shopper takes. */
function choiceWords(min: number, max: number): string {
  if (min === 0) return max === 1 ? 'one or none' : `up to ${max}`
  return min === max ? `exactly ${min}` : `${min} to ${max}`
}
