/** Other catalogs in which what was just published is not: each with a button that publishes it there too. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { graphql, useGraph } from './graph.ts'
import { Publish, type PublishProps } from './publish.tsx'

const Others = graphql(`
  query OtherCatalogs {
    catalogs(first: 20) { nodes { id latestRelease { id } } }
  }
`)

const Drafts = graphql(`
  query OtherDrafts($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Catalog {
        id
        name
        draft {
          id
          changesSince(releaseId: "latest", first: 100) {
            nodes { before { product { id } } after { product { id } } }
          }
        }
      }
    }
  }
`)

/** Publishes, and says in which other catalogs the same products are not published yet. */
export function PublishAndTell(props: PublishProps): JSX.Element {
  const [published, setPublished] = useState<readonly string[]>([])
  return (
    <>
      <Publish {...props} onPublished={setPublished} />
      {published.length > 0 && (
        <AlsoUnpublished
          key={published.join()}
          catalogId={props.catalogId}
          products={published}
          releaseName={props.releaseName}
        />
      )}
    </>
  )
}

/** The catalog that is published, and what of it. */
interface Opened {
  readonly id: string
  readonly left: readonly string[]
  readonly isDone: boolean
}

interface AlsoProps {
  readonly catalogId: string
  /** The products that were published. */
  readonly products: readonly string[]
  readonly releaseName: string | undefined
}

/** Of the first 20 catalogs, and of their first 100 changes, by two queries; null where nothing is left. */
function AlsoUnpublished({ catalogId, products, releaseName }: AlsoProps): JSX.Element | null {
  const found = useGraph(Others, {}).data?.catalogs.nodes ?? []
  // Of a catalog that never was published there is nothing to correct.
  const ids = found.filter(({ id, latestRelease }) => id !== catalogId && latestRelease).map(({ id }) => id)
  const drafts = useGraph(Drafts, { ids }, ids.length === 0).data?.nodes ?? []
  // What was offered stays, so that what became of it can be read.
  const [opened, setOpened] = useState<Opened | null>(null)
  const rest = drafts.flatMap((node) => {
    if (!node || !('draft' in node) || !node.draft) return []
    const changed = new Set(
      node.draft.changesSince.nodes.flatMap(({ before, after }) => (after ?? before)?.product?.id ?? []),
    )
    const left = products.filter((product) => changed.has(product))
    const isOpen = opened?.id === node.id
    return left.length > 0 || isOpen ? [{ ...node, left: isOpen ? opened.left : left, draft: node.draft.id }] : []
  })
  if (rest.length === 0) return null
  return (
    <section class="also">
      {rest.map(({ id, name, draft, left }) => (
        <div key={id}>
          {!(opened?.id === id && opened.isDone) && (
            <p>
              Also unpublished in: <bdi>{name}</bdi>.{' '}
              {opened?.id !== id && (
                <button type="button" onClick={() => setOpened({ id, left, isDone: false })}>
                  Publish there too…
                </button>
              )}
            </p>
          )}
          {opened?.id === id && (
            <Publish
              catalogId={id}
              catalogName={name}
              fromDraft={draft}
              products={left}
              releaseName={releaseName}
              isAsked
              onPublished={() => setOpened({ ...opened, isDone: true })}
            />
          )}
        </div>
      ))}
    </section>
  )
}
