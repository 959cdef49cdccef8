/** Statement names: which of Prisma's statements a connection prepares once. */
import { createHash } from 'node:crypto'

/** Texts that get a name at most: a connection holds each prepared statement until it closes. */
const NAMED = 500
/** Parameters beyond which a text gets no name: each length of a list of values is a text of its own. */
const MANY_PARAMETERS = 32

const names = new Map<string, string>()

/** The name under which a connection prepares a statement once; '' to prepare it each time. */
export function statementName({ sql, args }: { sql: string; args: readonly unknown[] }): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (args.length > MANY_PARAMETERS || names.size >= NAMED) return ''
  const name = `p_${createHash('sha1').update(sql).digest('hex')}`
  names.set(sql, name)
  return name
}
