/** Parts that all views share: a query with its states, a price, breadcrumbs, an instant. */
import { type DocumentInput, stringifyDocument } from '@urql/core'
import type { ComponentChildren, JSX } from 'preact'
import { Link, noList } from './address.tsx'
import { graphql, useGraph } from './graph.ts'

interface AskProps<Data, Variables extends Record<string, unknown>> {
  readonly query: DocumentInput<Data, Variables>
  readonly variables: Variables
  /** Absent: the query has no link of its own. */
  readonly link?: boolean
  readonly children: (data: Data, repeat: () => void) => ComponentChildren
}

/** Shows what a query returns, or that it is loading or has failed. */
export function Ask<Data, Variables extends Record<string, unknown>>(props: AskProps<Data, Variables>): JSX.Element {
  const { query, variables, link, children } = props
  const { data, error, fetching, repeat } = useGraph(query, variables)
  if (error)
    return (
      <div class="failed" role="alert">
        <p>{error.networkError ? 'The server does not respond.' : error.graphQLErrors.map(({ message }) => message).join(' ')}</p>
        <button type="button" onClick={repeat}>
          Try again
        </button>
      </div>
    )
  if (!data) return <p class="soft loading">Loading…</p>
  return (
    <div aria-busy={fetching}>
      {children(data, repeat)}
      {link && <GraphiqlLink query={query} variables={variables} />}
    </div>
  )
}

/** Opens the query in GraphiQL, with the variables that it was sent with. */
function GraphiqlLink({ query, variables }: { readonly query: DocumentInput; readonly variables: object }): JSX.Element {
  const text = new URLSearchParams({ query: stringifyDocument(query), variables: JSON.stringify(variables, null, 2) })
  return (
    <p>
      <a class="graphiql" href={`/graphql?${text}`} target="_blank" rel="noreferrer">
        This query in GraphiQL
      </a>
    </p>
  )
}

/** A price as PriceTag shows it. */
export const Paid = graphql(`
  fragment Paid on CatalogPrice {
    amount { formatted }
    originalAmount { formatted }
    sale { name }
  }
`)

interface PaidPrice {
  readonly amount: { readonly formatted: string }
  readonly originalAmount: { readonly formatted: string } | null
  readonly sale: { readonly name: string } | null
}

/** The price, the list price struck out, and the sale's name. */
export function PriceTag({ price }: { readonly price: PaidPrice | null }): JSX.Element {
  if (!price) return <span class="soft">no price</span>
  const { amount, originalAmount, sale } = price
  return (
    <span class="price">
      <b>{amount.formatted}</b>
      {originalAmount && originalAmount.formatted !== amount.formatted && <s>{originalAmount.formatted}</s>}
      {sale && <span class="sale">{sale.name}</span>}
    </span>
  )
}

interface Place {
  readonly name: string
  readonly slug: string
}

/** The way from the catalog down to a node; the last place is a link only when something stands below it. */
export function Breadcrumbs({ places, below }: { readonly places: readonly Place[]; readonly below?: boolean }): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <Link to={noList}>Catalog</Link>
      {places.map(({ name, slug }, index) => {
        const path = places.slice(0, index + 1).map((place) => place.slug)
        const isHere = !below && index === places.length - 1
        return <span key={slug}>{isHere ? name : <Link to={{ ...noList, path: path.join('/') }}>{name}</Link>}</span>
      })}
    </nav>
  )
}

/** The head of a table. */
export function Head({ titles }: { readonly titles: readonly string[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** An instant in the reader's own time zone. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={at}>{text}</time>
}
