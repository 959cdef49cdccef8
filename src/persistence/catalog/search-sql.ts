/**
 * Statements of the product search. Their words are letters and digits (domain/catalog/search-words.ts), and lexemes are quoted before
 * they become a tsquery, so that no text of a client is ever syntax.
 */

/**
 * The lexemes of the word `w` joined by &, NULL without one; each gets the suffix, whose $ stands for the weights that it is looked for in.
 */
function lexemes(configuration: string, suffix: string, word = 'w.word'): string {
  return `(SELECT string_agg(quote_literal(lexeme) || ${suffix}, ' & ')
      FROM unnest(tsvector_to_array(to_tsvector(${configuration}, search_words(${word})))) lexeme)`
}

/** The suffix of the word as it is: the last one is a prefix (search.last-word-is-a-prefix). */
const WHOLE = "CASE WHEN w.position = cardinality($1::text[]) THEN ':*$' ELSE ':$' END"

/** The lexemes of the word `w` as it is, of the one with umlauts and of its German stem, any of which may match. */
const lexemesWithUmlauts = `nullif(concat_ws(' | ', ${lexemes("'simple'", WHOLE)}, ${lexemes("'simple'", WHOLE, 'w.umlauts')},
      ${lexemes("'german'", "':$'", 'w.umlauts')}), '')`

/**
 * The words, $1, each as it is and as its stems in the languages searched, $2 and the default, and the same with umlauts in place of ae, oe
 * and ue (`umlauts`, the parameter of these; without it no search pays for them). A word that says nothing in one of the languages, such as
 * "the", need not match beside others.
 */
const words = (umlauts: string | null): string => `
WITH stemmer AS (SELECT DISTINCT search_stemmer(language) AS stemmer FROM unnest($2::text[] || ''::text) language),
word AS (
  SELECT w.position, search_words(w.word) AS word, s.stems, s.says_nothing AND NOT bool_and(s.says_nothing) OVER () AS is_optional,
    ${umlauts ? `search_words(w.umlauts) AS umlauts, ${lexemesWithUmlauts}` : lexemes("'simple'", WHOLE)} AS lexemes
  FROM unnest($1::text[]${umlauts ? `, ${umlauts}::text[]` : ''}) WITH ORDINALITY w (word, ${umlauts ? 'umlauts, ' : ''}position)
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

/** The score has the best place of the words as its whole part, ts_rank as the rest (search.best-place-decides). */
const hits = `
SELECT t.document_id, CASE
    WHEN t.sku_key = q.code THEN 6 WHEN replace(t.name_key, ' ', '') = q.code THEN 5
    WHEN t.search @@ q.whole_in_name THEN 4 WHEN t.search @@ q.in_name THEN 3 WHEN t.search @@ q.in_tags THEN 2 ELSE 1 END
  + ts_rank('{0.1, 0.2, 0.4, 1}', t.search, q.anywhere, 33) AS score
FROM query q JOIN release_document_text t ON t.search @@ q.anywhere
WHERE t.language = '' OR lower(t.language) = ANY ($2::text[])`

/**
 * Patterns of LIKE for the words that one mistake separates from `form`: a letter that is wrong, missing, too much, or swapped with the
 * next.
 */
const mistaken = `ARRAY(
    SELECT unnest(ARRAY[left(form, at) || '_' || substr(form, at + 2), left(form, at) || '_' || substr(form, at + 1),
      left(form, at) || substr(form, at + 2), left(form, at) || substr(form, at + 2, 1) || substr(form, at + 1, 1) || substr(form, at + 3)])
    FROM generate_series(0, length(form)) at)`

/** The condition that a text begins with another, as bounds of an index in the order of code points. */
const begins = (text: string, beginning: string): string => `${text} >= ${beginning} AND ${text} < ${beginning} || chr(1114111)`

/** A code with the digits that some letters are taken for. */
const digits = (code: string): string => `translate(${code}, 'oil', '011')`

/** The words that a release has, by its catalog, $5, and sequence, $6. */
const wordOfRelease = 'catalog_id = $5::uuid AND since <= $6::int AND (until IS NULL OR until > $6::int)'

// JSON parses ten times faster than rows.
const asJson = `
SELECT NULL::text AS key, NULL::text AS value,
  json_build_array(coalesce(json_agg(document_id), '[]'), coalesce(json_agg(round(score::numeric, 4)), '[]'))::text AS body
FROM (SELECT document_id, max(score) AS score FROM hit GROUP BY document_id ORDER BY document_id) one`

/** The distance of words that one mistake separates from a beginning of the searched word. */
const CUT = 4

/** Words that stand for another: compounds of which it is the last part, and others. */
const [COMPOUNDS_MAX, OTHERS_MAX] = [20, 5]

const exact = (umlauts: string | null): string => `${words(umlauts)},${query('')},
hit AS (${hits})${asJson}`

/**
 * The documents of any release that every word matches, rising, with scores. $1: words, $2: language tags in lowercase, $3 `withUmlauts`:
 * for each word the one with umlauts, or NULL.
 */
export const searchDocuments = { plain: exact(null), withUmlauts: exact('$3') }

const similar = (umlauts: string | null): string => `${words(umlauts)},
form AS MATERIALIZED (
  SELECT DISTINCT w.position, form, distance, left(form, half) AS head, reverse(substr(form, half + 1)) AS tail,
    left(form, half - 1) || substr(form, half + 1, 1) || substr(form, half, 1) AS swapped, ${mistaken} AS mistaken,
    CASE WHEN distance < ${CUT} AND length(form) > 3 THEN '___%' || form END AS compound
  FROM word w CROSS JOIN LATERAL (
    SELECT form, CASE WHEN form IN (w.word${umlauts ? ', w.umlauts' : ''}) THEN 1 ELSE 2 END AS distance
    FROM stemmer CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(stemmer, w.word)) || w.word
      ${umlauts ? "|| tsvector_to_array(to_tsvector('german', w.umlauts)) || w.umlauts" : ''}) form
    UNION ALL SELECT left(w.word, -cut), ${CUT} FROM (VALUES (1), (2), (3)) c (cut) WHERE length(w.word) - cut >= 3) f
  CROSS JOIN LATERAL (SELECT length(form) / 2 AS half) h
  WHERE length(form) BETWEEN 3 AND 41),
