/** Inputs of facet values: the filter of a list narrowed to one value of a facet (facet.input-lists-its-count). */
import type { CountedFacet, FacetKey } from '../../domain/catalog/facet.ts'
import type { Filter } from './catalog-filter.ts'

/** A filter as a client sends it. */
type SentFilter = Readonly<Record<string, unknown>>

/**
 * The filter of the list, without what it has of the facet's key, and with `value` there instead. As JSON: the words of
 * enums as the graph has them.
 */
export function inputOf(given: Filter | null, { of: key, options }: CountedFacet, value: string): SentFilter {
  const { options: ids, productTypes, ...rest } = given ?? {}
  // Options by their ids are of the facet of their variation too.
  const otherIds = (ids ?? []).filter((id) => !options.includes(id.toLowerCase()))
  return {
    ...sent(rest),
    ...(productTypes && { productTypes: upperCase(productTypes) }),
    ...(otherIds.length > 0 && { options: otherIds }),
    ...partOf(rest, key, value),
  }
}

function partOf(
  { variations, extension }: Pick<Filter, 'variations' | 'extension'>,
  key: FacetKey,
  value: string,
): SentFilter {
  switch (key.kind) {
    case 'tags':
      return { tags: { eq: value } }
    case 'productTypes':
      return { productTypes: { eq: value.toUpperCase() } }
    case 'onSale':
      return { onSale: value === 'true' }
    case 'variation': {
      const others = (variations ?? []).filter(({ name }) => name !== key.name)
      return { variations: [...others, { name: key.name, in: [value] }] }
    }
    case 'extension': {
      const { template, field } = key
      const others = (extension ?? []).filter((one) => one.template !== template || one.field !== field)
      return { extension: [...others.map(sent), { template, field, eq: value }] }
    }
    case 'price': {
      const [min = '', max = ''] = value.split('..')
      const bounds = { ...(min !== '' && { min: Number(min) }), ...(max !== '' && { max: Number(max) }) }
      return { price: { ...bounds, currency: key.currency } }
    }
  }
}

/** The members that are given. */
function sent(part: object): SentFilter {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value != null))
}

function upperCase(words: NonNullable<Filter['productTypes']>): SentFilter {
  const { eq, in: some } = words
  return { ...(eq && { eq: eq.toUpperCase() }), ...(some && { in: some.map((word) => word.toUpperCase()) }) }
}
