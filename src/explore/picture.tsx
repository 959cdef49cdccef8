/** Pictures of products: one on a card, and all of a product with one of them shown large. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { graphql } from './graph.ts'

/** What the gallery shows of a product. */
export const Pictured = graphql(`
  fragment Pictured on CatalogProduct {
    mainImage { key url }
    files { key url }
  }
`)

interface PictureProps {
  readonly url: string
  /** Empty where the name stands beside it. */
  readonly alt: string
}

/** A square picture; it has its place before it is loaded. */
export function Picture({ url, alt }: PictureProps): JSX.Element {
  return <img class="picture" src={url} alt={alt} width={320} height={320} loading="lazy" decoding="async" />
}

/** The main image, then the other files, each once; null without an address of any. */
export function Gallery({ of, name }: { readonly of: FragmentOf<typeof Pictured>; readonly name: string }) {
  const [chosen, setChosen] = useState(0)
  const found = [of.mainImage, ...of.files].flatMap((file) => (file?.url ? [[file.key, file.url] as const] : []))
  const urls = [...new Map(found).values()]
  const shown = urls[chosen] ?? urls[0]
  if (shown === undefined) return null
  return (
    <div class="gallery">
      <Picture url={shown} alt={name} />
      {urls.length > 1 && (
        <ul>
          {urls.map((url, at) => (
            <li key={url}>
              <button type="button" aria-pressed={url === shown} onClick={() => setChosen(at)}>
                <Picture url={url} alt={`Picture ${at + 1} of ${urls.length}`} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
