/**
 * Typed clients: TypeScript of a frontend, compiled in a folder of its own beside the types that gql.tada makes of
 * schema.graphql.
 */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import { graphTypes } from '../../src/tools/graph-types.ts'

/** Copies the sources in `client` to `folder` and makes graphql-env.d.ts there. */
export function copyClient(client: string, folder: string): void {
  cpSync(client, folder, { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'graphql-env.d.ts'), graphTypes())
}
