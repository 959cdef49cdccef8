/** Suggestions at the end of errors of documents and variables. */
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { startTestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const release = (fields: string) => `{ storefront { latestRelease { ${fields} } } }`
const list = (filter: string) => release(`products(filter: ${filter}) { totalCount }`)
const ofVariable =
  'query ($filter: CatalogProductFilter) { storefront { latestRelease { products(filter: $filter) { totalCount } } } }'
const textForm = '{ contains: String, eq: String, in: [String!], startsWith: String }'

const cases: readonly [what: string, query: string, variables: Record<string, unknown>, message: string][] = [
  [
    'an argument that is a member of a key',
    release('product(sku: "ETH-YIRG") { name }'),
    {},
    'Unknown argument "sku" on field "Release.product". Did you mean "by: { sku: }"?',
  ],
  [
    'an argument that is a member of the filter',
    release('products(search: "mug") { totalCount }'),
    {},
    'Unknown argument "search" on field "Release.products". Did you mean "filter: { search: }"?',
  ],
  [
    'an argument that is a member of the input',
    'mutation { deleteProduct(id: "x") { userErrors { code } } }',
    {},
    'Unknown argument "id" on field "Mutation.deleteProduct". Did you mean "input: { id: }"?',
  ],
  [
    'a list in place of a filter',
    list('{ sku: ["A", "B"] }'),
    {},
    `Expected value of type "TextFilter", found ["A", "B"]. Did you mean ${textForm}?`,
  ],
  [
    'a text in place of a filter',
    list('{ sku: "A" }'),
    {},
    `Expected value of type "TextFilter", found "A". Did you mean ${textForm}?`,
  ],
  [
    'a list in place of a filter in a variable',
    ofVariable,
    { filter: { sku: ['A'] } },
    `Variable "$filter" got invalid value ["A"] at "filter.sku"; Expected type "TextFilter" to be an object. Did you mean ${textForm}?`,
  ],
  [
    'a list in place of a whole filter in a variable',
    ofVariable,
    { filter: ['A'] },
    expect.stringMatching(
      /Expected type "CatalogProductFilter" to be an object\. Did you mean \{ extension: .*, \.\.\. \}\?$/,
    ) as never,
  ],
  [
    'a text in place of a key',
    release('product(by: "ETH-YIRG") { name }'),
    {},
    expect.stringContaining('Did you mean { id: ID } or ') as never,
  ],
]

describe('an error says the form that its place takes', () => {
  test.each(cases)('an error says the form that its place takes: %s', async (_, query, variables, message) => {
    const { errors } = await server.gql(query, variables)
    expect(errors[0].message).toEqual(message)
  })

  test('a message of graphql-js stays as it is where no name is nearer', async () => {
    const messageOf = async (query: string) => (await server.gql(query)).errors[0].message
    expect(await messageOf(release('product(skuu: "x") { name }'))).toBe(
      'Unknown argument "skuu" on field "Release.product".',
    )
    expect(await messageOf('{ storefronts { name } }')).toBe(
      'Cannot query field "storefronts" on type "Query". Did you mean "storefront"?',
    )
  })

  test('in production errors suggest nothing', async () => {
    const production = await startTestServer(database, { config: { production: true } })
    try {
      for (const [, query, variables] of cases) {
        const { errors } = await production.gql(query, variables, { token: production.shopper })
        expect([query, errors[0].message.includes('Did you mean')]).toEqual([query, false])
      }
    } finally {
      await production.stop()
    }
  })
})
