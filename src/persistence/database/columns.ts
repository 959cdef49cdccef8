/** Column names: the members of Prisma's models and the columns that they are stored in. */
import { Prisma } from '../../generated/prisma/client.ts'

/** A model by Prisma's name; the name of its table is the same in snake case. */
export type Model = Uncapitalize<Prisma.ModelName>

/** Columns that the database writes, which are no members of records. */
const versions = ['version', 'firstVersion']

/** The members of a model except its versions. */
export function membersOf(model: Model): string[] {
  const members = Prisma[`${model.charAt(0).toUpperCase()}${model.slice(1)}ScalarFieldEnum` as `${Prisma.ModelName}ScalarFieldEnum`]
  return Object.keys(members).filter((member) => !versions.includes(member))
}

/** A select list of all columns of a model except its versions; the statement names the table `i`. */
export function columnsOf(model: Model): string {
  return selectItem(...membersOf(model))
}

/** A select list of members: `i.external_ref AS "externalRef"` for each. */
export function selectItem(...names: readonly string[]): string {
  return names.map((name) => `i.${columnOf(name)} AS "${name}"`).join(', ')
}

/** An instant as SQL, in epoch milliseconds; `float8` where Prisma reads it, which makes a BigInt of a bigint. */
export function epochMs(instant: string, type: 'bigint' | 'float8' = 'bigint'): string {
  return `(extract(epoch FROM ${instant}) * 1000)::${type}`
}

/** The column of a member: `external_ref` for `externalRef`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
