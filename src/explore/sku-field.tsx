/** The SKUs of a campaign: of products that are found, of a whole category, or typed. */
import { createRequest } from '@urql/core'
import { useClient } from '@urql/preact'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { messageOf } from './ask.tsx'
import { graphql } from './graph.ts'
import { ofCatalog } from './of-catalog.ts'
import { counted } from './parts.tsx'
import { ProductSearch } from './product-search.tsx'

const Skus = graphql(`
  query SkusOfCategory($path: [String!]!) {
    storefront {
      latestRelease {
        node(by: { path: $path }) { products(first: 100) { totalCount nodes { sku } } }
      }
    }
  }
`)

interface Category {
  readonly id: string
  readonly name: string
  readonly slug: string
}

interface SkuFieldProps {
  readonly categories: readonly (Category & { readonly children: { readonly nodes: readonly Category[] } })[]
}

export function SkuField({ categories }: SkuFieldProps): JSX.Element {
  const graph = useClient()
  const { seen } = useAddress().address
  const place = useRef<HTMLTextAreaElement>(null)
  const [said, setSaid] = useState('')
  const [count, setCount] = useState(0)
  const look = (): void => {
    const typed = new Set(place.current?.value.split('\n').filter((line) => line.trim() !== '')).size
    place.current?.setCustomValidity(typed > 0 ? '' : 'Type a SKU in each line, or find products.')
    setCount(typed)
  }
  // What was kept is filled in without an event.
  useEffect(look)
  const add = (skus: readonly string[]): void => {
    if (!place.current) return
    const typed = place.current.value.split('\n').map((line) => line.trim())
    place.current.value = [...new Set([...typed, ...skus])].filter(Boolean).join('\n')
    place.current.scrollTop = place.current.scrollHeight
    // What was previewed before holds no longer.
    place.current.dispatchEvent(new Event('input', { bubbles: true }))
    setSaid('')
  }
  const addAll = async (path: string): Promise<void> => {
    const { data, error } = await graph
      .executeQuery(createRequest(ofCatalog(Skus, seen), { path: path.split('/') }))
      .toPromise()
    const found = data?.storefront?.latestRelease?.node?.products
    if (!found) return setSaid(error ? messageOf(error) : 'The storefront has no such category.')
    add(found.nodes.flatMap(({ sku }) => sku ?? []))
    const rest = found.totalCount - found.nodes.length
    if (rest > 0) setSaid(`The first ${found.nodes.length} are added; ${rest} more are in the category.`)
  }
  return (
    <>
      <ProductSearch onTaken={add} />
      <label class="field">
        Add all of
        <select value="" onChange={({ currentTarget: { value } }) => value && void addAll(value)}>
          <option value="">a category…</option>
          {categories.map(({ id, name, slug, children }) => (
            <optgroup key={id} label={name}>
              <option value={slug}>All of {name}</option>
              {children.nodes.map((node) => (
                <option key={node.id} value={`${slug}/${node.slug}`}>
                  {node.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label class="field">
        SKUs
        <textarea ref={place} name="skus" rows={4} cols={30} placeholder="One in each line" onInput={look} />
      </label>
      <p class="soft" role="status">
        {count > 0 ? `${counted(count, 'SKU')}.` : 'Find a product, add a category, or type SKUs.'} {said}
      </p>
    </>
  )
}
