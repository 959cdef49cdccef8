/** Signs that say something beside a word (search.signs-beside-words): 100%, C++, #5, and the lengths 55″ and 6′. */
import { symbolsByName } from './symbols-by-name.ts'

/** What a sign after a number is called, by language: inches, feet and percent. */
const CALLED: readonly (readonly [sign: string, words: string])[] = [
  ['″', 'in inch inches Zoll pouce pouces pulgada pulgadas polegada polegadas pollice pollici tum tomme tommer'],
  ['″', 'tuuma tuumaa tuuman hüvelyk hüvelykes cal cala cale cali palec palce palců inç țoli coliai collas'],
  ['″', 'дюйм дюйма дюймов дюймы дюймовый дюймів дюйми инч инча ίντσα ίντσες ιντσών אינץ אינטש بوصة انش إنش اینچ'],
  ['″', 'इंच დიუმი 英寸 英吋 吋 インチ 인치 นิ้ว'],
  ['′', 'ft foot feet'],
  ['%', 'percent Prozent pourcent procent prosent prosenttia procento procenta процент процента процентов'],
]
const signs = symbolsByName(CALLED)

/** The sign that a word after a number names, without accents; undefined for other words. */
export function signOfWord(word: string): string | undefined {
  return signs.get(word)
}

/** Whether a text of `foldCase` may have signs. */
export function hasSigns(text: string): boolean {
  return /[#+%"']/.test(text)
}

const SPACED = /(\d)\s([%"])(?![\p{L}\p{N}])/gu

/** A text of `foldCase` without the space between a number and its sign. */
export function withoutSpacedSigns(text: string): string {
  return /\s[%"]/.test(text) ? text.replace(SPACED, '$1$2') : text
}

/** The sign of a word in the characters that separate it from the next one, or end its chunk; else empty. */
export function signOf(characters: string, isNumber: boolean, isEnd: boolean): string {
  if (isNumber && characters.startsWith('%')) return '%'
  if (!isEnd) return ''
  if (characters === '"') return '″'
  if (characters === "'") return '′'
  return /^[+#]+$/.test(characters) ? characters : ''
}
