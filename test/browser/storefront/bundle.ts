/** A bundle's configurator: what is chosen of each component, what that costs, and what is wrong with it. */
import { type FragmentOf, readFragment } from 'gql.tada'
import { choice, el } from './dom.ts'
import { ask, graphql } from './graph.ts'
import { PriceTag, priceTag } from './price.ts'

const Configuration = graphql(
  `
  fragment Configuration on BundleConfiguration {
    valid
    issues {
      message
    }
    price {
      ...PriceTag
    }
    selectedOptions {
      component
      options {
        product {
          id
        }
      }
    }
    componentProducts {
      product {
        id
      }
      price {
        amount {
          formatted
        }
      }
    }
  }
`,
  [PriceTag],
)

export const Bundle = graphql(
  `
  fragment Bundle on CatalogProduct {
    id
    components {
      key
      name
      min
      max
      sortOrder
      options {
        quantity
        product {
          id
          name
        }
      }
    }
    bundleConfiguration {
      ...Configuration
    }
  }
`,
  [Configuration],
)

const Configure = graphql(
  `
  query Configure($id: ID!, $selection: [ComponentSelectionInput!]!) @inContext(currency: "EUR") {
    configureBundle(id: $id, selection: $selection) {
      ...Configuration
    }
  }
`,
  [Configuration],
)

/** The form: it begins with what the bundle has by default; each change is priced by the graph. */
export function bundleForm(of: FragmentOf<typeof Bundle>): HTMLElement {
  const { id, components, bundleConfiguration } = readFragment(Bundle, of)
  const start = readFragment(Configuration, bundleConfiguration)
  const chosen = new Set(
    (start?.selectedOptions ?? []).flatMap(({ component, options }) => options.map(({ product }) => `${component} ${product?.id}`)),
  )
  const amounts = new Map((start?.componentProducts ?? []).map(({ product, price }) => [product?.id, price?.amount.formatted ?? '']))
  const outcome = el('div', { className: 'outcome' }, ...result(bundleConfiguration))
  const form = el('form', { className: 'bundle' })
  const inOrder = [...components].sort((a, b) => (b.sortOrder ?? 0) - (a.sortOrder ?? 0))
  for (const { key, name, min, max, options } of inOrder) {
    const boxes = options.flatMap(({ quantity, product }) => {
      if (!product) return []
      const [several, note] = [quantity > 1, amounts.get(product.id) ?? '']
      const box = { type: 'checkbox', name: key, value: product.id, checked: chosen.has(`${key} ${product.id}`) }
      return [choice(box, several ? `${quantity} × ${product.name}` : product.name, several ? `${note} each` : note)]
    })
    const [least, most] = [min ?? 0, max ?? options.length]
    const limits = `${name}, ${least === most ? most : `${least} to ${most}`} of ${options.length}`
    form.append(el('fieldset', { className: 'component' }, el('legend', {}, limits), ...boxes))
  }
  form.append(outcome)
  form.onchange = async () => {
    const data = new FormData(form)
    const selection = components.flatMap(({ key }) => {
      const options = data.getAll(key).map((productId) => ({ productId: String(productId) }))
      return options.length > 0 ? [{ component: key, options }] : []
    })
    const { configureBundle } = await ask(Configure, { id, selection })
    outcome.replaceChildren(...result(configureBundle))
  }
  return form
}

function result(of: FragmentOf<typeof Configuration> | null): HTMLElement[] {
  const configuration = readFragment(Configuration, of)
  if (!configuration) return []
  const { valid, issues, price } = configuration
  if (valid) return [priceTag(price, 'large')]
  return [el('ul', { className: 'issues' }, ...issues.map(({ message }) => el('li', {}, message)))]
}
