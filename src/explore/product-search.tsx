/** Product search: a field that suggests products while one types. Arrows choose, Enter takes, Escape begins anew. */
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { messageOf } from './ask.tsx'
import { graphql, useGraph } from './graph.ts'
import { Name } from './parts.tsx'

const Suggest = graphql(`
  query SuggestSkus($text: String!) {
    storefront {
      latestRelease {
        suggest(text: $text) {
          products {
            id
            name
            language
            sku
            variationMatrix { product { sku } }
          }
        }
      }
    }
  }
`)

interface ProductSearchProps {
  /** Called with the SKUs of a product that is taken: its own, and those of its variants. */
  readonly onTaken: (skus: readonly string[]) => void
}

export function ProductSearch({ onTaken }: ProductSearchProps): JSX.Element {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  // Enter waits for the products of what is typed.
  const [isEntered, setEntered] = useState(false)
  const id = useId()
  const text = typed.trim()
  const { data, error, fetching } = useGraph(Suggest, { text }, text === '')
  const found = (text && data?.storefront?.latestRelease?.suggest.products) || []
  const isShown = isOpen && found.length > 0
  // Of a single letter nothing is suggested.
  const isUnknown = text.length > 1 && !fetching && found.length === 0
  const begin = (next: string): void => {
    setTyped(next)
    setAt(0)
    setOpen(true)
    setEntered(false)
  }
  const take = (index: number): void => {
    const product = found[index]
    if (!product) return
    onTaken([product.sku, ...product.variationMatrix.map((one) => one.product?.sku)].flatMap((sku) => sku ?? []))
    begin('')
  }
  useEffect(() => {
    if (!isEntered || fetching) return
    setEntered(false)
    take(at)
  }, [isEntered, fetching])
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const { key } = event
    const by = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0
    if (by === 0 && key !== 'Enter' && key !== 'Escape') return
    event.preventDefault()
    if (key === 'Escape') begin('')
    else if (key === 'Enter') setEntered(text !== '')
    else if (isShown) setAt((at + by + found.length) % found.length)
    else setOpen(true)
  }
  return (
    <div class="field product-search">
      <label for={id}>Find products</label>
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown ? `${id}-${at}` : undefined}
        placeholder="Name or SKU"
        maxLength={200}
        value={typed}
        onInput={(event) => {
          // What is looked for changes nothing of the form.
          event.stopPropagation()
          begin(event.currentTarget.value)
        }}
        onKeyDown={press}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Products" hidden={!isShown}>
        {found.map((product, index) => (
          <button
            key={product.id}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(index)}
          >
            <Name of={product} /> <span class="soft">{product.sku}</span>
          </button>
        ))}
      </div>
      <span role="status">{error ? messageOf(error) : isUnknown && 'No product has this name or SKU.'}</span>
    </div>
  )
}
