/** A page as a storefront asks the graph for it, for a process that has answered nothing yet: its first shopper is then not the first. */
import { parse, validate } from 'graphql'
import type { ReadPage } from '../operations/warm-up.ts'
import { createExecutor } from './executor.ts'
import { schema } from './schema.ts'

const text = `query WarmUp($catalog: ID!, $hierarchy: ID!) {
  catalog(id: $catalog) { release(id: "latest") { hierarchy(id: $hierarchy) { name products {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      id name sku slug description
      price { amount list { amount } sale { name } changesAt }
      displayPrice { withTax { amount formatted } }
      originalDisplayPrice { withTax { amount formatted } }
      breadCrumbs { node { name } ancestors { name } }
    }
  } } } }
}`

/** What it answers rejects with the first error that the graph tells. */
export function createReadPage(): ReadPage {
  // What is asked for the first time is interpreted.
  const execute = createExecutor(schema, { compiling: false })
  return async (ctx, page) => {
    const document = parse(text)
    const [invalid] = validate(schema, document)
    const { errors = [] } = invalid ? { errors: [invalid] } : await execute({ document, variables: page }, ctx)
    if (errors[0]) throw errors[0]
  }
}
