/**
 * Publish steps of facets: the posting lists of tags, types, options, variations and extension fields
 * (facet.short-values), and the options that no child has (filter.options-as-by-name).
 */
import { FACET_DISTINCT_MAX, FACET_FIELDS_MAX, FACET_TEXT_MAX } from '../../../domain/catalog/facet-limits.ts'
import { isVisibleSql } from '../../database/columns.ts'
import type { PublishStep, StepTables } from './selection.ts'

/**
 * Writes the posting lists of the common table expression `posting` (field, value, documents). The fields with the most
 * products become facets. Of the others, and of those with too many values, only the name is written.
 */
const insertPostings = `
fields AS (
  SELECT field, count(*) > ${FACET_DISTINCT_MAX}
    OR row_number() OVER (ORDER BY count(*) > ${FACET_DISTINCT_MAX}, sum(cardinality(documents)) DESC, field COLLATE "C") > ${FACET_FIELDS_MAX}
    AS is_left_out
  FROM posting GROUP BY field)
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, p.field, p.value, p.documents FROM posting p JOIN fields f ON f.field = p.field AND NOT f.is_left_out
UNION ALL SELECT :release, 'too_many_values', field, '{}' FROM fields WHERE is_left_out`

/** The steps that write release_facet. They order texts by code point (database.locale-decides-nothing). */
export const facetSteps = ({ documents, products }: StepTables): readonly PublishStep[] => [
  {
    name: 'tags',
    sql: `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'tags', t.tag, array_agg(r.document_id)
FROM ${documents} r CROSS JOIN LATERAL unnest(r.tags) t (tag) GROUP BY t.tag`,
  },
  {
    // A parent has built children, a child a parent, a bundle components; a product of none of these types is standard
    // (product.types-that-hold).
    name: 'product types',
    sql: `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'product_types', t.type, t.documents
FROM (
  SELECT array_agg(document_id) FILTER (WHERE is_parent) AS parents,
    array_agg(document_id) FILTER (WHERE base_id IS NOT NULL) AS children,
    array_agg(document_id) FILTER (WHERE is_bundle) AS bundles,
    array_agg(document_id) FILTER (WHERE NOT is_parent AND base_id IS NULL AND NOT is_bundle) AS standards
  FROM ${documents}) r
CROSS JOIN LATERAL (VALUES
  ('parent', r.parents), ('child', r.children), ('bundle', r.bundles), ('standard', r.standards)) t (type, documents)
WHERE t.documents IS NOT NULL`,
  },
  {
    name: 'options of bundles, backwards',
    sql: `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'options', c.id, array_agg(r.document_id)
FROM ${documents} r CROSS JOIN LATERAL (SELECT DISTINCT unnest(r.component_ids) AS id) c
WHERE r.component_ids <> '{}' GROUP BY c.id`,
  },
  {
    name: 'families',
    sql: `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'families', '', array_agg(c.document_id ORDER BY c.rank) || array_agg(p.document_id ORDER BY c.rank)
FROM ${documents} c JOIN ${documents} p ON p.product_id = c.base_id HAVING count(*) > 0`,
  },
  {
    name: 'variations',
    sql: `
WITH posting AS (
  SELECT jsonb_build_array('variation', o.variation)::text AS field, o.name AS value, array_agg(DISTINCT r.document_id) AS documents
  FROM ${documents} r JOIN release_option o ON o.document_id = r.document_id
  WHERE r.base_id IS NOT NULL AND length(o.variation) <= ${FACET_TEXT_MAX} AND length(o.name) <= ${FACET_TEXT_MAX}
  GROUP BY o.variation, o.name),${insertPostings}`,
  },
  {
    // Of every parent in the release or with a child there: also of one that is not live, or listed by its children
    // alone. Variations are taken apart in lists of columns: in joins PostgreSQL remembers each part, which takes five
    // times as long.
    name: 'options without children',
    sql: `
WITH base AS (
  SELECT base_id AS id FROM ${documents} WHERE base_id IS NOT NULL UNION SELECT product_id FROM ${documents} WHERE base_id IS NULL),
taken AS MATERIALIZED (
  SELECT DISTINCT o.option_id FROM ${documents} r JOIN release_option o ON o.document_id = r.document_id WHERE r.base_id IS NOT NULL)
INSERT INTO release_facet (release_id, field, value, documents)
SELECT DISTINCT :release::uuid, 'childless ' || id, jsonb_build_array(variation, name)::text, '{}'::int[]
FROM (
  SELECT variation, o ->> 'id' AS id, o ->> 'name' AS name
  FROM (
    SELECT v ->> 'name' AS variation, jsonb_array_elements(v -> 'options') AS o
    FROM (
      SELECT jsonb_array_elements(p.variations) AS v
      FROM base b JOIN ${products} p ON p.id = b.id WHERE p.variations IS NOT NULL) v) o) option
WHERE length(variation) <= ${FACET_TEXT_MAX} AND length(name) <= ${FACET_TEXT_MAX}
  AND NOT EXISTS (SELECT FROM taken t WHERE t.option_id = option.id::uuid)`,
  },
  {
    // Only parents in the release count, so that facets follow from its documents. Where parents name a variation
    // differently, the name that most of them give wins.
    name: 'names of variations in other languages',
    sql: `
WITH variation AS (
  SELECT v FROM ${documents} r JOIN ${products} p ON p.id = r.product_id CROSS JOIN LATERAL jsonb_array_elements(p.variations) v
  WHERE r.is_parent AND p.variations @? '$.**.locales'),
named AS (
  SELECT v ->> 'name' AS variation, NULL AS option, v -> 'locales' AS locales FROM variation
  UNION ALL
  SELECT v ->> 'name', o ->> 'name', o -> 'locales' FROM variation CROSS JOIN LATERAL jsonb_array_elements(v -> 'options') o),
chosen AS (
  SELECT DISTINCT ON (variation, option, l.key) variation, option, l.key AS language, l.value ->> 'name' AS name
  FROM named CROSS JOIN LATERAL jsonb_each(locales) l
  WHERE ${isVisibleSql("l.value ->> 'name'")} AND length(variation) <= ${FACET_TEXT_MAX} AND (option IS NULL OR length(option) <= ${FACET_TEXT_MAX})
  GROUP BY variation, option, l.key, l.value ->> 'name' ORDER BY variation, option, l.key, count(*) DESC, (l.value ->> 'name') COLLATE "C")
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'variation_names',
  jsonb_build_array(variation, option, jsonb_object_agg(language, jsonb_build_object('name', name)))::text, '{}'
FROM chosen GROUP BY variation, option`,
  },
  {
    // Of the same parents as the names. Parents without a sort order for an option don't count there.
    name: 'sort orders of options',
    sql: `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT :release, 'sort_orders', jsonb_build_array(variation, option, sort_order)::text, '{}'
FROM (
  SELECT DISTINCT ON (v.name, o.name) v.name AS variation, o.name AS option, o.sort_order
  FROM ${documents} r JOIN ${products} p ON p.id = r.product_id
  CROSS JOIN LATERAL jsonb_to_recordset(p.variations) v (name text, options jsonb)
  CROSS JOIN LATERAL jsonb_to_recordset(v.options) o (name text, sort_order int)
  WHERE r.is_parent AND o.sort_order IS NOT NULL AND length(v.name) <= ${FACET_TEXT_MAX} AND length(o.name) <= ${FACET_TEXT_MAX}
  GROUP BY v.name, o.name, o.sort_order ORDER BY v.name, o.name, count(*) DESC, o.sort_order DESC) said`,
  },
  {
    name: 'extension fields',
    sql: `
WITH given AS (
  SELECT r.document_id, t.key AS template, f.key AS field,
    CASE jsonb_typeof(f.value) WHEN 'number' THEN trim_scale((f.value #>> '{}')::numeric)::text ELSE f.value #>> '{}' END AS value
  FROM ${documents} r JOIN ${products} p ON p.id = r.product_id
  CROSS JOIN LATERAL jsonb_each(p.extensions) t CROSS JOIN LATERAL jsonb_each(t.value) f
  WHERE jsonb_typeof(p.extensions) = 'object' AND jsonb_typeof(t.value) = 'object'
    AND jsonb_typeof(f.value) IN ('string', 'number', 'boolean')),
posting AS (
  SELECT jsonb_build_array('extension', template, field)::text AS field, value, array_agg(document_id) AS documents
  FROM given
  WHERE length(value) <= ${FACET_TEXT_MAX} AND length(template) <= ${FACET_TEXT_MAX} AND length(field) <= ${FACET_TEXT_MAX}
  GROUP BY template, field, value),${insertPostings}`,
  },
]
