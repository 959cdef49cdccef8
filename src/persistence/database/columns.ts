/** Column names: the members of Prisma's models and the columns that they are stored in. */
import { Prisma } from '../../generated/prisma/client.ts'

/** A model by Prisma's name; the name of its table is the same in snake case. */
export type Model = Uncapitalize<Prisma.ModelName>

/** Columns that only the database writes, so they are no members of records. */
const versions = ['version', 'firstVersion']

/** The members of a model except its versions. */
export function membersOf(model: Model): string[] {
  const members =
    Prisma[`${model.charAt(0).toUpperCase()}${model.slice(1)}ScalarFieldEnum` as `${Prisma.ModelName}ScalarFieldEnum`]
  return Object.keys(members).filter((member) => !versions.includes(member))
}

/** The columns of a model as Prisma reads them. */
export type ScalarsOf<M extends Model> = Prisma.TypeMap['model'][Capitalize<M>]['payload']['scalars']
type MemberOf<M extends Model> = keyof ScalarsOf<M> & string

/** The members of a model that hold instants, each of which must be named. */
export type InstantsOf<M extends Model> = Readonly<
  Record<{ [Member in MemberOf<M>]: ScalarsOf<M>[Member] extends Date | null ? Member : never }[MemberOf<M>], true>
>

type InSnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${InSnakeCase<Rest>}`
  : Name

/** A value for each column of a model except its versions, as raw statements write them. */
export type ColumnValues<M extends Model> = Readonly<
  Record<InSnakeCase<Exclude<MemberOf<M>, 'version' | 'firstVersion'>>, unknown>
>

/** A record as raw statements read it, in the form of the domain: instants in epoch milliseconds. */
export interface EntityColumns {
  /** A select list: `p.external_ref AS "externalRef"` for each member. */
  readonly list: string
  /** A JSON object. */
  readonly json: string
}

/**
 * The columns of a row that a statement names `row`: all members of the model except its versions and those of
 * `without`. So each statement has a column as soon as the model has it.
 */
export function entityColumns<M extends Model>(
  model: M,
  row: string,
  instants: InstantsOf<M>,
  without: readonly MemberOf<M>[] = [],
): EntityColumns {
  const columns = membersOf(model)
    .filter((member) => !(without as readonly string[]).includes(member))
    .map((member) => {
      const column = `${row}.${columnOf(member)}`
      return [member, member in instants ? epochMs(column, 'float8') : column] as const
    })
  return {
    list: columns.map(([member, sql]) => `${sql} AS "${member}"`).join(', '),
    json: `json_build_object(${columns.map(([member, sql]) => `'${member}', ${sql}`).join(', ')})`,
  }
}

/** A select list of all columns of a model except its versions; the statement names the table `i`. */
export function columnsOf(model: Model): string {
  return selectItem(...membersOf(model))
}

/** A select list of members: `i.external_ref AS "externalRef"` for each. */
export function selectItem(...names: readonly string[]): string {
  return names.map((name) => `i.${columnOf(name)} AS "${name}"`).join(', ')
}

/**
 * An instant as SQL, in epoch milliseconds. Use `float8` where Prisma reads it, since Prisma makes a BigInt of a
 * bigint.
 */
export function epochMs(instant: string, type: 'bigint' | 'float8' = 'bigint'): string {
  return `(extract(epoch FROM ${instant}) * 1000)::${type}`
}

/** The column of a member: `external_ref` for `externalRef`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * The characters that are invisible by `isVisible` (domain/input/text.ts), as PostgreSQL's regular expressions write
 * them.
 */
const hidden = [
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f',
  '\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8',
  '\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff',
].join('')

/** SQL for whether a text has a visible character, whatever the locale of the database. */
export function isVisibleSql(text: string): string {
  return `${text} ~ '[^${hidden}]'`
}
