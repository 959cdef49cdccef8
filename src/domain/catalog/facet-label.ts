/**
 * Facet labels: names of a facet and its values for people, in the language of the request (facet.labels-in-language).
 */
import { acceptedLanguages } from '../language/accept-language.ts'
import { localize, type RequestLanguages } from '../language/language.ts'
import type { Locales } from '../language/locale.ts'
import { formatAmount } from '../pricing/money.ts'
import type { FacetKey } from './facet.ts'
import type { VariationNames } from './facet-column.ts'
import { labelOf, type ReleaseLabels } from './label.ts'

/** A facet with its names in other languages. */
export interface NamedFacet {
  /** Those of the release. */
  readonly labels: ReleaseLabels
  readonly of: FacetKey
  /** The names of the facet's variation; null for any other facet, and for a variation without other names. */
  readonly names: VariationNames | null
}

/** The name of a variation or field; null for the other keys. */
export function facetLabel({ of: key, names, labels }: NamedFacet, languages: RequestLanguages): string | null {
  if (key.kind === 'variation') return localName(key.name, names?.locales, languages)
  return key.kind === 'extension' ? labelOf(labels, 'attribute', key.field, languages) : null
}

/**
 * The name of an option, what a tag and the value of a field are called, the amounts of a price range such as
 * `1000..1999`, and any other value as it is.
 */
export function valueLabel({ of: key, names, labels }: NamedFacet, value: string, languages: RequestLanguages): string {
  if (key.kind === 'variation') return localName(value, names?.options.get(value), languages)
  if (key.kind === 'tags') return labelOf(labels, 'tag', value, languages)
  if (key.kind === 'extension') return labelOf(labels, 'attribute_value', value, languages)
  if (key.kind !== 'price') return value
  const [locale] = acceptedLanguages(languages.acceptLanguage).accepted
  const [min = '', max = ''] = value
    .split('..')
    .map((amount) => amount && formatAmount(Number(amount), key.currency, locale))
  if (min === '') return `≤ ${max}`
  return max === '' ? `≥ ${min}` : `${min} – ${max}`
}

function localName(name: string, locales: Locales | undefined, { acceptLanguage }: RequestLanguages): string {
  return locales ? localize({ name, description: null, locales }, acceptLanguage).name : name
}
