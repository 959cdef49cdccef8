/** Typed clients: TypeScript of a frontend, compiled in a folder of its own beside the types that gql.tada makes of schema.graphql. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { projectRoot } from '../../src/config/project-root.ts'

/** Copies the sources in `client` to `folder` and makes graphql-env.d.ts there. */
export function copyClient(client: string, folder: string): void {
  const schema = buildSchema(readFileSync(join(projectRoot, 'schema.graphql'), 'utf8'))
  const types = minifyIntrospection(introspectionFromSchema(schema))
  cpSync(client, folder, { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'graphql-env.d.ts'), outputIntrospectionFile(types, { fileType: '.d.ts', shouldPreprocess: true }))
}
