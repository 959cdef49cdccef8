/**
 * Types of schema.graphql for gql.tada, which types the documents of the page /explore: src/generated/graphql-env.d.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'

const projectFile = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The text of graphql-env.d.ts. */
export function graphTypes(): string {
  const schema = buildSchema(readFileSync(projectFile('schema.graphql'), 'utf8'))
  const types = minifyIntrospection(introspectionFromSchema(schema))
  return outputIntrospectionFile(types, { fileType: '.d.ts', shouldPreprocess: true })
}

if (import.meta.filename === process.argv[1]) writeFileSync(projectFile('src/generated/graphql-env.d.ts'), graphTypes())
