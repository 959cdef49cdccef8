/** Filters of a list: search, facets with their counts, a range of prices, the order. */
import type { JSX, TargetedEvent } from 'preact'
import { firstPage, useAddress } from './address.tsx'
import { orders, SEARCH_MAX } from './listing.ts'
import { saying, useValue } from './parts.tsx'

interface Value {
  readonly value: string
  readonly label: string
  readonly count: number
  readonly selected: boolean
}

interface Facet {
  readonly key: string
  readonly values: readonly Value[]
}

/** The number of a facet's values that are shown at once; the rarer ones unfold. */
const VALUES_SHOWN = 12

/** What is wrong with a typed price. */
const PRICE = 'A price is a number from 0 on, such as 12.50.'

interface FacetsProps {
  readonly facets: readonly Facet[]
  readonly lowest: string
  readonly highest: string
}

/** The facets by key: their titles, and their names in the address. */
const known: Readonly<Record<string, { readonly title: string; readonly name: 'tags' | 'types' | 'sale' }>> = {
  tags: { title: 'Tags', name: 'tags' },
  productTypes: { title: 'Kinds', name: 'types' },
  onSale: { title: 'Offers', name: 'sale' },
}

/** What the graph's types of products are called here. */
const kinds: Readonly<Record<string, string>> = {
  STANDARD: 'single product',
  PARENT: 'comes in variants',
  CHILD: 'a variant',
  BUNDLE: 'bundle',
}

/** What a box is called. */
const nameOf = (key: string, { value, label }: Value): string =>
  key === 'onSale' ? 'on sale' : key === 'productTypes' ? (kinds[value] ?? label) : label

/** The filters of a list. Each change leads back to the first page. */
export function Facets({ facets, lowest, highest }: FacetsProps): JSX.Element {
  const { address, go } = useAddress()
  const change = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [lowest, highest] = ['min', 'max'].map(
      (name) => event.currentTarget.elements.namedItem(name) as HTMLInputElement,
    ) as [HTMLInputElement, HTMLInputElement]
    lowest.setCustomValidity('')
    const isCrossed = highest.value !== '' && Number(form.get('min')) > Number(highest.value)
    highest.setCustomValidity(isCrossed ? 'The highest price is below the lowest.' : '')
    if (!event.currentTarget.reportValidity()) return
    const isListed = (name: string): boolean =>
      facets.some(({ key, values }) => known[key]?.name === name && values.length > 0)
    // A filter without boxes, as while the first list is loading, stays as it is.
    const all = (name: 'tags' | 'types' | 'sale'): string =>
      isListed(name) ? form.getAll(name).join(',') : (address[name] ?? '')
    const typed = (name: string): string => String(form.get(name) ?? '')
    // An input of numbers accepts other forms too, such as `.5` and `1e3`.
    const price = (name: string): string => typed(name) && String(Number(typed(name)))
    const narrowed = { tags: all('tags'), types: all('types'), sale: all('sale'), min: price('min'), max: price('max') }
    go({ ...narrowed, q: typed('q'), order: typed('order'), ...firstPage })
  }
  return (
    <form class="filters" onSubmit={change} onChange={change}>
      <label class="field">
        Search
        <input type="search" name="q" maxLength={SEARCH_MAX} ref={useValue(address.q)} />
      </label>
      <label class="field">
        Order
        <select name="order">
          {Object.entries(orders).map(([value, { label }]) => (
            <option key={value} value={value} selected={value === (address.order ?? '')}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="field">
        <legend>Price</legend>
        <input
          type="number"
          name="min"
          min="0"
          step="any"
          placeholder={lowest}
          aria-label="Lowest price"
          {...saying(PRICE)}
          ref={useValue(address.min)}
        />
        –
        <input
          type="number"
          name="max"
          min="0"
          step="any"
          placeholder={highest}
          aria-label="Highest price"
          {...saying(PRICE)}
          ref={useValue(address.max)}
        />
      </fieldset>
      {facets.map(({ key, values }) => (
        <FacetBoxes
          key={key}
          facet={{
            key,
            values: values.filter(({ value, count, selected }) => value !== 'false' && (selected || count > 0)),
          }}
        />
      ))}
    </form>
  )
}

function FacetBoxes({ facet: { key, values } }: { readonly facet: Facet }): JSX.Element | null {
  const { address } = useAddress()
  const { title, name } = known[key] ?? {}
  if (values.length === 0 || !name) return null
  // Read from the address, since `selected` belongs to the previous list until the next one is loaded.
  const chosen = address[name]?.split(',') ?? []
  const isShown = ({ value }: Value, index: number): boolean => index < VALUES_SHOWN || chosen.includes(value)
  const [shown, rest] = [values.filter(isShown), values.filter((value, index) => !isShown(value, index))]
  const box = (one: Value): JSX.Element => (
    <label key={one.value}>
      <input type="checkbox" name={name} value={one.value} checked={chosen.includes(one.value)} />
      <bdi>{nameOf(key, one)}</bdi> <span class="soft">{one.count.toLocaleString()}</span>
    </label>
  )
  return (
    <fieldset class="facet">
      <legend>{title}</legend>
      {shown.map(box)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map(box)}
        </details>
      )}
    </fieldset>
  )
}
