/** Raw statements: named prepared statements, and how their values are read. */
import pg from 'pg'

/** A pool, or one of its connections inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>

const { INT8 } = pg.types.builtins
const INT8_ARRAY: number = 1016
const TEXT_ARRAY: number = 1009
const UUID_ARRAY: number = 2951

const int8Array = pg.types.getTypeParser(INT8_ARRAY, 'text') as (text: string) => (string | null)[]
const textArray = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => (string | null)[]

/**
 * The types of result values. int8 and its arrays are numbers, and an integer beyond 2^53-1 throws a RangeError
 * (value.numbers-never-rounded). All others are pg's: timestamptz a Date, jsonb parsed, bytea a Buffer. They are passed
 * with each statement instead of set globally, since Prisma's adapter parses the same connections in its own way.
 */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === INT8) return safeInteger
    if (oid === INT8_ARRAY)
      return (text: string) => int8Array(text).map((item) => (item === null ? null : safeInteger(item)))
    if (oid === TEXT_ARRAY || oid === UUID_ARRAY) return (text: string) => (text === '{}' ? [] : textArray(text))
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/**
 * Runs a named prepared statement and resolves to its rows. A name must stand for one text, which a connection parses
 * and plans once. `values` are $1, $2, ...; `text` must not contain input of clients.
 */
export async function namedQuery<Row extends object>(
  on: Queryable,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await on.query<Row>({ name, text, values: [...values], types })
  return rows
}

/** Runs a statement whose text comes once, so that it is not prepared, and resolves to its rows. */
export async function unnamedQuery<Row extends object>(on: Queryable, text: string): Promise<Row[]> {
  const { rows } = await on.query<Row>({ text, types })
  return rows
}

/** Adds a value to those of a statement, and returns its place, such as $3. */
export type AddParameter = (value: unknown) => string

/** The values of a statement; the first ones may be known already. */
export function parametersOf(...values: unknown[]): { values: unknown[]; add: AddParameter } {
  return { values, add: (value) => `$${values.push(value)}` }
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the integers that a number holds exactly`)
  return value
}
