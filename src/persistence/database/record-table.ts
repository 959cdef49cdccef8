/** Record tables: how a defined record is stored. A member without a fitting column does not compile. */
import type { RecordDefinition, RecordOf, StoredOf } from '../../domain/input/record-definition.ts'
import type { Member, Members } from '../../domain/input/record-members.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Model, ScalarsOf } from './columns.ts'
import { jsonOrNull } from './json.ts'
import type { RecordLists } from './record-lists.ts'
import type { ListedTable, RecordSource, Table } from './table.ts'

type RowOf<Name extends Model> = Omit<ScalarsOf<Name>, 'version' | 'firstVersion'>
type ColumnOf<Name extends Model> = keyof RowOf<Name> & string
type StampOf = 'id' | 'createdAt' | 'updatedAt'

/** `Member` when the column fits the member, else a sentence that says why not. */
type Fitting<Column, M extends Member> = M extends { readonly column: 'json' }
  ? [Prisma.JsonValue] extends [Column]
    ? Member
    : 'the column is no Json'
  : [Column] extends [M extends { readonly kind: 'word' } ? string | null : StoredOf<M>]
    ? [Extract<StoredOf<M>, null>] extends [Column]
      ? Member
      : 'the column can not be null'
    : 'the column has another type'

type StoredElsewhere = { readonly column: 'none' } | { readonly hasColumn: false }

type FittingMembers<Name extends Model, M extends Members, Apart, Lists> = {
  readonly [K in Exclude<ColumnOf<Name>, StampOf | Apart>]: K extends keyof M
    ? Fitting<ScalarsOf<Name>[K], M[K]>
    : Member
} & {
  readonly [K in Exclude<keyof M, ColumnOf<Name>>]: M[K] extends StoredElsewhere
    ? K extends Lists
      ? Member
      : 'there is no list'
    : 'there is no column: add it to schema.prisma, then npm run generate'
}

interface TableOptions<Item, Own, Other, Lists extends string>
  extends Pick<Table<never, Item>, 'arrays' | 'where' | 'scopeOf' | 'toLog'> {
  /** Columns that are members of the stored record and not of its definition, such as the id of its book. */
  readonly own?: readonly Own[]
  /** Columns that the table does not write. */
  readonly others?: readonly Other[]
  /** The members that are lists in tables of their own. */
  readonly lists?: RecordLists<Lists>
}

/** The table of a defined record. A compile error names the member or the column that the other side lacks. */
export function recordTable<
  Name extends Model,
  M extends Members,
  Own extends ColumnOf<Name> = never,
  Other extends ColumnOf<Name> = never,
  Lists extends keyof M & string = never,
>(
  model: Name,
  record: RecordDefinition<M> & { readonly members: FittingMembers<Name, M, Own | Other, Lists> },
  options: TableOptions<RecordOf<M> & Pick<RowOf<Name>, Own>, Own, Other, Lists> = {},
) {
  type Item = RecordOf<M> & Pick<RowOf<Name>, Own>
  type Row = Omit<RowOf<Name>, Other>
  const { own = [], others: _, ...rest } = options
  const members = Object.entries<Member>(record.members)
  const columns = members.filter(([, member]) => isStoredHere(member))
  type Values = Readonly<Record<string, unknown>>
  const copied = (values: Values) => own.map((name) => [name, values[name]])
  const table = {
    model,
    ...rest,
    fromRow: (row: Row): Item => {
      const values: Values = row
      // Lists are there when the row was read with them.
      const read = members.filter(([name]) => name in values)
      return {
        id: values.id,
        ...Object.fromEntries([...copied(values), ...read.map(([name]) => [name, values[name]])]),
        createdAt: (values.createdAt as Date).getTime(),
        updatedAt: (values.updatedAt as Date).getTime(),
      } as Item
    },
    toRow: (item: Item) => {
      const values: Values = item
      return {
        id: item.id,
        ...Object.fromEntries(copied(values)),
        ...Object.fromEntries(columns.map(([name, member]) => [name, toColumn(member, values[name])])),
        createdAt: new Date(item.createdAt),
        updatedAt: new Date(item.updatedAt),
      }
    },
  }
  return table as unknown as [Lists] extends [never] ? Table<Row, Item> : ListedTable<Row, Item, Lists>
}

/** The rows of a table alone, as pages and loaders read them. */
export function rowsOf<Row, Item, Lists extends string>({
  lists: _,
  toRow: __,
  ...rows
}: ListedTable<Row, Item, Lists>): RecordSource<Row, Omit<Item, Lists>> {
  return rows
}

function isStoredHere(member: Member): boolean {
  switch (member.kind) {
    case 'links':
      return member.hasColumn
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.column !== 'none'
    case 'text':
    case 'word':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'link':
      return true
  }
}

function toColumn(member: Member, value: unknown): unknown {
  return 'column' in member && member.column === 'json' ? jsonOrNull(value as object | null) : value
}
