/** Reviews: a second subgraph, in federation/reviews.graphql, of plans and published products. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildSchema, graphql } from 'graphql'

/** Its schema. */
export const reviewsSdl = readFileSync(new URL('../federation/reviews.graphql', import.meta.url), 'utf8')

/** A review; what it is of is named by the keys of the other subgraph. */
export interface Review {
  readonly id: string
  readonly stars: number
  readonly plan: { readonly id: string }
  readonly product: { readonly catalog: { readonly id: string }; readonly key: string }
}

interface Reference {
  readonly __typename: string
  readonly id?: string
  readonly key?: string
}

/** What every subgraph has for gateways; graphql-js knows no directives of Federation. */
const withEntities = `${reviewsSdl.replace(/^extend schema.*/, '').replaceAll(/@key\([^)]*\)/g, '')}
  scalar _Any
  union _Entity = Plan | CatalogProduct | Review
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`

/** Starts it on a free port; returns its URL, and what stops it. */
export async function startReviews(reviews: readonly Review[]): Promise<{ url: string; stop: () => void }> {
  const schema = buildSchema(withEntities)
  const entity = (reference: Reference) => ({
    ...reference,
    reviews: reviews.filter(({ plan, product }) =>
      reference.__typename === 'Plan' ? plan.id === reference.id : product.key === reference.key,
    ),
  })
  const rootValue = {
    reviews,
    _entities: ({ representations }: { representations: readonly Reference[] }) => representations.map(entity),
  }
  const server = createServer(async (req, res) => {
    const { query, variables } = JSON.parse(await text(req))
    const result = await graphql({ schema, source: query, variableValues: variables, rootValue })
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, stop: () => server.close() }
}
