/** What follows a write: publishing the draft of a catalog, so that shoppers see it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { firstPage, Link } from './address.tsx'
import { Answer, Ask } from './ask.tsx'
import { graphql, useGraph } from './graph.ts'
import { useWrites } from './live.tsx'
import { Publish } from './release-actions.tsx'

const Published = graphql(`
  query Published {
    catalogs(first: 100) { nodes { id name } }
    storefront { id }
  }
`)

const Draft = graphql(`
  query Draft($id: ID!) {
    history(first: 1) { nodes { key } }
    catalog(id: $id) { id draft { id } }
  }
`)

/** Publishes a catalog: that of the storefront, or another one. */
export function PublishDraft(): JSX.Element {
  const [chosen, choose] = useState<string>()
  return (
    <Ask query={Published} variables={{}}>
      {({ catalogs, storefront }) => {
        const id = chosen ?? storefront?.id ?? catalogs.nodes[0]?.id
        if (!id) return <p class="empty">There is no catalog.</p>
        return (
          <>
            <label class="field">
              Catalog
              <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
                {catalogs.nodes.map((catalog) => (
                  <option key={catalog.id} value={catalog.id} selected={catalog.id === id}>
                    {catalog.name}
                  </option>
                ))}
              </select>
            </label>{' '}
            <Link to={{ ...firstPage, view: 'releases', catalog: id, from: 'latest', to: 'draft' }}>
              All that a publish changes
            </Link>
            <DraftOf key={id} id={id} />
          </>
        )
      }}
    </Ask>
  )
}

/** The draft of a catalog as it is now, whoever writes. */
function DraftOf({ id }: { readonly id: string }): JSX.Element {
  const result = useGraph(Draft, { id })
  useWrites(result.data && !result.fetching ? (result.data.history.nodes[0]?.key ?? '') : undefined)
  return (
    <Answer query={Draft} variables={{ id }} result={result}>
      {({ catalog }) =>
        catalog?.draft ? (
          <Publish catalogId={id} fromDraft={catalog.draft.id} isReading={result.fetching} />
        ) : (
          <p class="soft">There is nothing to publish.</p>
        )
      }
    </Answer>
  )
}
