/**
 * Slugs of products, hierarchies and nodes (product.slug-from-name): letters, digits, hyphen, underscore and period.
 * Given ones stay as they are. Made ones are in lower case, and have a number where theirs is taken
 * (slug.made-ones-differ).
 */
import { createHash } from 'node:crypto'
import anyAscii from 'any-ascii'
import { FREE_NAME_MAX } from './limits.ts'
import type { TextMember } from './record-members.ts'

/** The slug of a record; the operation makes one of the name where none is given. */
export const slug: TextMember<'derived'> = {
  kind: 'text',
  presence: 'derived',
  max: FREE_NAME_MAX,
  format: 'slug',
}

/**
 * The slug of a name in `language`, a tag of BCP 47: in lower case and in Latin letters, without accents and Cyrillic
 * signs. In German ä, ö and ü are ae, oe and ue. Periods stay within it alone.
 */
export function slugOf(name: string, language: string): string {
  const isGerman = /^de(-|$)/i.test(language)
  const text = name.normalize('NFC').replace(CYRILLIC_SIGNS, '')
  const spelt = isGerman ? text.replace(/[äöü]/gi, '$&e') : text
  const made = ofCharacters(spelt.replace(MAY_HAVE_APOSTROPHES, withoutApostrophes))
  // A link in a text ends before a period.
  return made.replace(/^[.-]+|[.-]+$/g, '').toLowerCase()
}

/** Letters without a sound, and the apostrophe within a Ukrainian or Belarusian word. */
const CYRILLIC_SIGNS = /[ьъ]|(?<=\p{Script=Cyrillic})['\u2019](?=\p{Script=Cyrillic})/giu

/** Letters that are written in Latin ones with apostrophes, such as those of Georgian, whose slugs have none. */
const MAY_HAVE_APOSTROPHES = /(?!\p{Script=Latin})\p{L}/gu

function withoutApostrophes(letter: string): string {
  const latin = anyAscii(letter)
  return /['`]/.test(latin) ? latin.replace(/['`]/g, '') : letter
}

/** What slugs are compared by where case makes no difference (slug.exact-first): they have no letters beyond A to Z. */
export function slugKey(slug: string): string {
  return slug.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * A part of a SKU for each of `names`, different for different names, with their capitals. Where several names have the
 * same part, such as C, C++ and C#, a hash follows it, except for the name that equals it.
 */
export function distinctParts(names: readonly string[]): string[] {
  const parts = names.map(ofCharacters)
  const namesByPart = new Map<string, Set<string>>()
  for (const [index, part] of parts.entries())
    namesByPart.set(part, (namesByPart.get(part) ?? new Set()).add(names[index] as string))
  return parts.map((part, index) => {
    const name = names[index] as string
    return (namesByPart.get(part)?.size ?? 0) === 1 || name === part ? part : `${part}-${hashOf(name)}`
  })
}

/**
 * Accents are dropped, other scripts are written in Latin letters, and each run of hyphens and of other invalid
 * characters becomes one hyphen, with none at the ends. A name without any letter or digit left gets a short hash, so
 * that different names have different slugs.
 */
function ofCharacters(name: string): string {
  const text = anyAscii(name.normalize('NFC'))
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, FREE_NAME_MAX)
    .replace(/-+$/, '')
  return /\w/.test(text) ? text : hashOf(name)
}

/** Twelve hexadecimal digits. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}
