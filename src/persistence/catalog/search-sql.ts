/**
 * Statements of the product search. Their words are letters and digits (domain/catalog/search-words.ts), and lexemes are quoted before
 * they become a tsquery, so that no text of a client is ever syntax.
 */

/** The lexemes of the word `w` joined by &, NULL without one; each gets the suffix, whose $ stands for the weights that it is looked for in. */
function lexemes(configuration: string, suffix: string): string {
  return `(SELECT string_agg(quote_literal(lexeme) || ${suffix}, ' & ')
      FROM unnest(tsvector_to_array(to_tsvector(${configuration}, search_words(w.word)))) lexeme)`
}

/**
 * The words, $1, each as it is and as its stems in the languages searched, $2 and the default; the last one is a prefix. A word that says
 * nothing in one of the languages, such as "the", need not match beside others.
 */
const words = `
WITH stemmer AS (SELECT DISTINCT search_stemmer(language) AS stemmer FROM unnest($2::text[] || ''::text) language),
word AS (
  SELECT w.position, search_words(w.word) AS word, s.stems, s.says_nothing AND NOT bool_and(s.says_nothing) OVER () AS is_optional,
    ${lexemes("'simple'", "CASE WHEN w.position = cardinality($1::text[]) THEN ':*$' ELSE ':$' END")} AS lexemes
  FROM unnest($1::text[]) WITH ORDINALITY w (word, position)
  CROSS JOIN LATERAL (
    SELECT string_agg(stem, ' | ') AS stems, bool_or(stem IS NULL) AS says_nothing
    FROM (SELECT ${lexemes('c.stemmer', "':$'")} AS stem FROM stemmer c) one) s)`

/** One query for where to look; `alternatives` is the SQL of further lexemes of a word. */
function query(alternatives: string): string {
  return `
query AS MATERIALIZED (
  SELECT replace(replace(text, ':*$', ':*'), ':$', '')::tsquery AS anywhere, replace(text, '$', 'AB')::tsquery AS in_tags,
    replace(text, '$', 'A')::tsquery AS in_name, replace(replace(text, ':*$', ':$'), '$', 'A')::tsquery AS whole_in_name, code
  FROM (
    SELECT string_agg('(' || concat_ws(' | ', lexemes, stems${alternatives}) || ')', ' & ' ORDER BY position)
        FILTER (WHERE lexemes IS NOT NULL AND NOT is_optional) AS text,
      string_agg(replace(word, ' ', ''), '' ORDER BY position) AS code
    FROM word) one)`
}

/** The score has the best place of the words as its whole part, ts_rank as the rest. */
const hits = `
SELECT t.document_id, CASE
    WHEN t.sku_key = q.code THEN 6 WHEN replace(t.name_key, ' ', '') = q.code THEN 5
    WHEN t.search @@ q.whole_in_name THEN 4 WHEN t.search @@ q.in_name THEN 3 WHEN t.search @@ q.in_tags THEN 2 ELSE 1 END
  + ts_rank('{0.1, 0.2, 0.4, 1}', t.search, q.anywhere, 33) AS score
FROM query q JOIN release_document_text t ON t.search @@ q.anywhere
WHERE t.language = '' OR lower(t.language) = ANY ($2::text[])`

/** The patterns of one kind for the word `w`, folded as it is. */
function folded(kind: 'patterns' | 'anchors'): string {
  return `ARRAY(SELECT search_fold(p) FROM jsonb_array_elements_text($3::jsonb -> (w.position - 1)::int -> '${kind}') p)`
}

// JSON parses ten times faster than rows.
const asJson = `
SELECT coalesce(json_agg(document_id), '[]') AS documents, coalesce(json_agg(round(score::numeric, 4)), '[]') AS scores
FROM (SELECT document_id, max(score) AS score FROM hit GROUP BY document_id ORDER BY document_id) one`

/** The documents of any release that every word matches, rising, with scores. $1: words, $2: language tags in lowercase. */
export const searchDocuments = `${words},${query('')},
hit AS (${hits})${asJson}`

/**
 * As searchDocuments, with words of the catalog, $5, in place of those that it has not: one mistake away, else with similar trigrams. A
 * code may be misspelt too. $3: for each word the patterns of oneMistakePatterns and of similarAnchors, $4: whether the words together
 * may be a code. OFFSET 0 keeps trigrams, which take a microsecond a word, for those that match an anchor; an index of them takes longer.
 */
export const searchSimilarDocuments = `${words},
known AS MATERIALIZED (
  SELECT w.position, w.word, ${folded('patterns')} || (w.word || '%') AS patterns, ${folded('anchors')} AS anchors,
    EXISTS (SELECT FROM catalog_word v WHERE v.catalog_id = $5::uuid AND v.word = w.word) AS is_known
  FROM word w WHERE length(w.word) > 2),
alternative AS (
  SELECT k.position, string_agg(quote_literal(lexeme) || ':$', ' | ') AS words
  FROM known k CROSS JOIN LATERAL (
    SELECT word
    FROM (
      SELECT c.word, similarity, is_close, bool_or(is_close) OVER () AS any_close
      FROM (SELECT v.word FROM catalog_word v WHERE v.catalog_id = $5::uuid AND v.word LIKE ANY (k.anchors) OFFSET 0) c
      CROSS JOIN LATERAL (SELECT c.word LIKE ANY (k.patterns) AS is_close, similarity(c.word, k.word) AS similarity OFFSET 0) s
      WHERE is_close OR similarity >= 0.3 OR k.word <% c.word) c
    WHERE is_close OR NOT any_close ORDER BY similarity DESC, word LIMIT 5) a
  CROSS JOIN stemmer s CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(s.stemmer, a.word))) lexeme
  WHERE NOT k.is_known OR NOT EXISTS (SELECT FROM known WHERE NOT is_known)
  GROUP BY k.position),${query(', (SELECT a.words FROM alternative a WHERE a.position = word.position)')},
hit AS (${hits}
  UNION ALL
  SELECT * FROM (
    SELECT t.document_id, similarity(t.sku_key, q.code) AS score FROM query q JOIN release_document_text t ON t.sku_key % q.code
    WHERE $4 AND t.language = '') code
  WHERE score >= 0.5)${asJson}`

/** The rank of each text of a release in the order of folded names, by language. $1: release. */
export const namesInOrder = `
SELECT language, json_agg(document_id) AS documents, json_agg(rank) AS ranks
FROM (
  SELECT t.language, t.document_id, rank() OVER (ORDER BY t.name_key) AS rank
  FROM (SELECT unnest(documents) AS id FROM release_listing WHERE release_id = $1::uuid AND scope = $1::uuid) l
  JOIN release_document_text t ON t.document_id = l.id) one
GROUP BY language`
