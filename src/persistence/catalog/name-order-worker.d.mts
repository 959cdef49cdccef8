/** The ranks of names among those of all languages, by language, as they are stored. */
export type StoredOrder = readonly (readonly [
  language: string,
  documents: readonly number[],
  ranks: readonly number[],
])[]

export type NamesByLanguage = readonly (readonly [
  language: string,
  documents: readonly number[],
  names: readonly string[],
])[]

/**
 * The rank of each name among those of all languages; names that the language takes for equal have equal ranks.
 * `collation` is a locale of Intl; `former` is the order of another release in the same collation, made by the same
 * version of ICU, or empty.
 */
export function rankNames(collation: string, names: NamesByLanguage, former: StoredOrder): StoredOrder
