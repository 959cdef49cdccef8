/**
 * A second implementation of what a search finds as it is spelt (search.words-all-match), for names of few words: it
 * compares texts word by word, without an index, and knows neither lexemes nor positions.
 */
import { isStopWord, stemsOf } from '../../src/domain/language/stems.ts'

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u

/** The text in lower case without accents, in simple forms. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .normalize('NFC')
}

/** Words of letters, of digits, and runs, in their order. */
function partsOf(text: string): string[] {
  return folded(text).match(/\d+|(?:(?!\d)[\p{L}\p{M}])+/gu) ?? []
}

/** Whether a name has every word of a search in a language, the last one as a beginning. */
export function nameMatches(name: string, search: string, language: string): boolean {
  const parts = partsOf(name)
  const words = search.split(' ')
  const saysLittle = words.map(
    (word) => isStopWord(word.toLowerCase(), language) || isStopWord(word.toLowerCase(), 'en'),
  )
  const isNeeded = (at: number): boolean => saysLittle.every(Boolean) || !saysLittle[at]
  const stems = (word: string) => new Set(['en', language].flatMap((one) => stemsOf(word, one)))
  return words.every((word, place) => {
    if (!isNeeded(place)) return true
    const wanted = partsOf(word)
    // What is written without a space stands together in the name.
    return parts.some((_, from) =>
      wanted.every((one, at) => {
        const part = parts[from + at] ?? ''
        if (RUN.test(one)) return part.includes(one)
        const isEnd = place === words.length - 1 && at === wanted.length - 1
        const isForm = [...stems(one)].some((stem) => part === stem || stems(part).has(stem))
        return part === one || (isEnd && part.startsWith(one)) || isForm
      }),
    )
  })
}
