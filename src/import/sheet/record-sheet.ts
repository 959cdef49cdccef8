/**
 * Sheet of records: the table of a type's columns, made of the definition of its records (sheet.record-columns).
 *
 * It tells the import what a column means and the export what cells a record has, so that both know the same columns.
 */
import { key } from '../../domain/input/errors.ts'
import { uuid } from '../../domain/input/formats.ts'
import { pathOf, type RecordDefinition, restNameOf } from '../../domain/input/record-definition.ts'
import type { Member, Members } from '../../domain/input/record-members.ts'
import { nearestTo } from '../../domain/input/unknown-members.ts'
import { compareCodePoints } from '../../lib/code-point.ts'
import { type CellResult, readText } from './cells.ts'
import { segmentsOf } from './column-name.ts'
import { type ColumnsOf, columnsByKind } from './member-columns.ts'
import { type RecordColumn, RecordRow, type SheetMember } from './record-row.ts'
import type { SheetKind } from './sheet.ts'
import type { Holds } from './workbook-bytes.ts'

/** A stored record of any type; `isShared` where another one has the same key in sheets. */
export type AnyRecord = { readonly id: string; readonly isShared?: boolean } & Readonly<Record<string, unknown>>

/** The sheets of one type of records. */
export interface RecordSheet extends SheetKind<RecordColumn> {
  /** The columns that a record has a value for, by name, with their cells. */
  cells(record: AnyRecord): ReadonlyMap<string, string>
  /** REST's names of the members that have a value and no column. */
  leftOut(record: AnyRecord): readonly string[]
  /** The columns of an export in which each of `names` is used: the keys, then the others in their order. */
  order(names: Iterable<string>): readonly string[]
  /** What the cells of a column are in a workbook. */
  holds(name: string): Holds
  /** The names of the columns that an export always has. */
  readonly always: readonly string[]
}

/** What a sheet says beyond the definition of its records. */
export interface SheetForm<M extends Members> {
  /** The text by which a row finds its record, before `external_ref`. */
  readonly natural?: keyof M & string
  /** Columns of members whose kind has none, or whose names are others; null where another column says it. */
  readonly columns?: { readonly [Name in keyof M]?: ColumnsOf | null }
}

const idColumn: RecordColumn = { member: null, path: ['id'], part: [], read: readId }

/** The sheets of records of a definition. */
export function recordSheet<M extends Members>(
  definition: RecordDefinition<M>,
  { natural, columns = {} }: SheetForm<M> = {},
): RecordSheet {
  const { type } = definition
  const all = Object.entries<Member>(definition.members)
  const first: readonly string[] = natural === undefined ? ['externalRef'] : [natural, 'externalRef']
  const ordered = [
    ...first.flatMap((name) => all.filter(([one]) => one === name)),
    ...all.filter(([name]) => !first.includes(name)),
  ]
  const own = columns as Readonly<Record<string, ColumnsOf | null>>
  const members = ordered.flatMap(([name, member]): SheetMember[] => {
    const of = own[name] === undefined ? columnsByKind(member) : own[name]
    const restName = restNameOf(name, member)
    return of ? [{ name, restName, path: pathOf(name, member), columns: of(restName) }] : []
  })
  const without = all.filter(([name]) => own[name] !== null && !members.some((one) => one.name === name))
  const keys = ['id', ...members.slice(0, first.length).flatMap(({ columns: of }) => of.shown)]
  const shown = ['id', ...members.flatMap(({ columns: of }) => of.shown)]

  const parse = (name: string): RecordColumn | undefined => {
    if (name === 'id') return idColumn
    const segments = segmentsOf(name)
    for (const { name: member, path, columns: of } of members) {
      const column = of.parse(segments)
      if (column) return { ...column, member, path: [...path, ...column.part.map(key)] }
    }
    return undefined
  }
  const placeOf = (name: string): number => {
    const [own = ''] = segmentsOf(name)
    const column = parse(name)
    const place = members.findIndex(({ restName }) => restName === (column?.beside ?? own))
    // What stands beside a column that the sheet lacks, as `slug.de` of nodes, stands where its member does.
    return place < 0 ? members.findIndex((one) => one.name === column?.member) : place
  }

  return {
    type,
    keys,
    parse,
    identity: (name) => name.toLowerCase(),
    unknown: (name) => {
      const segments = segmentsOf(name)
      const nearest = nearestTo(name, ['id', ...members.flatMap(({ columns: of }) => of.like(segments))])
      return nearest === undefined
        ? `is unknown, allowed are ${shown.join(', ')}`
        : `is unknown, did you mean ${nearest}?`
    },
    pathOf: ({ path }) => path,
    row: () => new RecordRow(type, members, keys),
    cells: (record) => {
      const isFound = record[natural ?? 'externalRef'] !== null && record.isShared !== true
      const cells = members.flatMap(({ name, columns: of }) => of.cells(record[name]))
      return new Map([...(isFound ? [] : [['id', record.id] as const]), ...cells])
    },
    holds: (name) => parse(name)?.holds ?? 'text',
    leftOut: (record) =>
      without.filter(([name]) => isValue(record[name])).map(([name, member]) => restNameOf(name, member)),
    always: members.flatMap(({ columns: { shown: names } }) => names.filter((name) => parse(name)?.part.length === 0)),
    order: (names) =>
      [...names].sort((left, right) => placeOf(left) - placeOf(right) || compareCodePoints(left, right)),
  }
}

function readId(cell: string): CellResult<string> {
  const text = readText(cell)
  if (!('value' in text)) return text
  const wrong = uuid(text.value)
  return wrong === undefined ? text : { code: 'INVALID_FORMAT', message: wrong }
}

/** Whether a member holds something: no null, and no list or map without entries. */
function isValue(value: unknown): boolean {
  return typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : value !== undefined
}
