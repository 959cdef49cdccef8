/** The texts of documents by language, with the hash under which what is made of them is stored. */
import { createHash } from 'node:crypto'
import { type Analyser, type ProductTexts, type SearchText, searchTextOf } from '../../../domain/catalog/search-text.ts'
import { isTranslation, type Locales } from '../../../domain/language/locale.ts'
import { primaryLanguage } from '../../../domain/language/stems.ts'
import { tallyOf, type WordTally } from './release-words.ts'

/** The texts of a document as they are stored. */
export interface StoredTexts {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly sku: string | null
  readonly partNumber: string | null
  readonly upcEan: string | null
  readonly tags: readonly string[] | null
  readonly locales: Locales | null
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
  const { name, description, locales } = stored
  const codes = [stored.sku ?? '', stored.partNumber ?? '', stored.upcEan ?? '']
  const texts: [language: string, texts: ProductTexts][] = [['', { name, description, codes, tags: stored.tags ?? [] }]]
  for (const [tag, { name: ownName, description: ownDescription }] of Object.entries(locales ?? {})) {
    if (!isTranslation(ownName) && !isTranslation(ownDescription)) continue
    const own = { name: isTranslation(ownName) ? ownName : name, description: ownDescription ?? null }
    texts.push([tag.toLowerCase(), { ...own, codes: [], tags: [] }])
  }
  return texts.map(([language, own]) => {
    const stems = primaryLanguage(language === '' ? analyser.storeLanguage : language)
    const analyse = () => {
      const { words, ...text } = searchTextOf(own, stems)
      return { ...text, words: tallyOf(words.named, words.mentioned) }
    }
    return { document: stored.id, language, hash: hashOf([analyser.id, stems, own]), analyse }
  })
}

/** 128 bits as a uuid. Nobody gains from two texts of one hash, but no client shall find such texts. */
function hashOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
