/** What follows a write: publishing the draft of a catalog, so that shoppers see it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link, noView } from './address.tsx'
import { PublishAndTell } from './also-unpublished.tsx'
import { Answer, Ask } from './ask.tsx'
import { graphql, useGraph } from './graph.ts'
import { useWrites } from './live.tsx'
import { dayText } from './parts.tsx'

const Published = graphql(`
  query Published($slug: String!, $isOne: Boolean!) {
    catalogs(first: 100) { nodes { id name } }
    storefront {
      id
      latestRelease @include(if: $isOne) { product(by: { slug: $slug }) { product { id } } }
    }
  }
`)

const Draft = graphql(`
  query Draft($id: ID!) {
    history(first: 1) { nodes { key } }
    catalog(id: $id) { id latestRelease { id } draft { id } }
  }
`)

/** The products that a publish would change now, the first hundred. */
const Left = graphql(`
  query LeftToPublish($id: ID!) {
    catalog(id: $id) {
      draft {
        id
        changesSince(releaseId: "latest", first: 100) {
          totalCount
          nodes { before { product { id } } after { product { id } } }
        }
      }
    }
  }
`)

interface PublishDraftProps {
  /** The product whose change goes alone. */
  readonly slug?: string
  /** The first day of what is published; null where it is now. */
  readonly day?: string | null
  /** What the release may be called. */
  readonly releaseName?: string
}

/** Publishes a catalog: that of the storefront, or another one. */
export function PublishDraft({ slug = '', day = null, releaseName }: PublishDraftProps): JSX.Element {
  const [chosen, choose] = useState<string>()
  return (
    <Ask query={Published} variables={{ slug, isOne: slug !== '' }}>
      {({ catalogs, storefront }) => {
        const id = chosen ?? storefront?.id ?? catalogs.nodes[0]?.id
        if (!id) return <p class="empty">There is no catalog.</p>
        const product = storefront?.latestRelease?.product?.product?.id
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
            <Link
              to={{
                ...{ ...noView, view: 'releases', catalog: id, from: 'latest', to: 'draft' },
                ...(day && { at: noon(day) }),
              }}
            >
              All that a publish changes{day && `, with the prices at ${noonText(day)}`}
            </Link>
            <DraftOf key={id} id={id} products={product ? [product] : undefined} releaseName={releaseName} />
          </>
        )
      }}
    </Ask>
  )
}

/** An instant of a day in the reader's time zone. */
export const noon = (day: string): string => new Date(`${day}T12:00`).toISOString()
export const noonText = (day: string): string => `noon of ${dayText(Date.parse(noon(day)))}`

interface DraftProps {
  readonly id: string
  /** The products whose change can be published alone. */
  readonly products: readonly string[] | undefined
  readonly releaseName: string | undefined
}

/** The draft of a catalog as it is now, whoever writes. */
function DraftOf({ id, products, releaseName }: DraftProps): JSX.Element {
  const result = useGraph(Draft, { id })
  const left = useGraph(Left, { id }, !result.data?.catalog?.latestRelease).data?.catalog?.draft?.changesSince
  const isOf = (one?: string): boolean => one !== undefined && (products?.includes(one) ?? true)
  const isLeft =
    left === undefined ||
    left.totalCount > left.nodes.length ||
    left.nodes.some(({ before, after }) => isOf((after ?? before)?.product?.id))
  useWrites(result.data && !result.fetching ? (result.data.history.nodes[0]?.key ?? '') : undefined)
  return (
    <Answer query={Draft} variables={{ id }} result={result}>
      {({ catalog }) =>
        catalog?.draft ? (
          <PublishAndTell
            catalogId={id}
            fromDraft={catalog.draft.id}
            isReading={result.fetching}
            isLeft={isLeft}
            isFirst={!catalog.latestRelease}
            products={catalog.latestRelease ? products : undefined}
            releaseName={releaseName}
          />
        ) : (
          <p class="soft">There is nothing to publish.</p>
        )
      }
    </Answer>
  )
}
