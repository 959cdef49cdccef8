/** Limits of facets whose values are free texts: variations and extension fields (facet.short-values). */

/** Characters of a value, and of the names of a variation, a template and a field. */
export const FACET_TEXT_MAX = 100
/** Distinct values of one field in a release; a field with more is no facet. */
export const FACET_DISTINCT_MAX = 1_000
/** Variations and extension fields that are facets of one release: those with the most products. */
export const FACET_FIELDS_MAX = 50
