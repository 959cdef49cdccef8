/** Symbols by what people call them, in whatever language: signs (search.signs-beside-words) and units. */
import { foldCase, withoutAccents } from './fold-text.ts'

/** The symbol of each name, folded and without accents. The names of a row have spaces between them. */
export function symbolsByName(
  rows: readonly (readonly [symbol: string, names: string])[],
): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([symbol, names]) => names.split(' ').map((name) => [withoutAccents(foldCase(name)), symbol])),
  )
}
