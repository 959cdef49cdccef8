import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { graphChanges } from '../../src/tools/graph-changes.ts'

const before = `
  directive @access(role: Role!) on OBJECT | FIELD_DEFINITION
  enum Role { ACCOUNT ADMIN SHOPPER }
  enum Status { ACTIVE PAUSED }
  input NewProduct { sku: String name: String = "x" }
  type Product { sku: String! name: String cost: Int @access(role: ADMIN) margin: Int @access(role: ACCOUNT) }
  type Account @access(role: ACCOUNT) { id: ID! }
  type Book { id: ID! }
  union Found = Product
  type Query { product(sku: String, first: Int = 25): Product status: Status found: Found account: Account book: Book }
  type Mutation { create(input: NewProduct): Product }
`

const changed = async (...replaced: [string, string][]) => {
  const after = replaced.reduce((text, [from, to]) => text.replace(from, to), before)
  expect(after).not.toBe(before)
  return (await graphChanges(before, after)).map(({ level, place }) => `${level} ${place}`)
}

test.each([
  ['a removed field', 'name: String cost', 'cost', ['breaking Product.name']],
  ['a field that may be null now', 'sku: String!', 'sku: String', ['breaking Product.sku']],
  ['an argument made required', 'product(sku: String,', 'product(sku: String!,', ['breaking Query.product.sku']],
  ['a required argument that is new', 'product(', 'product(shop: ID!, ', ['breaking Query.product.shop']],
  ['a removed argument', 'sku: String, first', 'first', ['breaking Query.product.sku']],
  ['another default of an argument', 'first: Int = 25', 'first: Int = 50', ['dangerous Query.product.first']],
  ['another default of an input', '= "x"', '= "y"', ['dangerous NewProduct.name']],
  ['an input made required', '{ sku: String name', '{ sku: String! name', ['breaking NewProduct.sku']],
  ['a value added to an enum', 'ACTIVE PAUSED', 'ACTIVE PAUSED ENDED', ['dangerous Status.ENDED']],
  ['a value removed from an enum', 'ACTIVE PAUSED', 'ACTIVE', ['breaking Status.PAUSED']],
  ['a type added to a union', 'union Found = Product', 'union Found = Product | Book', ['dangerous Found']],
  [
    'a field kept from shoppers',
    'name: String cost',
    'name: String @access(role: ADMIN) cost',
    ['breaking Product.name.@access'],
  ],
  ['a type kept from shoppers', 'type Book', 'type Book @access(role: ACCOUNT)', ['breaking Book.@access']],
  ['a field opened to all', 'cost: Int @access(role: ADMIN)', 'cost: Int', ['dangerous Product.cost.@access']],
  ['a new field', 'type Book {', 'type Book { name: String secret: Int @access(role: ADMIN)', []],
  ['a new optional argument', 'product(', 'product(shop: ID, ', ['dangerous Query.product.shop']],
  ['a new optional member of an input', 'input NewProduct {', 'input NewProduct { shop: ID', []],
  ['a new type', 'type Book {', 'type Shop { id: ID! } type Book {', []],
  ['a description', 'type Book', '"A book." type Book', []],
])('a change of schema.graphql: %s', async (_name, from, to, found) => {
  expect(await changed([from, to])).toEqual(found)
})

test('a role that was enough for a field and is not any more is breaking, a lower one is not', async () => {
  expect(await changed(['@access(role: ACCOUNT) }', '@access(role: ADMIN) }'])).toContain(
    'breaking Product.margin.@access.role',
  )
  expect(await changed(['@access(role: ADMIN) margin', '@access(role: ACCOUNT) margin'])).toEqual([
    'dangerous Product.cost.@access.role',
  ])
})

test('schema.graphql compared with itself has no changes', async () => {
  const text = readFileSync(join(projectRoot, 'schema.graphql'), 'utf8')
  expect(await graphChanges(text, text)).toEqual([])
})