known AS MATERIALIZED (
  SELECT *, bool_and(is_known) OVER () AS all_known
  FROM (
    SELECT w.position, w.word,${umlauts ? ' w.umlauts,' : ''}
      ARRAY(SELECT search_fold(p) FROM jsonb_array_elements_text($3::jsonb -> (w.position - 1)::int) p) AS anchors,
      EXISTS (SELECT FROM form f JOIN catalog_word v ON ${wordOfRelease} AND v.word = f.form
        WHERE f.position = w.position AND f.distance < ${CUT}) AS is_known
    FROM word w WHERE length(w.word) > 2) one),
close AS MATERIALIZED (
  SELECT position, word, min(distance) AS distance, count(*) OVER (PARTITION BY word) > 1 AS is_shared
  FROM (
    SELECT f.position, v.word, CASE WHEN v.word LIKE f.compound THEN 0 ELSE f.distance END AS distance
    FROM form f CROSS JOIN LATERAL (
      SELECT word FROM catalog_word WHERE ${wordOfRelease}
        AND (${begins('word', 'head')} OR ${begins('word', 'swapped')} OR ${begins('reverse(word)', 'tail')}) OFFSET 0) v
    WHERE v.word LIKE f.compound OR v.word LIKE ANY (f.mistaken) AND (length(v.word) > 3 OR f.distance < ${CUT})
    UNION ALL
    SELECT k.position, v.word, 1
    FROM known k JOIN catalog_word v ON ${wordOfRelease}
      AND (${begins('v.word', 'k.word')}${umlauts ? ` OR ${begins('v.word', 'k.umlauts')}` : ''})) one
  GROUP BY position, word),
alternative AS (
  SELECT k.position, string_agg(DISTINCT quote_literal(lexeme) || ':$', ' | ') AS words
  FROM known k CROSS JOIN LATERAL (
    SELECT word, is_compound, row_number() OVER (
      PARTITION BY is_compound ORDER BY is_shared DESC, similarity(word, k.word) DESC, word) AS place
    FROM (
      SELECT c.word, c.distance = 0 AS is_compound, c.is_shared FROM close c
      WHERE c.position = k.position AND (NOT k.is_known OR k.all_known OR c.is_shared)
        AND c.distance <= (SELECT min(distance) + 1 FROM close c WHERE c.position = k.position)
      UNION ALL
      SELECT c.word, false, false
      FROM (
        SELECT v.word FROM catalog_word v WHERE ${wordOfRelease} AND v.occurrences > 0 AND v.word LIKE ANY (k.anchors)
          AND NOT EXISTS (SELECT FROM close c WHERE c.position = k.position) OFFSET 0) c
      WHERE similarity(c.word, k.word) >= 0.3 OR k.word <% c.word) c) a
  CROSS JOIN stemmer s CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(s.stemmer, a.word)) || a.word) lexeme
  WHERE a.place <= CASE WHEN a.is_compound THEN ${COMPOUNDS_MAX} ELSE ${OTHERS_MAX} END
  GROUP BY k.position),${query(', (SELECT a.words FROM alternative a WHERE a.position = word.position)')},
hit AS (${hits}
  UNION ALL
  SELECT * FROM (
    SELECT t.document_id,
      CASE WHEN length(q.code) >= 5 AND strpos(${digits('t.sku_key')}, ${digits('q.code')}) > 0 THEN 1
        ELSE similarity(t.sku_key, q.code) END AS score
    FROM query q CROSS JOIN release_document_text t WHERE $4 AND t.language = '') code
  WHERE score >= 0.5)${asJson}`

/**
 * As searchDocuments, with words of the release in place of those that it has not. A code may be misspelt too. $3: for each word the
 * patterns of similarAnchors, $4: whether the words together may be a code, $7 `withUmlauts`.
 *
 * First the words that are `close` to it, by distance: 0 for a compound whose last part is the word or one of its stems (four letters after
 * three others), 1 for a mistake away from the word, 2 from a stem, CUT from its beginning, since a mistake may change what a stemmer cuts
 * off. Those up to one more than the least distance stand for it. A mistake spares one half, and a compound ends as the word does, so
 * indexes find few words to compare, however many there are. One that is close to two words of the search, as a compound of both is, goes
 * first, and stands for a word that the release has too. Only for a word without any, words of names with similar trigrams. OFFSET 0 keeps
 * trigrams, which take a microsecond a word, for those that match an anchor; an index of them takes longer.
 */
export const searchSimilarDocuments = { plain: similar(null), withUmlauts: similar('$7') }

/** The rank of each text of a release in the order of folded names, by language. $1: release. */
export const namesInOrder = `
SELECT language AS key, NULL::text AS value, json_build_array(json_agg(document_id), json_agg(rank))::text AS body
FROM (
  SELECT t.language, t.document_id, rank() OVER (ORDER BY t.name_key) AS rank
  FROM (SELECT unnest(documents) AS id FROM release_listing WHERE release_id = $1::uuid AND scope = $1::uuid) l
  JOIN release_document_text t ON t.document_id = l.id) one
GROUP BY language`
