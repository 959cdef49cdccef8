/**
 * Keyset pages of lists under parents: one statement for any number of parents with the same window, and one for their
 * totals.
 *
 * Values of clients (cursors) are only ever parameters. SQL, since Prisma's nested `take` with `relationLoadStrategy:
 * 'join'`, also one statement, takes twice the processor time. It also has no relation for bundles of an option, whose
 * parent is one of several ids, or for subscriptions of an account, which is no record.
 */
import { formatInstant } from '../../domain/input/instant.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { absentSortOrder, orderKinds, type RecordOrder } from '../../domain/input/record-order.ts'
import { columnOf, columnsOf, selectItem } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type AddParameter, parametersOf } from '../database/query.ts'
import { assertFewValues, sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'
import type { RecordSource } from '../database/table.ts'
import { loadersBy } from './loader.ts'

/** The order of a list. */
export interface KeysetOrder {
  /** The columns of the order, which together are unique. */
  readonly order: readonly { readonly column: string; readonly type: 'timestamptz' | 'uuid' | 'int8' | 'text' }[]
  readonly descending?: boolean
}

/** A list under a parent, described in SQL that the code writes. `i` is the table of the items. */
export interface KeysetList<Row> extends KeysetOrder {
  /** `offering_plan l JOIN plan i ON i.id = l.plan_id` */
  readonly from: string
  /** The column of the parent's id; with `among` it is a column with an array of ids that contains the parent's. */
  readonly parent: string
  readonly among?: boolean
  /** A further condition on items: its SQL with the parameter in place, and the parameter's value. */
  readonly where?: { readonly sql: (parameter: string) => string; readonly value: string | number }
  /** The select list of an item, under the names of `Row`. */
  readonly columns: string
  /** Members that hold several values. A clause matches when one of the values does. */
  readonly arrays?: readonly string[]
  /** Never set; carries the type of rows. */
  readonly row?: Row
}

/** A window of a list. All clauses hold on members of `i`. An order of records replaces the list's own. */
export interface ListWindow extends KeysetWindow {
  readonly clauses?: readonly RecordClause[]
  readonly order?: RecordOrder
}

/** Loaders of a list's pages and of its length, by the parent's id. */
export function keysetList<Row extends object, Item>(list: KeysetList<Row>, toItem: (row: Row) => Item) {
  const pages = keysetPages(list, toItem)
  const totals = keysetTotals(list)
  return (database: Database) => ({ pages: pages(database), totals: totals(database) })
}

/** As `keysetList`, for the records of a table by creation. `list` says what is different. */
export function recordsUnder<Row extends object, Item>(
  { model, members, fromRow, arrays = [] }: RecordSource<Row, Item>,
  parent: string,
  list: Partial<KeysetList<Row>> = {},
) {
  const columns = members ? selectItem(...members) : columnsOf(model)
  return keysetList(
    {
      from: `${columnOf(model)} i`,
      parent,
      columns,
      arrays,
      ...keysetOrder({ field: 'createdAt', descending: false }),
      ...list,
    },
    fromRow,
  )
}

/**
 * Loaders, one for each window, of a parent's items in the window's order. One statement for each distinct window,
 * filter and order.
 */
function keysetPages<Row extends object, Item>(list: KeysetList<Row>, toItem: (row: Row) => Item) {
  const path = { name: pathOf(list), label: labelOf(list, 'pages') }
  return loadersBy<ListWindow, string, readonly Item[]>(
    ({ id, clauses, order }) => (clauses || order ? JSON.stringify([id, clauses, order]) : id),
    (window) => ({ ...path, none: [], read: (on, parentIds) => itemsByParent(on, list, toItem, parentIds, window) }),
  )
}

/** Loaders, one for each filter, of the number of items under a parent. One statement for any number of parents. */
export function keysetTotals<Row extends object>(list: KeysetList<Row>) {
  const path = { name: `total ${pathOf(list)}`, label: labelOf(list, 'totals') }
  return loadersBy<readonly RecordClause[], string, number>(JSON.stringify, (clauses) => ({
    ...path,
    none: 0,
    read: async (on, ids) => {
      const { values, add } = parametersOf(ids)
      const conditions = [underParent(list), ...whereOf({ ...list, clauses }, add)].join(' AND ')
      const text = `SELECT p.id, (SELECT count(*) FROM ${list.from} WHERE ${conditions}) AS total FROM unnest($1::uuid[]) AS p (id)`
      const rows = await queryText<{ id: string; total: number }>(on, text, values)
      return new Map(rows.map(({ id, total }) => [id, total]))
    },
  }))
}

async function itemsByParent<Row extends object, Item>(
  database: Database,
  list: KeysetList<Row>,
  toItem: (row: Row) => Item,
  parentIds: readonly string[],
  window: ListWindow,
): Promise<ReadonlyMap<string, Item[]>> {
  const { from, columns } = list
  const { values, add } = parametersOf(parentIds, window.limit)
  const { conditions, sorted } = keysetClauses(window.order ? keysetOrder(window.order) : list, window, add)
  conditions.push(...whereOf({ ...list, ...window }, add))
  const text = `
    SELECT p.id AS "pageOf", item.* FROM unnest($1::uuid[]) AS p (id) CROSS JOIN LATERAL (
      SELECT ${columns}, row_number() OVER (${sorted}) AS "rowInPage"
      FROM ${from} WHERE ${[underParent(list), ...conditions].join(' AND ')} ${sorted} LIMIT $2
    ) item ORDER BY item."rowInPage"`
  const pages = new Map<string, Item[]>()
  for (const { pageOf, rowInPage: _, ...row } of await queryText<Row & { pageOf: string; rowInPage: number }>(
    database,
    text,
    values,
  )) {
    const items = pages.get(pageOf) ?? []
    items.push(toItem(row as unknown as Row))
    pages.set(pageOf, items)
  }
  return pages
}

/** The conditions and the ORDER BY of a window. */
export function keysetClauses(
  { order, descending = false }: KeysetOrder,
  { after, before, reverse }: Pick<KeysetWindow, 'after' | 'before' | 'reverse'>,
  add: AddParameter,
): { conditions: string[]; sorted: string } {
  const bound = (key: readonly (string | number)[]): string => {
    const parameters = order.map(({ type }, index) => `${add(parameter(type, key[index]))}::${type}`)
    return `(${parameters.join(', ')})`
  }
  const keys = `(${order.map(({ column }) => column).join(', ')})`
  const conditions: string[] = []
  if (after) conditions.push(`${keys} ${descending ? '<' : '>'} ${bound(after)}`)
  if (before) conditions.push(`${keys} ${descending ? '>' : '<'} ${bound(before)}`)
  const direction = descending === reverse ? 'ASC' : 'DESC'
  return { conditions, sorted: `ORDER BY ${order.map(({ column }) => `${column} ${direction}`).join(', ')}` }
}

/** The name of a list's access path, without the window. */
function pathOf({ columns, from, parent, among, order, descending, where }: KeysetList<unknown>): string {
  return `${parent} ${among} of ${from} by ${order.map(({ column }) => column).join()} ${descending} with ${where?.value}: ${columns}`
}

/** What is read of a list's items, for traces: `plan pages by offering_id`. */
function labelOf({ from, parent }: Pick<KeysetList<unknown>, 'from' | 'parent'>, what: string): string {
  const [, table = ''] = /(\w+) i\b/.exec(from) ?? /FROM (\w+)/.exec(from) ?? /(\w+)/.exec(from) ?? []
  return `${table} ${what} by ${parent.slice(parent.indexOf('.') + 1)}`
}

/** The further conditions of a list. */
function whereOf(
  { where, arrays = [], clauses = [] }: Pick<KeysetList<unknown>, 'where' | 'arrays'> & Pick<ListWindow, 'clauses'>,
  add: AddParameter,
): string[] {
  assertFewValues(clauses)
  const filter = clauses.map((clause) =>
    sqlCondition(`i.${columnOf(clause.field)}`, clause, add, arrays.includes(clause.field)),
  )
  return where ? [where.sql(add(where.value)), ...filter] : filter
}

const columnTypes = { instant: 'timestamptz', text: 'text', integer: 'int8' } as const

/**
 * The order of records as an order of columns of a table. Texts are ordered by code point, whatever the collation of
 * their column.
 */
export function keysetOrder({ field, descending }: RecordOrder, table = 'i'): KeysetOrder {
  const type = columnTypes[orderKinds[field]]
  const value = `${table}.${columnOf(field)}`
  const column = field === 'sortOrder' ? `coalesce(${value}, ${absentSortOrder(descending)})` : value
  const first = { column: type === 'text' ? `${column} COLLATE "C"` : column, type }
  return { order: [first, { column: `${table}.id`, type: 'uuid' }], descending }
}

function underParent({ parent, among = false }: Pick<KeysetList<unknown>, 'parent' | 'among'>): string {
  return among ? `${parent} @> ARRAY[p.id]` : `${parent} = p.id`
}

function parameter(type: string, value: string | number | undefined): unknown {
  return type === 'timestamptz' ? formatInstant(value as number) : value
}
