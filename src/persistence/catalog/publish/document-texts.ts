/** The texts of documents by language, with the hash under which what is made of them is stored. */
import { hash } from 'node:crypto'
import { type Analyser, type ProductTexts, type SearchText, searchTextOf } from '../../../domain/catalog/search-text.ts'
import { type Texts, textsByLanguage } from '../../../domain/language/language.ts'
import { primaryLanguage } from '../../../domain/language/stems.ts'
import { tallyOf, type WordTally } from './release-words.ts'

/** The texts of a document as they are stored. */
export interface StoredTexts extends Texts {
  readonly id: number
  readonly sku: string | null
  readonly partNumber: string | null
  readonly upcEan: string | null
  readonly tags: readonly string[] | null
}

/** The texts of a document in a language. */
export interface DocumentTexts {
  readonly document: number
  /** In lower case, '' for the default texts. */
  readonly language: string
  readonly hash: string
  readonly analyse: () => SearchText & { readonly words: WordTally }
}

/** The default texts, with codes and tags, and those of each language that has one. */
export function textsOf(stored: StoredTexts, analyser: Analyser): DocumentTexts[] {
  const codes = [stored.sku ?? '', stored.partNumber ?? '', stored.upcEan ?? '']
  const coded = { codes, tags: stored.tags ?? [] }
  const texts = textsByLanguage(stored).map(([language, own]): [language: string, texts: ProductTexts] => [
    language,
    { ...own, ...(language === '' ? coded : { codes: [], tags: [] }) },
  ])
  return texts.map(([language, own]) => {
    const stems = primaryLanguage(language === '' ? analyser.storeLanguage : language)
    const analyse = () => {
      const { words, ...text } = searchTextOf(own, stems)
      return { ...text, words: tallyOf(words.named, words.mentioned) }
    }
    return { document: stored.id, language, hash: hashOf([analyser.id, stems, own]), analyse }
  })
}

/**
 * 128 bits as a uuid, as PostgreSQL writes it. Nobody gains from two texts of one hash, but no client shall find such
 * texts.
 */
function hashOf(parts: unknown): string {
  const hex = hash('sha256', JSON.stringify(parts))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
