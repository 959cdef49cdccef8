/** Words and codes of releases, among which a search looks for what is misspelt, cached within bounded memory. */
import { LRUCache } from 'lru-cache'
import { KnownCodes } from '../../domain/catalog/known-codes.ts'
import { KnownWords } from '../../domain/catalog/known-words.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { readWords } from './publish/release-words.ts'
import type { ReleaseTexts } from './release-texts.ts'
import { releaseCodes, releaseWords } from './search-sql.ts'

/** Bytes of all cached words and codes; that of a release is cached alone if it has more. */
const VOCABULARY_BYTES_MAX = 64 * 1024 * 1024
/** What a word takes in its indexes, and what a code takes, beside its text. */
const [WORD_BYTES, CODE_BYTES] = [120, 60]

type Vocabulary =
  | { readonly bytes: number; readonly words: KnownWords }
  | { readonly bytes: number; readonly codes: KnownCodes }

/** The words and codes of the releases that one process was asked for. */
export class ReleaseVocabulary {
  private readonly cache = new LRUCache<string, Vocabulary>({
    maxSize: VOCABULARY_BYTES_MAX,
    sizeCalculation: ({ bytes }) => Math.min(Math.max(bytes, 1), VOCABULARY_BYTES_MAX),
  })
  private readonly reads = new SingleFlight<string, Vocabulary>()

  constructor(private readonly texts: ReleaseTexts) {}

  /** The words of an analysed release. One statement when they are not cached. */
  async words(release: Release): Promise<KnownWords> {
    const found = await this.cached(`words ${release.id}`, async () => {
      const [row] = await this.texts.read(release, 'release_words', releaseWords, [])
      const text = row?.body ?? '{"words":""}'
      const words = readWords(text)
      return { bytes: text.length + words.size * WORD_BYTES, words: new KnownWords(words) }
    })
    return 'words' in found ? found.words : new KnownWords(new Map())
  }

  /** The SKUs of an analysed release. One statement when they are not cached. */
  async codes(release: Release): Promise<KnownCodes> {
    const found = await this.cached(`codes ${release.id}`, async () => {
      const [row] = await this.texts.read(release, 'release_codes', releaseCodes, [])
      const text = row?.body ?? '[[],[]]'
      const [documents, codes] = JSON.parse(text) as [documents: number[], codes: string[]]
      return { bytes: text.length + codes.length * CODE_BYTES, codes: new KnownCodes(documents, codes) }
    })
    return 'codes' in found ? found.codes : new KnownCodes([], [])
  }

  private async cached(key: string, read: () => Promise<Vocabulary>): Promise<Vocabulary> {
    const known = this.cache.get(key)
    if (known) return known
    return this.reads.run(key, async () => {
      const vocabulary = await read()
      this.cache.set(key, vocabulary)
      return vocabulary
    })
  }
}
