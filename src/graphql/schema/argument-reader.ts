/**
 * Arguments that name their reader: the pure function that reads them when the field is resolved, and throws on what it refuses. It needs
 * nothing that is stored, so a mutation's selection can be read before the mutation writes (selection-check.ts).
 */
import type { GraphQLArgument } from 'graphql'
import type { Context } from '../../request/context.ts'

type ArgumentReader = (args: never, ctx: Context) => unknown

/** What an argument's options say of its reader, which is given all arguments of the field. Of arguments read together one names it. */
export function withReader(reader: ArgumentReader): { readonly extensions: { readonly reader: ArgumentReader } } {
  return { extensions: { reader } }
}

export function readerOf(argument: GraphQLArgument): ArgumentReader | undefined {
  return (argument.extensions as { reader?: ArgumentReader }).reader
}
