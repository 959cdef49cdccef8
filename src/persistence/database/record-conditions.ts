/** Conditions of statements for the clauses of a list's filter: for Prisma, and as SQL. */
import { badRequest } from '../../domain/input/errors.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { comparesValues, type RecordClause } from '../../domain/input/record-filter.ts'
import type { AddParameter } from './query.ts'

/**
 * The most values of a filter: Prisma makes each a parameter, and a statement has at most 32,766. More values throw
 * badRequest.
 */
export const FILTER_VALUES_MAX = 30_000

/** Throws badRequest for a filter with too many values. */
export function assertFewValues(clauses: readonly RecordClause[]): void {
  const count = clauses.reduce((sum, clause) => sum + (comparesValues(clause) ? clause.values.length : 1), 0)
  if (count > FILTER_VALUES_MAX)
    throw badRequest('TOO_MANY', ['filter'], `must have at most ${FILTER_VALUES_MAX} values`)
}

/** The columns of spans of time that are asked for, with their types. */
const spanColumns = {
  phase: ['phase', 'text'],
  planId: ['plan_id', 'uuid'],
  paused: ['paused', 'boolean'],
  canceled: ['canceled', 'boolean'],
} as const

/** Prisma's condition for a clause. Members in `arrays` have several values, one of which must match. */
export function prismaCondition(clause: RecordClause, arrays: readonly string[]): object {
  if (comparesValues(clause))
    return { [clause.field]: { [arrays.includes(clause.field) ? 'hasSome' : 'in']: clause.values } }
  if (clause.op === 'span') {
    const at = new Date(clause.at)
    return { spans: { some: { fromAt: { lte: at }, untilAt: { gt: at }, [clause.field]: inValues(clause.values) } } }
  }
  if (clause.op === 'ahead') return { OR: [{ [clause.field]: null }, { [clause.field]: { gt: new Date(clause.at) } }] }
  return { [clause.field]: prismaComparison(clause) }
}

/** Prisma has no `in` for booleans. */
function inValues(values: readonly (string | boolean)[]): unknown {
  return typeof values[0] === 'boolean' ? values[0] : { in: values }
}

function prismaComparison(clause: Exclude<RecordClause, { values: unknown } | { op: 'ahead' }>): unknown {
  switch (clause.op) {
    case 'is':
      return clause.value
    case 'from':
      return { gte: new Date(clause.at) }
    case 'before':
      return { lt: new Date(clause.at) }
    case 'passed':
      return { lte: new Date(clause.at) }
    default:
      // Prisma makes a LIKE pattern of the text without escaping it.
      return { [clause.op]: clause.text.replace(/[\\%_]/g, '\\$&') }
  }
}

/**
 * SQL's condition for a clause on a column, which is a uuid where its name ends in `_id`. In an array one value must
 * match.
 */
export function sqlCondition(column: string, clause: RecordClause, add: AddParameter, isArray = false): string {
  if (comparesValues(clause)) {
    const values = `${add(clause.values)}::${column.endsWith('_id') ? 'uuid' : 'text'}[]`
    return isArray ? `${column} && ${values}` : `${column} = ANY (${values})`
  }
  switch (clause.op) {
    case 'is':
      return `${column} = ${add(clause.value)}::boolean`
    case 'from':
      return `${column} >= ${add(formatInstant(clause.at))}::timestamptz`
    case 'before':
      return `${column} < ${add(formatInstant(clause.at))}::timestamptz`
    case 'passed':
      return `${column} <= ${add(formatInstant(clause.at))}::timestamptz`
    case 'span': {
      const at = `${add(formatInstant(clause.at))}::timestamptz`
      const [name, type] = spanColumns[clause.field]
      return `EXISTS (SELECT FROM subscription_span s WHERE s.subscription_id = i.id AND s.from_at <= ${at} AND s.until_at > ${at} AND s.${name} = ANY (${add(clause.values)}::${type}[]))`
    }
    case 'ahead':
      return `(${column} IS NULL OR ${column} > ${add(formatInstant(clause.at))}::timestamptz)`
    default: {
      const text = `${add(clause.text)}::text`
      return clause.op === 'startsWith' ? `starts_with(${column}, ${text})` : `strpos(${column}, ${text}) > 0`
    }
  }
}
