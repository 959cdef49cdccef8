import { createHash } from 'node:crypto'

/** How many texts get a name. A connection keeps each prepared until it closes, so their number is bounded. */
const NAMED = 500
/** A list of values is as many parameters, so each length is a text of its own: long ones are prepared each time. */
const MANY_PARAMETERS = 32

const names = new Map<string, string>()

/** The name under which a connection prepares one of Prisma's statements once, '' to prepare it each time. */
export function statementName({ sql, args }: { sql: string; args: readonly unknown[] }): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (args.length > MANY_PARAMETERS || names.size >= NAMED) return ''
  const name = `p_${createHash('sha1').update(sql).digest('hex')}`
  names.set(sql, name)
  return name
}
