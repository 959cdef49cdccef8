/** The Accept-Language header (CAT-7, VAL-4; RFC 9110 12.5.4). */

const range = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/

/** No honest header names more. */
const RANGES_MAX = 50

/** Read headers are remembered: a page reads the same one for every text and price on it. */
const HEADERS_KEPT = 500
const known = new Map<string, AcceptedLanguages>()

export interface AcceptedLanguages {
  /** Best first, in the order given where qualities are equal. */
  readonly accepted: readonly string[]
  /** Those with q=0. */
  readonly refused: readonly string[]
}

const none: AcceptedLanguages = { accepted: [], refused: [] }

/** The language tags that a header names; `*` and what is malformed are left out. */
export function acceptedLanguages(header: string | null): AcceptedLanguages {
  if (header === null) return none
  const read = known.get(header)
  if (read) return read
  const languages = readLanguages(header)
  if (known.size >= HEADERS_KEPT) known.clear()
  known.set(header, languages)
  return languages
}

/** Equal for headers that mean the same. */
export function languageKey(header: string | undefined): string {
  const { accepted, refused } = acceptedLanguages(header ?? null)
  return refused.length === 0 ? accepted.join() : `${accepted.join()};${refused.join()}`
}

function readLanguages(header: string): AcceptedLanguages {
  const ranges = header.split(',', RANGES_MAX).flatMap((text) => {
    const [, tag, quality = '1'] = range.exec(text) ?? []
    return tag === undefined || tag === '*' ? [] : [{ tag, quality: Number(quality) }]
  })
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((left, right) => right.quality - left.quality)
  return { accepted: accepted.map(({ tag }) => tag), refused: ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag) }
}
