/** Collation: the order of names in a language (search.names-in-order). */
import { LRUCache } from 'lru-cache'

/** The collation of languages without one of their own. Not `und`, which stands for the locale of the process. */
const ROOT = 'en'

/** Languages that order as the root does (CLDR). French of Canada weighs accents from the end. */
const ROOT_LANGUAGES: ReadonlySet<string> = new Set(['de', 'en', 'fr', 'id', 'it', 'nl', 'pt'])
const OF_ITS_OWN: ReadonlySet<string> = new Set(['fr-CA'])

/** Collations by tag, and collators by collation: one takes longer to make than a menu to sort. */
const collations = new LRUCache<string, string>({ max: 1000 })
const collators = new Map<string, Intl.Collator>()

/** The collation of a language tag, the same for languages that order alike. */
export function collationOf(tag: string): string {
  const known = collations.get(tag)
  if (known !== undefined) return known
  const found = findCollation(tag)
  collations.set(tag, found)
  return found
}

function findCollation(tag: string): string {
  const locale = localeOf(tag)
  if (locale === null) return ROOT
  const name = [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join('-')
  if (ROOT_LANGUAGES.has(locale.language) && !OF_ITS_OWN.has(name)) return ROOT
  if (Intl.Collator.supportedLocalesOf(name).length === 0) return ROOT
  return new Intl.Collator(name).resolvedOptions().locale
}

/** Compares names in a collation, numbers in them by their value. */
export function collatorOf(collation: string): Intl.Collator {
  const known = collators.get(collation)
  if (known) return known
  const made = new Intl.Collator(collation, { numeric: true })
  collators.set(collation, made)
  return made
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
}
