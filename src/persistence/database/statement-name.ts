/** Statement names: which of Prisma's statements a connection prepares once, and what traces call a statement. */
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'
import type { Statement } from './statement-observer.ts'

/**
 * The most texts that get a name, which the first ones do. A connection holds each prepared statement until it closes,
 * even if an LRU evicted its name.
 */
const NAMED = 500
/** Parameters beyond which a text gets no name: each length of a list of values makes another text. */
const MANY_PARAMETERS = 32

/** The prefix of the names of Prisma's statements; a hash follows. */
const HASH = 'p_'

const names = new Map<string, string>()

/** The name under which a connection prepares a statement once; '' to prepare it each time. */
export function statementName({ sql, args }: { sql: string; args: readonly unknown[] }): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (args.length > MANY_PARAMETERS || names.size >= NAMED) return ''
  const name = `${HASH}${createHash('sha1').update(sql).digest('hex')}`
  names.set(sql, name)
  return name
}

/**
 * Runs a statement whose text the code puts together, under the name of that text. The text must not contain input of
 * clients.
 */
export function queryText<Row extends object>(
  database: Database,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return database.query(statementName({ sql: text, args: [] }), text, values)
}

/**
 * What traces call a statement: the name that the code gave it, or else its verb and the first table that it names. For
 * a text of several statements, the first one counts.
 */
export function summaryOf({ text, name }: Statement): string {
  if (name && !name.startsWith(HASH)) return name
  const [first = ''] = text.split(';', 1)
  const [verb = ''] = /\w+/.exec(first) ?? []
  const [, table] =
    /\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s+(?:(?:"[^"]+"|public)\.)?"?([a-z_]+)\b"?(?![.(])/.exec(first) ?? []
  return table ? `${verb.toUpperCase()} ${table}` : verb.toUpperCase()
}
