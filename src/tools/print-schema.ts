/** Printer of schema.graphql: `npm run schema:print` writes it, with `--check` it only compares, for `npm run check`. A test does too. */
import { readFileSync, writeFileSync } from 'node:fs'
import { schemaText } from '../graphql/schema/schema-text.ts'
import { schema } from '../graphql/schema.ts'

const file = new URL('../../schema.graphql', import.meta.url)
const printed = schemaText(schema)

if (!process.argv.includes('--check')) {
  writeFileSync(file, printed)
} else if (readFileSync(file, 'utf8') !== printed) {
  console.error('schema.graphql is not what the code serves.')
  process.exitCode = 1
}
