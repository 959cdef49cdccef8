/** The schema that a URL of PostgreSQL names by `?schema=`, as Prisma's URLs do. */

/** Maximum bytes of a name in PostgreSQL, which truncates longer ones. */
const NAME_MAX_BYTES = 63

/** The value of `?schema=`; null without one. */
export function schemaParameter(url: string): string | null {
  // A socket's path or a broken URL is refused where it is read.
  return URL.canParse(url) ? new URL(url).searchParams.get('schema') : null
}

/** What is wrong with a URL's `?schema=`, to complete "DATABASE_URL ..."; null for nothing. */
export function schemaProblem(url: string): string | null {
  const named = URL.canParse(url) ? new URL(url).searchParams.getAll('schema') : []
  if (named.length > 1) return 'names more than one ?schema='
  return named.every(isSchemaName)
    ? null
    : `needs as ?schema= a name of 1 to ${NAME_MAX_BYTES} bytes without quotation marks and control characters that does not begin with pg_`
}

/** Whether Prisma can read tables in a schema of this name: it does not escape quotation marks. */
export function isSchemaName(name: string): boolean {
  const bytes = Buffer.byteLength(name)
  return bytes > 0 && bytes <= NAME_MAX_BYTES && !/["\p{Cc}\u{FFFD}]|^pg_|^information_schema$/u.test(name)
}
