import { Prisma } from '../../generated/prisma/client.ts'

/** Prisma's name of a model; its table's is the same in snake case. */
export type Model = Uncapitalize<Prisma.ModelName>

/** The members of a model, its version apart. */
export function membersOf(model: Model): string[] {
  const members = Prisma[`${model.charAt(0).toUpperCase()}${model.slice(1)}ScalarFieldEnum` as `${Prisma.ModelName}ScalarFieldEnum`]
  return Object.keys(members).filter((member) => member !== 'version')
}

/** All of a model's columns, its version apart, of a row that a statement calls `i`. */
export function columnsOf(model: Model): string {
  return selectItem(...membersOf(model))
}

/** `i.external_ref AS "externalRef"` for every name. */
export function selectItem(...names: readonly string[]): string {
  return names.map((name) => `i.${columnOf(name)} AS "${name}"`).join(', ')
}

/** `external_ref` of `externalRef`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
