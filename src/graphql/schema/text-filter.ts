/**
 * Text filters: their members, the input type of published products, and the clauses that they stand for
 * (filter.clauses-all-hold).
 */
import { badRequest, type Path } from '../../domain/input/errors.ts'
import type { TextClause } from '../../domain/input/record-filter.ts'
import { isStorable } from '../../domain/input/text.ts'
import { builder } from './builder.ts'
import type { InputBuilder } from './define-mutation.ts'

export function textFilterFields(t: InputBuilder) {
  return {
    eq: t.string({ description: 'Exactly this.' }),
    in: t.stringList({ description: 'One of these.' }),
    startsWith: t.string({ description: 'Begins with this.' }),
    contains: t.string({ description: 'Has this anywhere; no index helps, so it takes longest on long lists.' }),
  }
}

export const TextFilter = builder.inputType('TextFilter', {
  description: 'What a text must be, capitals and small letters apart; all that is given holds.',
  fields: textFilterFields,
})

/**
 * The clauses of a text filter. `name` is the name of the field in the input. Null means absent, and an empty list
 * matches nothing. Throws DomainError (badRequest) for invalid texts.
 */
export function textClauses(
  field: string,
  filter: typeof TextFilter.$inferInput | null | undefined,
  name = field,
): TextClause[] {
  for (const text of [filter?.eq, ...(filter?.in ?? []), filter?.startsWith, filter?.contains])
    assertText(text, ['filter', name])
  const parts = (['startsWith', 'contains'] as const).flatMap((op): TextClause[] => {
    const text = filter?.[op]
    return text == null ? [] : [{ op, field, text }]
  })
  return [
    ...(filter?.eq == null ? [] : [{ op: 'eq' as const, field, values: [filter.eq] }]),
    ...(filter?.in == null ? [] : [{ op: 'in' as const, field, values: filter.in }]),
    ...parts,
  ]
}

/**
 * Throws DomainError (badRequest) for text that PostgreSQL can't store, and refuses even in queries
 * (value.text-can-be-stored).
 */
export function assertText(text: string | null | undefined, path: Path): void {
  if (text == null || isStorable(text)) return
  throw badRequest('INVALID_TEXT', path, 'must not hold U+0000 or a lone surrogate')
}
