/**
 * Publish steps, part 5: the texts of new documents by which they are searched and ordered, one row per language
 * (persistence/catalog/product-search.ts), and the words of the catalog: those of names, and the stems in tags and descriptions,
 * which the texts have already. The functions of SQL are those of the migration search_texts, and a search folds its words with the same.
 */
import { isVisibleSql } from '../../database/columns.ts'
import type { PublishStep } from './selection.ts'

/** Characters of a description that are searched; PostgreSQL refuses a tsvector of more than a megabyte. */
const DESCRIPTION_SEARCHED_MAX = 20_000

/**
 * Index entries that wait to be written together: a fifth less work for 100,000 products. A search during the publish reads them one by
 * one, which takes some 40 milliseconds; the step after the texts writes them.
 */
export const INDEX_WAITING = '64MB'

/** The steps that write the texts of new documents. */
export const searchTextSteps: readonly PublishStep[] = [
  {
    // Codes and tags are not repeated in other languages, which would double what is written. OFFSET 0 keeps what the functions use several
    // times from being computed at each use. The case of descriptions does not matter to stems.
    name: 'search texts',
    sql: `
WITH source AS (
  SELECT u.document_id, p.name, left(p.description, ${DESCRIPTION_SEARCHED_MAX}) AS description, p.sku,
    concat_ws(' ', p.manufacturer_part_num, p.upc_ean) AS numbers, array_to_string(p.tags, ' ') AS tags, p.locales
  FROM pub_product u JOIN product p ON p.id = u.product_id WHERE u.is_new),
text AS (
  SELECT document_id, '' AS language, name, description, sku, numbers, tags FROM source
  UNION ALL
  SELECT document_id, l.key, CASE WHEN ${isVisibleSql("l.value ->> 'name'")} THEN l.value ->> 'name' ELSE name END, left(l.value ->> 'description', ${DESCRIPTION_SEARCHED_MAX}), NULL, '', ''
  FROM source CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof(locales) = 'object' THEN locales END) l
  WHERE ${isVisibleSql("l.value ->> 'name'")} OR ${isVisibleSql("l.value ->> 'description'")} OFFSET 0),
folded AS (
  SELECT document_id, language, search_words(name) AS name_key, search_words(sku) AS sku_words, search_words(numbers) AS numbers,
    search_words(tags) AS tags, search_fold(description) AS description, search_stemmer(language) AS stemmer
  FROM text OFFSET 0)
INSERT INTO release_document_text (document_id, language, name_key, sku_key, search)
SELECT document_id, language, name_key, replace(sku_words, ' ', ''),
  setweight(to_tsvector(stemmer, concat_ws(' ', name_key, sku_words, replace(sku_words, ' ', ''), numbers)), 'A')
    || setweight(to_tsvector(stemmer, tags), 'B') || to_tsvector(stemmer, coalesce(description, ''))
FROM folded`,
  },
  { name: 'index of search texts', sql: `SELECT gin_clean_pending_list('release_document_text_search_idx')` },
]

/**
 * The steps that bring the words of a catalog up to date with a release that is published; no search reads the words of a draft. A row
 * counts a word for the releases `since` one and before `until` another. The stem of a word in a name counts as one in a description,
 * unless it is the word itself.
 */
export const wordSteps: readonly PublishStep[] = [
  {
    // They are counted anew unless the release that they were counted from is still there.
    name: 'words to count anew',
    sql: `
UPDATE catalog_word SET until = (SELECT sequence FROM release WHERE id = :release)
WHERE catalog_id = :catalog AND until IS NULL AND NOT EXISTS (
  SELECT FROM catalog c JOIN release_listing l ON l.release_id = c.words_release_id AND l.scope = l.release_id WHERE c.id = :catalog)`,
  },
  {
    name: 'words',
    sql: `
WITH listed AS (SELECT unnest(documents) AS document_id FROM release_listing WHERE release_id = :release AND scope = :release),
before AS (
  SELECT unnest(l.documents) AS document_id
  FROM catalog c JOIN release_listing l ON l.release_id = c.words_release_id AND l.scope = l.release_id WHERE c.id = :catalog),
change AS MATERIALIZED (
  SELECT coalesce(u.document_id, b.document_id) AS document_id, CASE WHEN b.document_id IS NULL THEN 1 ELSE -1 END AS change
  FROM listed u FULL JOIN before b ON b.document_id = u.document_id WHERE u.document_id IS NULL OR b.document_id IS NULL),
text AS (
  SELECT t.language, t.name_key, t.search, c.change FROM change c JOIN release_document_text t ON t.document_id = c.document_id),
named AS MATERIALIZED (
  SELECT search_stemmer(language) AS stemmer, btrim(word, '()[],;!?"') AS word, sum(change)::int AS occurrences
  FROM (SELECT language, unnest(string_to_array(name_key, ' ')) AS word, change FROM text) one GROUP BY language, word),
found AS (
  SELECT word, occurrences, 0 AS mentions FROM named
  UNION ALL
  SELECT stem, 0, occurrences FROM named CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(stemmer, word))) stem
  WHERE word ~ '^[[:alpha:]]+$' AND stem <> word
  UNION ALL
  SELECT unnest(tsvector_to_array(ts_filter(search, '{b,d}'))), 0, change FROM text),
counted AS (SELECT word, sum(occurrences) AS occurrences, sum(mentions) AS mentions FROM found GROUP BY word OFFSET 0),
next AS MATERIALIZED (
  SELECT n.word, n.occurrences + coalesce(w.occurrences, 0) AS occurrences, n.mentions + coalesce(w.mentions, 0) AS mentions,
    w.occurrences > 0 AS was_named, w.mentions > 0 AS was_mentioned
  FROM counted n LEFT JOIN catalog_word w ON w.catalog_id = :catalog AND w.word = n.word AND w.until IS NULL
  WHERE length(n.word) BETWEEN 3 AND 40 AND n.word ~ '^[[:alpha:]]+$' AND (n.occurrences <> 0 OR n.mentions <> 0)),
release AS (SELECT sequence FROM release WHERE id = :release),
counted_on AS (
  UPDATE catalog_word w SET occurrences = n.occurrences, mentions = n.mentions
  FROM next n WHERE w.catalog_id = :catalog AND w.word = n.word AND w.until IS NULL
    AND n.was_named = (n.occurrences > 0) AND n.was_mentioned = (n.mentions > 0)),
ended AS (
  UPDATE catalog_word w SET until = r.sequence
  FROM next n CROSS JOIN release r WHERE w.catalog_id = :catalog AND w.word = n.word AND w.until IS NULL
    AND (n.was_named <> (n.occurrences > 0) OR n.was_mentioned <> (n.mentions > 0)))
INSERT INTO catalog_word (catalog_id, word, since, occurrences, mentions)
SELECT :catalog, n.word, r.sequence, n.occurrences, n.mentions FROM next n CROSS JOIN release r
WHERE (n.occurrences > 0 OR n.mentions > 0)
  AND (n.was_named IS DISTINCT FROM (n.occurrences > 0) OR n.was_mentioned IS DISTINCT FROM (n.mentions > 0))`,
  },
  {
    name: 'words of no release',
    sql: `
WITH counted AS (UPDATE catalog SET words_release_id = :release WHERE id = :catalog)
DELETE FROM catalog_word
WHERE catalog_id = :catalog AND until <= (SELECT min(sequence) FROM release WHERE catalog_id = :catalog AND sequence > 0)`,
  },
]
