/** Filters of a list: facets with their counts, a range of prices, the order. */
import { type FragmentOf, readFragment } from 'gql.tada'
import { choice, el } from './dom.ts'
import { graphql } from './graph.ts'
import type { Narrowed } from './listing.ts'

export const Filters = graphql(`
  fragment Filters on CatalogProductConnection {
    facets(keys: [{ tags: true }, { onSale: true }]) {
      key
      values {
        value
        label
        count
        selected
      }
    }
    priceRange {
      min {
        amount
      }
      max {
        amount
      }
    }
  }
`)

const titles: Readonly<Record<string, string>> = { tags: 'Tags', onSale: 'Offers' }

const orders: Readonly<Record<string, Narrowed['orderBy']>> = {
  Recommended: undefined,
  'Price, lowest first': { field: 'PRICE', direction: 'ASC' },
  'Price, highest first': { field: 'PRICE', direction: 'DESC' },
  Name: { field: 'NAME', direction: 'ASC' },
}

/** The form; `change` gets what its inputs say. */
export function filters(
  of: FragmentOf<typeof Filters>,
  { orderBy, filter }: Narrowed,
  change: (changed: Narrowed) => Promise<void>,
): HTMLElement {
  const { facets, priceRange } = readFragment(Filters, of)
  const form = el('form', { className: 'filters' })
  for (const { key, values } of facets) {
    const boxes = values
      .filter(({ value, selected, count }) => value !== 'false' && (selected || count > 0))
      .map(({ value, label, count, selected }) =>
        choice({ type: 'checkbox', name: key, value, checked: selected }, key === 'onSale' ? 'on sale' : label, `${count}`),
      )
    form.append(el('fieldset', {}, el('legend', {}, titles[key] ?? key), ...boxes))
  }
  const side = (name: 'min' | 'max', placeholder: number | undefined): HTMLElement => {
    const given = filter?.price?.[name]
    return el('input', {
      type: 'number',
      name,
      min: '0',
      step: '0.01',
      placeholder: placeholder === undefined ? '' : String(placeholder / 100),
      value: given === null || given === undefined ? '' : String(given / 100),
      ariaLabel: name === 'min' ? 'Lowest price' : 'Highest price',
    })
  }
  const ends = [side('min', priceRange?.min.amount), ' – ', side('max', priceRange?.max.amount)]
  form.append(el('fieldset', {}, el('legend', {}, 'Price in EUR'), ...ends))
  const options = Object.keys(orders).map((name) =>
    el('option', { selected: orders[name]?.field === orderBy?.field && orders[name]?.direction === orderBy?.direction }, name),
  )
  form.append(el('select', { name: 'order', ariaLabel: 'Order' }, ...options))
  form.onsubmit = (event) => event.preventDefault()
  form.onchange = () => change(narrowedBy(new FormData(form)))
  return form
}

function narrowedBy(form: FormData): Narrowed {
  const tags = form.getAll('tags').map(String)
  const cents = (name: string): number | null => (form.get(name) ? Math.round(Number(form.get(name)) * 100) : null)
  const [min, max] = [cents('min'), cents('max')]
  const orderBy = orders[String(form.get('order'))]
  return {
    filter: {
      ...(tags.length > 0 && { tags: { in: tags } }),
      ...(form.has('onSale') && { onSale: true }),
      ...((min !== null || max !== null) && { price: { min, max } }),
    },
    ...(orderBy && { orderBy }),
  }
}
