/** Language tags that stand for each other (language.tags-of-one-language; RFC 4647 3.4 lookup). */
import { LRUCache } from 'lru-cache'

/** Of the written forms of Norwegian another one is better than none. CLDR does not tell. */
const NORWEGIAN: Readonly<Record<string, readonly string[]>> = { no: ['nb'], nb: ['no'], nn: ['no', 'nb'] }

/** Regions whose language is nearer to that of another region than to the language itself (CLDR, parentLocales). */
const NEARER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'es-419': 'ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve',
    'pt-pt': 'ao ch cv fr gq gw lu mo mz st tl',
  }).flatMap(([tag, regions]) => regions.split(' ').map((region) => [`${tag.slice(0, 2)}-${region}`, tag] as const)),
)

/** Tags whose order is kept: working it out takes some 50 microseconds. */
const TAGS_KEPT = 1000
const kept = new LRUCache<string, readonly string[]>({ max: TAGS_KEPT })

/**
 * The tags in which a text may be for somebody who accepts `tag`, in lowercase, best first: the tag, what means the
 * same, then what is left without its last subtag.
 */
export function tagsInOrder(tag: string): readonly string[] {
  const known = kept.get(tag)
  if (known) return known
  const tags = new Set<string>()
  for (let cut = tag.toLowerCase(); cut !== ''; cut = wider(cut)) for (const same of equivalents(cut)) tags.add(same)
  const order = [...tags]
  kept.set(tag, order)
  return order
}

/** Whether two tags are of one language, in whatever script and region. */
export function areOfOneLanguage(one: string, other: string): boolean {
  const [first, second] = [one, other].map((tag) => tag.toLowerCase().split('-', 1)[0]) as [string, string]
  return first === second || tagsInOrder(first).includes(second) || tagsInOrder(second).includes(first)
}

/**
 * The tag, and others of the same language, script and region: `he` for `iw`, `zh-hant-tw` for `zh-tw`. A language
 * without a region is that of its largest one, so `pt-br` is among those of `pt`.
 */
function equivalents(tag: string): string[] {
  const locale = localeOf(tag)
  if (!locale) return [tag]
  const { language, script, region } = locale.maximize()
  if (!script || !region) return [tag]
  const [inRegion, inScript] = [`${language}-${region}`, `${language}-${script}`]
  const same = [
    locale.baseName,
    ...(localeOf(inRegion)?.maximize().script === script ? [inRegion] : []),
    ...(localeOf(inScript)?.maximize().region === region ? [inScript] : []),
    `${inScript}-${region}`,
  ]
  return [tag, ...same.map((other) => other.toLowerCase()), ...(NORWEGIAN[tag] ?? [])]
}

/**
 * The tag without its last subtag, and without a single letter or digit before that. Some regions go over what they are
 * nearer to: `es-mx`, `es-419`, `es`, and where the script is not that of the language, `zh-hk`, `zh-hant`, `zh`.
 */
function wider(tag: string): string {
  const nearer = NEARER.get(tag)
  if (nearer !== undefined) return nearer
  const shorter = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  if (/(^|-)[a-z0-9]$/.test(shorter)) return shorter.slice(0, Math.max(0, shorter.length - 2))
  const [locale, language] = [localeOf(tag), localeOf(shorter)]
  if (!locale?.region || locale.script || !language) return shorter
  const { script } = locale.maximize()
  return !script || script === language.maximize().script ? shorter : `${shorter}-${script.toLowerCase()}`
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
}
