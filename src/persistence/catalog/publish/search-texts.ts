/**
 * Publish steps, part 5: the texts of new documents by which they are searched and ordered, one row per language
 * (persistence/catalog/product-search.ts). The functions of SQL are those of the migration search_texts, and a search folds its words
 * with the same ones.
 */
import type { PublishStep } from './selection.ts'

/** Characters of a description that are searched; PostgreSQL refuses a tsvector of more than a megabyte. */
const DESCRIPTION_SEARCHED_MAX = 20_000

/** The step that writes the texts of new documents, and the words of their names. */
export const searchTextSteps: readonly PublishStep[] = [
  {
    // Codes and tags are not repeated in other languages, which would double what is written.
    name: 'search texts',
    sql: `
WITH source AS (SELECT u.document_id, p.* FROM pub_product u JOIN product p ON p.id = u.product_id WHERE u.is_new),
text AS (
  SELECT document_id, '' AS language, name, description, sku, concat_ws(' ', manufacturer_part_num, upc_ean) AS numbers, tags
  FROM source
  UNION ALL
  SELECT document_id, l.key, coalesce(l.value ->> 'name', name), l.value ->> 'description', NULL, '', '{}'
  FROM source CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof(locales) = 'object' THEN locales END) l),
folded AS (
  SELECT document_id, language, search_words(name) AS name_key, search_words(sku) AS sku_words, search_words(numbers) AS numbers,
    search_words(array_to_string(tags, ' ')) AS tags, search_fold(left(description, ${DESCRIPTION_SEARCHED_MAX})) AS description,
    search_stemmer(language) AS stemmer
  FROM text OFFSET 0),
written AS (
  INSERT INTO release_document_text (document_id, language, name_key, sku_key, search)
  SELECT document_id, language, name_key, replace(sku_words, ' ', ''),
    setweight(to_tsvector(stemmer, concat_ws(' ', name_key, sku_words, replace(sku_words, ' ', ''), numbers)), 'A')
      || setweight(to_tsvector(stemmer, tags), 'B') || to_tsvector(stemmer, coalesce(description, ''))
  FROM folded RETURNING name_key),
found AS (SELECT DISTINCT unnest(string_to_array(name_key, ' ')) AS word FROM written)
INSERT INTO search_word
SELECT DISTINCT word FROM (SELECT btrim(word, '()[],;!?"') AS word FROM found) one
WHERE length(word) BETWEEN 3 AND 40 AND word ~ '^[[:alpha:]]+$' ON CONFLICT DO NOTHING`,
  },
]
