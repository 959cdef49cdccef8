import { readFileSync, writeFileSync } from 'node:fs'
import { getIntrospectedSchema, minifyIntrospectionQuery } from '@urql/introspection'

/** Writes the types and fields of a schema file for urql's cache, without scalars, enums and inputs. */
export function writeSchema(from: string, to: string): void {
  writeFileSync(to, JSON.stringify(minifyIntrospectionQuery(getIntrospectedSchema(readFileSync(from, 'utf8')))))
}
