import type { EnumRef } from '@pothos/core'
import { builder } from './builder.ts'
import type { Types } from './graph-types.ts'

/** Adds an enum whose values are words in capitals; `words` has the description of each. */
export function wordEnum<Word extends string>(
  name: string,
  description: string,
  words: Readonly<Record<Word, string>>,
): EnumRef<Types, Word> {
  const values = Object.entries<string>(words).map(([word, meaning]) => [
    word.toUpperCase(),
    { value: word, description: meaning },
  ])
  return builder.enumType(name, { description, values: Object.fromEntries(values) }) as unknown as EnumRef<Types, Word>
}
