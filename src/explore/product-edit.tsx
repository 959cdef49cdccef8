/** Editing a product: its texts and its list prices as they are authored. For administrators. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { EditPrices, Prices } from './edit-prices.tsx'
import { EditTexts } from './edit-texts.tsx'
import { graphql } from './graph.ts'
import { useRepeat } from './live.tsx'
import { PublishDraft } from './publish-draft.tsx'
import { Texts } from './text-values.ts'

const Authored = graphql(
  `
  query Authored($slug: String!) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          product {
            ...Texts
            prices { ...Prices }
          }
        }
      }
    }
  }
`,
  [Texts, Prices],
)

/** Forms that are opened by a button, so that a page that is only looked at asks for nothing more. */
export function ProductEdit({ slug }: { readonly slug: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const repeat = useRepeat()
  const onSaved = (): void => {
    setSaved(true)
    repeat()
  }
  if (!isOpen)
    return (
      <p>
        <button type="button" onClick={() => setOpen(true)}>
          Edit
        </button>
      </p>
    )
  return (
    <section class="editing">
      <h2>Edit</h2>
      <Ask query={Authored} variables={{ slug }}>
        {({ storefront }) => {
          const product = storefront?.latestRelease?.product?.product
          if (!product) return <p class="empty">This product is deleted; the next publish takes it off the catalog.</p>
          return (
            <div class="forms">
              <EditTexts product={product} onSaved={onSaved} />
              {product.prices.map((price) => (
                <EditPrices key={price.id} price={price} onSaved={onSaved} />
              ))}
            </div>
          )
        }}
      </Ask>
      {isSaved && <PublishDraft />}
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
    </section>
  )
}
