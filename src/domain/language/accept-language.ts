/** The Accept-Language header (language.best-accepted-tag, money.formatted-by-locale; RFC 9110 12.5.4). */
import { LRUCache } from 'lru-cache'
import { LANGUAGE_TAG_MAX } from './locale.ts'

const range = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/

/** No honest header names more, or is longer; one that is reads as malformed. */
const RANGES_MAX = 50
export const HEADER_MAX = 4096

/** Read headers are remembered: a page reads the same one for every text and price on it. */
const HEADERS_KEPT = 500
const known = new LRUCache<string, AcceptedLanguages>({ max: HEADERS_KEPT })

export interface AcceptedLanguages {
  /** Best first, in the order given where qualities are equal. */
  readonly accepted: readonly string[]
  /** Those with q=0. */
  readonly excluded: readonly string[]
  /** What is looked up for them, in lowercase, and when: each range, then what it is cut to from its end (RFC 4647 3.4). */
  readonly lookupOrder: ReadonlyMap<string, number>
}

const none: AcceptedLanguages = { accepted: [], excluded: [], lookupOrder: new Map() }

/** The language tags that a header names; `*` and what is malformed are left out. */
export function acceptedLanguages(header: string | null): AcceptedLanguages {
  if (header === null || header.length > HEADER_MAX) return none
  const read = known.get(header)
  if (read) return read
  const kept = ownText(header)
  const languages = readLanguages(kept)
  known.set(kept, languages)
  return languages
}

/** Equal for headers that mean the same. */
export function languageKey(header: string | undefined): string {
  const { accepted, excluded: refused } = acceptedLanguages(header ?? null)
  return refused.length === 0 ? accepted.join() : `${accepted.join()};${refused.join()}`
}

function readLanguages(header: string): AcceptedLanguages {
  const ranges = header.split(',', RANGES_MAX).flatMap((text) => {
    const [, tag, quality = '1'] = range.exec(text) ?? []
    return tag === undefined || tag === '*' || tag.length > LANGUAGE_TAG_MAX ? [] : [{ tag, quality: Number(quality) }]
  })
  const sorted = ranges.filter(({ quality }) => quality > 0).sort((left, right) => right.quality - left.quality)
  const accepted = sorted.map(({ tag }) => tag)
  return { accepted, excluded: ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag), lookupOrder: wantedFor(accepted) }
}

function wantedFor(accepted: readonly string[]): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>()
  for (const tag of accepted) {
    for (let cut = tag.toLowerCase(); cut !== ''; cut = shorten(cut)) if (!wanted.has(cut)) wanted.set(cut, wanted.size)
  }
  return wanted
}

/** RFC 4647: the last subtag goes, and with it a single letter or digit before it. */
function shorten(tag: string): string {
  const shorter = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  return /(^|-)[a-z0-9]$/i.test(shorter) ? shorter.slice(0, Math.max(0, shorter.length - 2)) : shorter
}

/** A text cut out of a longer one, as an argument is out of a document, keeps the whole in memory; a copy does not. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
