import type { CombinedError } from 'urql'
import { graphql } from './gql'
import type { PriceTagFragment } from './gql/graphql'

graphql(`fragment PriceTag on CatalogPrice { amount { formatted } originalAmount { formatted } sale { name } }`)

export function PriceTag({ price }: { price: PriceTagFragment | null | undefined }) {
  if (!price) return <p>Not for sale</p>
  return (
    <p>
      <b>{price.amount.formatted}</b> <s>{price.sale && price.originalAmount?.formatted}</s> {price.sale?.name}
    </p>
  )
}

/** Until there are data: what went wrong, be it no answer or an answer with `errors`. */
export function Pending({ error }: { error: CombinedError | undefined }) {
  if (!error) return <p>Loading…</p>
  const messages = error.graphQLErrors.map(({ message }) => message).join(' ')
  return <p role="alert">{messages || 'The shop does not answer.'} Please reload the page.</p>
}
