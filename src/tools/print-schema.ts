/**
 * Printer of schema.graphql and src/rest/openapi.json: `npm run schema:print` writes them. With `--check` it only
 * compares, for `npm run check`, as tests do too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/project-root.ts'
import { schemaText } from '../graphql/schema/schema-text.ts'
import { schema } from '../graphql/schema.ts'
import { openApiText } from '../rest/routes.ts'

const texts = { 'schema.graphql': schemaText(schema), 'src/rest/openapi.json': openApiText() }

for (const [name, printed] of Object.entries(texts)) {
  const file = join(projectRoot, name)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, printed)
  } else if (readFileSync(file, 'utf8') !== printed) {
    console.error(`${name} is not what the code serves.`)
    process.exitCode = 1
  }
}
