/** Typed clients: TypeScript of a frontend, compiled in a folder of its own beside the types that gql.tada makes of schema.graphql. */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

/** The compiler's errors in `folder`, one a line, by file name. */
export async function compileClient(folder: string): Promise<string[]> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) =>
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    ),
  )
  const errors = output.match(/^\S+?\(\d+,\d+\): error.*$/gm) ?? []
  if (failed !== errors.length > 0) throw new Error(output)
  return errors
}
