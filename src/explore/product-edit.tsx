/** Editing a product: its texts and its list prices as they are authored. For administrators. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { EditPrices, Prices } from './edit-prices.tsx'
import { EditTexts } from './edit-texts.tsx'
import { graphql } from './graph.ts'
import { dropKept, hasKept } from './kept-form.tsx'
import { useRepeat } from './live.tsx'
import { counted } from './parts.tsx'
import { PublishDraft } from './publish-draft.tsx'
import { Texts } from './text-values.ts'
import { useUnpublished } from './unpublished.ts'

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
  const name = `edit ${slug}`
  const [isOpen, setOpen] = useState(() => hasKept(name))
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
              <EditTexts name={name} product={product} onSaved={onSaved} />
              {product.prices.map((price) => (
                <EditPrices key={price.id} name={`${name} prices ${price.id}`} price={price} onSaved={onSaved} />
              ))}
            </div>
          )
        }}
      </Ask>
      <button
        type="button"
        onClick={() => {
          dropKept(name)
          setOpen(false)
        }}
      >
        Close
      </button>
      <Unpublished slug={slug} isSaved={isSaved} />
    </section>
  )
}

/** What waits to be published, in sight while anything is edited; after a write also when nothing waits. */
function Unpublished({ slug, isSaved }: { readonly slug: string; readonly isSaved: boolean }): JSX.Element | null {
  const { count, fetching } = useUnpublished({})
  if (count === 0 && !isSaved) return null
  const found = count === 0 ? 'No unpublished change' : `${counted(count, 'product')} with unpublished changes`
  return (
    <details
      class="unpublished"
      // Opened it leaves the lower edge of the window, and stands in its place.
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView()}
    >
      <summary>
        {fetching ? 'Counting unpublished changes…' : found} · <b>Publish</b>
      </summary>
      <PublishDraft slug={slug} />
    </details>
  )
}
