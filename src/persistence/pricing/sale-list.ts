/**
 * Lists of sales over all prices and books. A page by book, by name or of all sales is read from an index in its order.
 *
 * SQL, since names are looked up by the index of their md5, which Prisma can't name.
 */
import { formatInstant } from '../../domain/input/instant.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import { comparesValues, type RecordClause } from '../../domain/input/record-filter.ts'
import type { Sale } from '../../domain/pricing/product-price.ts'
import { columnOf, entityColumns } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type AddParameter, parametersOf } from '../database/query.ts'
import { sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'
import type { RecordQuery } from '../database/table.ts'
import { keysetClauses, keysetOrder } from '../loading/keyset.ts'

/** Which sales to list: all clauses hold. */
export interface SaleQuery extends Pick<RecordQuery, 'clauses'> {
  /** The sales that run at this instant, in epoch milliseconds; null: any. */
  readonly runningAt: number | null
}

/** The columns of a sale `s`. */
export const saleColumns = entityColumns(
  'sale',
  's',
  { validFrom: true, validTo: true, createdAt: true, updatedAt: true },
  ['priceBookId'],
)

/** A window of the sales that match, by creation or by last change. One statement. */
export function salePage(
  database: Database,
  { order, after, before, limit, reverse, ...query }: SaleQuery & Pick<RecordQuery, 'order'> & KeysetWindow,
): Promise<Sale[]> {
  const { values, add, where } = conditionsOf(query)
  const { conditions, sorted } =
    order.field === 'updatedAt'
      ? keysetClauses(keysetOrder(order, 's'), { after, before, reverse }, add)
      : keysetClauses(
          { ...idOrder, descending: order.descending },
          { after: idOf(after), before: idOf(before), reverse },
          add,
        )
  const text = `SELECT ${saleColumns.list} FROM sale s WHERE ${[...where, ...conditions].join(' AND ')} ${sorted} LIMIT ${add(limit)}`
  return queryText<Sale>(database, text, values)
}

/** The order of creation: ids begin with its instant (newId). */
const idOrder = { order: [{ column: 's.id', type: 'uuid' }] } as const

/** The id in a key of the order of creation, which has the instant too. */
function idOf(key: KeysetWindow['after']): KeysetWindow['after'] {
  return key?.slice(1) ?? null
}

/** The number of sales that match. One statement. */
export async function saleTotal(database: Database, query: SaleQuery): Promise<number> {
  const { values, where } = conditionsOf(query)
  const text = `SELECT count(*)::float8 AS total FROM sale s WHERE ${where.join(' AND ')}`
  const [row] = await queryText<{ total: number }>(database, text, values)
  return row?.total ?? 0
}

function conditionsOf({ clauses, runningAt }: SaleQuery) {
  const { values, add } = parametersOf()
  const where = ['true', ...clauses.map((clause) => conditionOf(clause, add))]
  if (runningAt !== null) {
    const at = `${add(formatInstant(runningAt))}::timestamptz`
    where.push(`(s.valid_from IS NULL OR s.valid_from <= ${at}) AND (s.valid_to IS NULL OR s.valid_to > ${at})`)
  }
  return { values, add, where }
}

function conditionOf(clause: RecordClause, add: AddParameter): string {
  if (!comparesValues(clause)) return sqlCondition(`s.${columnOf(clause.field)}`, clause, add)
  const [first, ...others] = clause.values
  if (first === undefined) return 'false'
  if (clause.field === 'priceBookId') return `s.price_book_id = ${add(first)}::uuid`
  const names = add([first, ...others])
  // A single name gets its own condition, with which the index of names is read in the order of ids.
  return others.length === 0
    ? `md5(s.name) = md5((${names}::text[])[1]) AND s.name = (${names}::text[])[1]`
    : `md5(s.name) = ANY (ARRAY(SELECT md5(name) FROM unnest(${names}::text[]) AS n (name))) AND s.name = ANY (${names}::text[])`
}
