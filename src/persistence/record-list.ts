/** Pages of whole tables, filtered and ordered, by keyset: one statement for a page, one for a total. Values are only ever parameters. */
import type { FilterClause } from '../domain/filter.ts'
import { isStorable } from '../domain/read.ts'
import type { RecordOrder } from '../domain/record-order.ts'
import type { Database } from './database.ts'
import { columnOf, type KeysetOrder, type KeysetWindow, keysetClauses, selectItem } from './keyset.ts'
import { statementName } from './statement-name.ts'

/** A table of records, told in names that the code wrote. */
export interface RecordList<Row, Item> {
  readonly table: string
  /** The members that a page reads, as `Row` has them. */
  readonly members: readonly (keyof Row & string)[]
  /** Members that clauses may name, and their columns' types; of an array one of the values must be in it. */
  readonly filters: Readonly<Record<string, 'text' | 'uuid' | 'text[]'>>
  readonly itemOf: (row: Row) => Item
}

export interface RecordQuery {
  /** All of them hold; their fields are members of the list's `filters`. */
  readonly clauses: readonly FilterClause[]
  readonly order: RecordOrder
}

export async function recordPage<Row extends object, Item>(
  database: Database,
  { table, members, filters, itemOf }: RecordList<Row, Item>,
  { clauses, order, ...window }: RecordQuery & KeysetWindow,
): Promise<Item[]> {
  const values: unknown[] = []
  const filtered = conditionsOf(clauses, filters, values)
  const { conditions, sorted } = keysetClauses(keysetOf(order), window, values)
  const where = whereOf([...filtered, ...conditions])
  const text = `SELECT ${selectItem(...members)} FROM ${table} i ${where} ${sorted} LIMIT $${values.push(window.limit)}`
  return (await database.query<Row>(nameOf(text), text, values)).map(itemOf)
}

export async function recordTotal<Row extends object, Item>(
  database: Database,
  { table, filters }: RecordList<Row, Item>,
  { clauses }: Pick<RecordQuery, 'clauses'>,
): Promise<number> {
  const values: unknown[] = []
  const text = `SELECT count(*) AS total FROM ${table} i ${whereOf(conditionsOf(clauses, filters, values))}`
  const [row] = await database.query<{ total: number }>(nameOf(text), text, values)
  return row?.total ?? 0
}

/** Names in the order of their code points, whatever the database's collation; equal ones by id. */
function keysetOf({ field, descending }: RecordOrder): KeysetOrder {
  const first = {
    createdAt: { column: 'i.created_at', type: 'timestamptz' },
    updatedAt: { column: 'i.updated_at', type: 'timestamptz' },
    name: { column: 'i.name COLLATE "C"', type: 'text' },
  } as const
  return { order: [first[field], { column: 'i.id', type: 'uuid' }], descending }
}

/** A text that can't be stored equals none. */
function conditionsOf(clauses: readonly FilterClause[], filters: RecordList<object, unknown>['filters'], values: unknown[]): string[] {
  return clauses.map(({ field, values: wanted }) => {
    const column = columnOf(field)
    const given = `$${values.push(wanted.filter(isStorable))}`
    return filters[field] === 'text[]' ? `i.${column} && ${given}::text[]` : `i.${column} = ANY (${given}::${filters[field]}[])`
  })
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
}

function nameOf(sql: string): string {
  return statementName({ sql, args: [] })
}
