/** Statements of the product search. The queries are those of domain/catalog/search-question.ts, as parameters. */

/** Whether release $1 is analysed by $2; else nothing of it can be found yet (release-texts.ts). */
const isAnalysed = 'EXISTS (SELECT FROM release_search WHERE release_id = $1::uuid AND analyser = $2)::text'

/**
 * The documents of any release that match, rising, with scores. $3: language tags in lower case, $4: the query of all
 * places, $5: of tags and names, $6: of names, $7: of names with the last word whole, $8: of equal names, $9: of equal
 * codes, $10: the optional words, $11: of names with the words as they are.
 *
 * The whole part of the score is the best place of the words; the rest grows with the optional words that a text has,
 * then with words as they are, then with ts_rank, which is below 1 (search.best-place-decides). JSON parses ten times
 * faster than rows.
 *
 * Whatever the planner knows of the tables, the index of words is read once, and the documents of each text by their
 * index. It would read the former for each document of a table that it takes for empty, and all documents for a few
 * texts: 28 ms in place of 6 of 100,000.
 */
export const searchDocuments = `
WITH matched AS MATERIALIZED (
  SELECT t.hash, CASE
      WHEN t.search @@ $9::tsquery THEN 6 WHEN t.search @@ $8::tsquery THEN 5
      WHEN t.search @@ $7::tsquery THEN 4 WHEN t.search @@ $6::tsquery THEN 3 WHEN t.search @@ $5::tsquery THEN 2 ELSE 1 END
    + (2 * (SELECT count(*) FROM unnest($10::tsquery[]) o WHERE t.search @@ o) + (t.search @@ $11::tsquery)::int
        + ts_rank('{0.1, 1, 0.4, 1}', t.search, $4::tsquery, 33))
      / (2 + 2 * cardinality($10::tsquery[])) AS score
  FROM search_text t WHERE t.search @@ $4::tsquery),
hit AS (
  SELECT d.document_id, m.score FROM matched m CROSS JOIN LATERAL (
    SELECT document_id FROM document_search_text d
    WHERE d.hash = m.hash AND d.analyser = $2 AND (d.language = '' OR d.language = ANY ($3::text[])) OFFSET 0) d)
SELECT ${isAnalysed} AS key, NULL::text AS value,
  json_build_array(coalesce(json_agg(document_id), '[]'), coalesce(json_agg(round(score::numeric, 4)), '[]'))::text AS body
FROM (SELECT document_id, max(score) AS score FROM hit GROUP BY document_id ORDER BY document_id) one`

/** The words of release $1, by analyser $2. */
export const releaseWords = `
SELECT NULL::text AS key, NULL::text AS value, words AS body FROM release_search WHERE release_id = $1::uuid AND analyser = $2`

const listed = `
  (SELECT unnest(documents) AS id FROM release_listing WHERE release_id = $1::uuid AND scope = $1::uuid) l
  JOIN document_search_text d ON d.document_id = l.id AND d.analyser = $2 JOIN search_text t ON t.hash = d.hash`

/** The SKUs of release $1 as letters and digits, by document. */
export const releaseCodes = `
SELECT NULL::text AS key, NULL::text AS value, json_build_array(coalesce(json_agg(d.document_id), '[]'), coalesce(json_agg(t.code_key), '[]'))::text AS body
FROM ${listed} WHERE d.language = '' AND t.code_key <> ''`

/** The languages in which release $1 has texts, and '' for the default ones. */
export const nameLanguages = `
SELECT language AS key, NULL::text AS value, NULL::text AS body FROM (SELECT DISTINCT d.language FROM ${listed}) one
UNION ALL SELECT NULL::text, NULL::text, ${isAnalysed}`

/** The names of release $1 by language, as JSON: documents and names. */
export const namesOfRelease = `
SELECT d.language AS key, NULL::text AS value, json_build_array(json_agg(d.document_id), json_agg(t.name))::text AS body
FROM ${listed} GROUP BY d.language
UNION ALL SELECT NULL::text, NULL::text, ${isAnalysed}`

/** The names of the documents $3, which release $1 has, by language, with their SKUs as letters and digits. */
export const namesOfDocuments = `
SELECT ${isAnalysed} AS key, NULL::text AS value,
  coalesce(json_agg(json_build_array(document_id, language, name, code_key) ORDER BY document_id, language), '[]')::text AS body
FROM document_search_text d JOIN search_text t ON t.hash = d.hash
WHERE d.analyser = $2 AND d.document_id = ANY ($3::int[])`

/** The order by name of release $1 in collation $3. */
export const nameOrder = `
SELECT NULL::text AS key, NULL::text AS value, ranks AS body FROM release_name_order
WHERE release_id = $1::uuid AND analyser = $2 AND locale = $3`

/** The order in collation $3, by version $4 of ICU, of the last release of the catalog of release $1 that has one. */
export const formerNameOrder = `
SELECT NULL::text AS key, NULL::text AS value, o.ranks AS body FROM release_name_order o JOIN release r ON r.id = o.release_id
WHERE r.catalog_id = (SELECT catalog_id FROM release WHERE id = $1::uuid) AND o.analyser = $2 AND o.locale = $3 AND o.icu = $4
ORDER BY r.started_at DESC LIMIT 1`

/** Stores an order: release $1, analyser $2, collation $3, version of ICU $4, ranks $5. No row when there is one. */
export const storeNameOrder = `
INSERT INTO release_name_order (release_id, analyser, locale, icu, ranks)
SELECT id, $2, $3, $4, $5 FROM release WHERE id = $1::uuid FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING ranks`
