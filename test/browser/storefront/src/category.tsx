import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from './gql'
import { Pending, PriceTag } from './parts'

const CategoryPage = graphql(`
  query Category($path: [String!]!, $after: String) {
    storefront { latestRelease { node(by: { path: $path }) {
      name
      products(first: 6, after: $after, groupVariants: true) {
        nodes { id name slug price { ...PriceTag } priceRange { min { amount formatted } max { amount } } }
        pageInfo { hasNextPage endCursor }
      }
    } } }
  }
`)

/** A category, or the rest of it after a cursor. */
export function Category({ path, after = null }: { path: string[]; after?: string | null }) {
  const [isMore, showMore] = useState(false)
  const [{ data, error }] = useQuery({ query: CategoryPage, variables: { path, after } })
  if (error || !data) return <Pending error={error} />
  const node = data.storefront?.latestRelease?.node
  if (!node) return <p role="alert">There is no such category.</p>
  const { nodes, pageInfo } = node.products
  return (
    <>
      {after === null && <h1>{node.name}</h1>}
      {nodes.map(({ id, name, slug, price, priceRange: range }) => (
        <article key={id}>
          <a href={`#/product/${slug}`}>{name}</a>
          {range && range.min.amount < range.max.amount ? (
            <p>from {range.min.formatted}</p>
          ) : (
            <PriceTag price={price} />
          )}
        </article>
      ))}
      {pageInfo.hasNextPage && isMore && <Category path={path} after={pageInfo.endCursor} />}
      {pageInfo.hasNextPage && !isMore && (
        <button type="button" onClick={() => showMore(true)}>
          More
        </button>
      )}
    </>
  )
}
