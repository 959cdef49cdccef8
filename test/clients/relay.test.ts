/** Relay: what its compiler makes of the schema, and what its store shows of a list page by page. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildSchema, getNamedType, isObjectType, isRequiredArgument } from 'graphql'
import { createOperationDescriptor, fetchQuery, getSingularSelector, type SingularReaderSelector } from 'relay-runtime'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { createEnvironment } from './relay/src/environment.ts'
import { categoryProducts, path } from './support/category.ts'
import { copyClient, expectTyped } from './support/client-folder.ts'
import { expectNoWarnings } from './support/console.ts'
import { server } from './support/server.ts'

expectNoWarnings()

/** Runs relay-compiler in a frontend's folder; throws what it rejects. */
function compileDocuments(folder: string): void {
  copyFileSync(join(projectRoot, 'schema.graphql'), join(folder, 'schema.graphql'))
  const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js')
  execFileSync(process.execPath, [compiler, 'relay.config.json'], { cwd: folder, stdio: 'pipe' })
}

test('relay-compiler accepts every connection of the schema, and refetches those of nodes', () => {
  const schema = buildSchema(readFileSync(join(projectRoot, 'schema.graphql'), 'utf8'))
  const fragments = Object.values(schema.getTypeMap()).flatMap((type) => {
    const fields = isObjectType(type) ? Object.values(type.getFields()) : []
    const connections = fields.filter((field) => getNamedType(field.type).name.endsWith('Connection'))
    const isNode = isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')
    return connections.map(({ name, args }) => {
      const key = `Every_${type.name}_${name}`
      const refetchable = isNode ? `@refetchable(queryName: "${key}_Query")` : ''
      const required = args.filter(isRequiredArgument).map((arg) => `, ${arg.name}: "x"`)
      const list = `${name}(first: $first, after: $after${required.join('')}) @connection(key: "${key}") { edges { node { __typename } } }`
      const page = '@argumentDefinitions(first: { type: "Int" }, after: { type: "String" })'
      return `graphql\`fragment ${key} on ${type.name} ${refetchable} ${page} { ${list} }\``
    })
  })
  expect(fragments.length).toBeGreaterThan(30)
  const folder = copyClient('relay')
  writeFileSync(join(folder, 'src/Every.ts'), ["import { graphql } from 'relay-runtime'", ...fragments].join('\n'))
  compileDocuments(folder)
  expect(
    readdirSync(join(folder, 'src/__generated__')).filter((file) => /^Every.*(?<!_Query)\.graphql\.ts$/.test(file)),
  ).toHaveLength(fragments.length)
})

test('a paginated fragment of Relay compiles against the schema, and its list grows page by page without a product twice or missing', async () => {
  const folder = copyClient('relay')
  compileDocuments(folder)
  await expectTyped(folder, 'src/products.ts', {
    'a number as a string': ['amount: number | undefined', 'amount: string | undefined'],
    'a field that was not selected': ['price?.amount.amount', 'price?.amount.formatted'],
  })

  const artifact = async (name: string) => (await import(join(folder, `src/__generated__/${name}.graphql.ts`))).default
  const { productsOf } = await import(join(folder, 'src/products.ts'))
  const [query, fragment] = [await artifact('ProductListQuery'), await artifact('ProductList_node')]
  const environment = createEnvironment(`${server.url}/graphql`, server.shopper)
  const variables = { path, currency: 'EUR' }
  const operation = createOperationDescriptor(query, variables)
  environment.retain(operation)
  await fetchQuery(environment, query, variables).toPromise()
  const page = environment.lookup(operation.fragment).data as {
    storefront: { latestRelease: { node: { category: object } } }
  }
  const selector = getSingularSelector(fragment, page.storefront.latestRelease.node.category) as SingularReaderSelector
  const shown = () =>
    environment.lookup(selector).data as {
      id: string
      products: { pageInfo: { endCursor: string; hasNextPage: boolean } }
    }

  const products = await categoryProducts('EUR')
  for (const length of [5, 10, 13]) {
    expect(productsOf(shown())).toEqual(products.slice(0, length).map(({ name, amount }) => ({ name, amount })))
    const { id, products: list } = shown()
    expect(list).toMatchObject({ totalCount: 13, pageInfo: { hasNextPage: length < 13 } })
    const more = { id, currency: 'EUR', first: 5, after: list.pageInfo.endCursor }
    if (length < 13) await fetchQuery(environment, fragment.metadata.refetch.operation, more).toPromise()
  }
})
