// Template: a migrated, empty database in .build/, which the first start and the tests copy
// (src/persistence/database/pglite-folder.ts).
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, outputFile } from './build.mjs'

/** Bundles the programs and makes the template, unless that is done. */
export async function makeTemplate() {
  await import(pathToFileURL(outputFile(await build(), 'src/tools/database-template.ts')).href)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTemplate()
