/** Schema printer: `npm run schema:print` writes schema.graphql, which a test compares with the served schema. */
import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../graphql/schema.ts'

writeFileSync(new URL('../../schema.graphql', import.meta.url), `${printSchema(schema)}\n`)
