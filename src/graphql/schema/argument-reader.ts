/**
 * Argument readers: validation of arguments, attached to the schema. A reader is a pure function that throws on invalid
 * arguments and needs no stored data. So the arguments in a mutation's selection can be validated before the mutation
 * writes (selection-check.ts).
 */
import type { GraphQLArgument } from 'graphql'
import { badRequest, type Path } from '../../domain/input/errors.ts'
import type { Context } from '../../request/context.ts'

type ArgumentReader = (args: never, ctx: Context) => unknown

/**
 * Options of an argument that attach its reader. The reader gets all arguments of the field. Where arguments are read
 * together, one of them has the reader.
 */
export function withReader(reader: ArgumentReader): { readonly extensions: { readonly reader: ArgumentReader } } {
  return { extensions: { reader } }
}

/** The reader of an argument; undefined where it has none. */
export function readerOf(argument: GraphQLArgument): ArgumentReader | undefined {
  return (argument.extensions as { reader?: ArgumentReader }).reader
}

/**
 * Throws DomainError (badRequest) at `path` for a list with more than `max` entries. Null and undefined have no
 * entries.
 */
export function assertCount(list: readonly unknown[] | null | undefined, max: number, path: Path): void {
  if (list != null && list.length > max) throw badRequest('TOO_MANY', path, `must have at most ${max} entries`)
}
