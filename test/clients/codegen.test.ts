/** graphql-codegen: the types that it generates from schema.graphql, in a frontend that is compiled and run. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typedDocumentNode from '@graphql-codegen/typed-document-node'
import * as typescriptOperations from '@graphql-codegen/typescript-operations'
import { buildSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { copyClient, expectTyped } from './support/client-folder.ts'
import { server } from './support/server.ts'

const schema = readFileSync(join(projectRoot, 'schema.graphql'), 'utf8')

/** Writes what codegen.json says to graph.ts beside the sources. */
async function generate(folder: string): Promise<void> {
  const { generates } = JSON.parse(readFileSync(join(folder, 'codegen.json'), 'utf8'))
  const { plugins, config } = generates['src/graph.ts'] as { plugins: string[]; config: Record<string, unknown> }
  const documents = [
    { location: 'products.graphql', document: parse(readFileSync(join(folder, 'products.graphql'), 'utf8')) },
  ]
  const pluginMap = { 'typescript-operations': typescriptOperations, 'typed-document-node': typedDocumentNode }
  const text = await codegen({
    ...{ filename: 'graph.ts', schema: parse(schema), schemaAst: buildSchema(schema), documents, config, pluginMap },
    plugins: plugins.map((name) => ({ [name]: {} })),
  })
  writeFileSync(join(folder, 'graph.ts'), text)
}

/** Each changes the program in one place. */
const wrong: Readonly<Record<string, readonly [string, string]>> = {
  'a field that was not selected': ['price.amount.amount', 'price.amount.formatted'],
  'a result that may be null': ["status === 'LIVE' && price ?", "status === 'LIVE' ?"],
  'a number as a string': ['): number[] {', '): string[] {'],
  'a variable that is missing': ["currency: 'EUR', ", ''],
  'a variable of another type': ["currency: 'EUR'", 'currency: 978'],
  'a filter that there is not': ['tags: {', 'tag: {'],
  'a value that the enum lacks': ["'LIVE'", "'SOLD'"],
}

test('a program with the generated types compiles and runs, and no faulty variant of it compiles', async () => {
  const folder = copyClient('codegen')
  await generate(folder)
  const { page } = await import(join(folder, 'products.ts'))
  expect(await page(`${server.url}/graphql`, server.shopper)).toEqual([
    expect.any(Number),
    expect.any(Number),
    expect.any(Number),
  ])

  await expectTyped(folder, 'products.ts', wrong)
})
