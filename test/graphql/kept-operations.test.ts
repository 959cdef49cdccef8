import { type GraphQLObjectType, getOperationAST, isCompositeType, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createIsKept, keptNames } from '../../src/graphql/kept-operations.ts'
import { schema } from '../../src/graphql/schema.ts'

const isKept = createIsKept(schema)

function kept(text: string): boolean {
  const document = parse(text)
  expect(validate(schema, document)).toEqual([])
  const operation = getOperationAST(document, null)
  if (!operation) throw new Error('no operation')
  return isKept(document, operation)
}

const product = (fields: string) => `{ catalog(id: "a") { release(id: "latest") { product(sku: "S") { ${fields} } } } }`

describe('operations that may be answered again', () => {
  it('the names are those of the schema', () => {
    const query = schema.getQueryType() as GraphQLObjectType
    const missing = keptNames.filter((name) =>
      name.startsWith('Query.') ? !query.getFields()[name.slice('Query.'.length)] : !isCompositeType(schema.getType(name)),
    )
    expect(missing).toEqual([])
  })

  it('are queries of what is published, fragments included', () => {
    expect(kept(product('__typename name price { amount sale { name } }'))).toBe(true)
    expect(kept(`query { ...A } fragment A on Query ${product('name')}`)).toBe(true)
    expect(kept('{ node(id: "a") { ... on CatalogProduct { name } } }')).toBe(true)
  })

  it('are none that reach a record, however', () => {
    expect(kept(product('name price { priceBook { name } }'))).toBe(false)
    expect(kept(`query { ...A } fragment A on Query ${product('price { productPrice { sku } }')}`)).toBe(false)
    expect(kept('{ node(id: "a") { id ... on Subscription { currency } } }')).toBe(false)
    expect(kept('{ subscriptionProduct(id: "a") { name } }')).toBe(false)
    expect(kept('{ __schema { queryType { name } } }')).toBe(false)
  })

  it('are no mutations', () => {
    expect(kept('mutation { publishRelease(input: { catalogId: "a" }) { release { id } } }')).toBe(false)
  })
})
