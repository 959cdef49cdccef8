/**
 * The Accept-Language header (language.best-accepted-tag, language.tags-of-one-language, money.formatted-by-locale;
 * RFC 9110 12.5.4).
 */
import { LRUCache } from 'lru-cache'
import { areOfOneLanguage, tagsInOrder } from './language-tag.ts'
import { LANGUAGE_TAG_MAX } from './locale.ts'

const range = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/

/** Ranges of a header that are read; real headers have fewer, and further ones are ignored. */
const RANGES_MAX = 50
/** Characters; a longer header is treated as malformed. */
export const HEADER_MAX = 4096

/** Parsed headers are cached: a page reads the same one for each of its texts and prices. */
const HEADERS_CACHED = 500
const cache = new LRUCache<string, AcceptedLanguages>({ max: HEADERS_CACHED })

/** The languages of an Accept-Language header. */
export interface AcceptedLanguages {
  /** Language tags, best first, in the order given where qualities are equal. */
  readonly accepted: readonly string[]
  /** Language tags with q=0. */
  readonly excluded: readonly string[]
  /** The tags to look up, in lowercase, with their rank: those of each range (`tagsInOrder`). */
  readonly lookupOrder: ReadonlyMap<string, number>
}

/** Headers of `shownLanguages` by store language, which a process has one of: a page asks for each of its texts. */
const shown = new Map<string, LRUCache<string, string>>()

const none: AcceptedLanguages = { accepted: [], excluded: [], lookupOrder: new Map() }

/** The language tags of a header; `*` and malformed ranges are left out, and a malformed header has none. */
export function acceptedLanguages(header: string | null): AcceptedLanguages {
  if (header === null || header.length > HEADER_MAX) return none
  const cached = cache.get(header)
  if (cached) return cached
  const text = ownText(header)
  const languages = readLanguages(text)
  cache.set(text, languages)
  return languages
}

/** A key that is the same for headers with the same meaning. */
export function languageKey(header: string | undefined): string {
  const { accepted, excluded } = acceptedLanguages(header ?? null)
  return excluded.length === 0 ? accepted.join() : `${accepted.join()};${excluded.join()}`
}

/**
 * The header without the languages that are accepted after that of the store, in which default texts are
 * (language.default-text-in-its-turn).
 */
export function shownLanguages(header: string | null, storeLanguage: string): string | null {
  if (header === null || !header.includes(',')) return header
  const ofStore = shown.get(storeLanguage) ?? new LRUCache<string, string>({ max: HEADERS_CACHED })
  shown.set(storeLanguage, ofStore)
  const known = ofStore.get(header)
  if (known !== undefined) return known
  const { accepted, excluded } = acceptedLanguages(header)
  const isOfStore = accepted.map((tag) => areOfOneLanguage(tag, storeLanguage))
  const place = isOfStore.indexOf(true)
  const kept = accepted.filter((_, at) => place < 0 || at < place || isOfStore[at])
  const text = ownText([...kept, ...excluded.map((tag) => `${tag};q=0`)].join())
  if (header.length <= HEADER_MAX) ofStore.set(ownText(header), text)
  return text
}

function readLanguages(header: string): AcceptedLanguages {
  const ranges = header.split(',', RANGES_MAX).flatMap((text) => {
    const [, tag, quality = '1'] = range.exec(text) ?? []
    return tag === undefined || tag === '*' || tag.length > LANGUAGE_TAG_MAX ? [] : [{ tag, quality: Number(quality) }]
  })
  const sorted = ranges.filter(({ quality }) => quality > 0).sort((left, right) => right.quality - left.quality)
  const accepted = sorted.map(({ tag }) => tag)
  return {
    accepted,
    excluded: ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag),
    lookupOrder: lookupOrderOf(accepted),
  }
}

function lookupOrderOf(accepted: readonly string[]): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const tag of accepted.flatMap(tagsInOrder)) if (!order.has(tag)) order.set(tag, order.size)
  return order
}

/** A copy of the text: a substring, such as an argument of a document, would keep the whole document in memory. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
