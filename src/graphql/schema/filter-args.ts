import type { InputRef } from '@pothos/core'
import type { Context } from '../../request/context.ts'
import { withReader } from './argument-reader.ts'
import { builder } from './builder.ts'

/**
 * The argument `filter` of a list; `read` makes conditions of the filter and throws DomainError (badRequest) for an
 * invalid one.
 */
export function filterArgs<Filter>(
  type: InputRef<Filter>,
  description: string,
  read: (filter: Filter | null | undefined, ctx: Context) => unknown,
) {
  return builder.args((t) => ({
    filter: t.field({
      type,
      description,
      ...withReader((args: { filter?: Filter | null }, ctx: Context) => read(args.filter, ctx)),
    }),
  }))
}
