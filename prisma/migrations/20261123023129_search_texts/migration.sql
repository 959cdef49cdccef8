-- Both extensions come with PostgreSQL, and the owner of a database may create them.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS unaccent;
EXCEPTION WHEN OTHERS THEN
  RAISE EXCEPTION 'The database needs the extensions pg_trgm and unaccent: %. Install PostgreSQL''s contrib modules on its server, and let its owner run CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent', SQLERRM;
END $$;

-- A publish that runs ends first, so that none of its documents is missed below.
LOCK TABLE release_document IN SHARE MODE;

-- CreateTable
CREATE TABLE "release_document_text" (
    "document_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "sku_key" TEXT COLLATE "C",
    "search" tsvector NOT NULL,

    CONSTRAINT "release_document_text_pkey" PRIMARY KEY ("document_id","language")
);

-- CreateTable
CREATE TABLE "search_word" (
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "search_word_pkey" PRIMARY KEY ("word")
);

-- A text in lowercase and without accents. Most texts are ASCII, which takes a tenth of the time.
CREATE FUNCTION search_fold(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT lower(CASE WHEN octet_length($1) = length($1) THEN $1 ELSE unaccent($1) END)
$$;

-- A folded text whose parts are words of their own, such as those of a SKU, which PostgreSQL's parser would take for a path, a host or a
-- negative number. Apostrophes go.
CREATE FUNCTION search_words(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT translate(search_fold($1), '-/._:@&<+#''', '          ')
$$;

-- The text search configuration whose stems a language has; english for the default texts, whose language nobody told.
CREATE FUNCTION search_stemmer(language text) RETURNS regconfig LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE split_part(lower($1), '-', 1)
    WHEN '' THEN 'english'::regconfig WHEN 'en' THEN 'english' WHEN 'de' THEN 'german' WHEN 'fr' THEN 'french' WHEN 'es' THEN 'spanish'
    WHEN 'it' THEN 'italian' WHEN 'nl' THEN 'dutch' WHEN 'pt' THEN 'portuguese' WHEN 'da' THEN 'danish' WHEN 'sv' THEN 'swedish'
    WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian' WHEN 'nn' THEN 'norwegian' WHEN 'fi' THEN 'finnish' WHEN 'hu' THEN 'hungarian'
    WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'tr' THEN 'turkish' WHEN 'el' THEN 'greek' WHEN 'ar' THEN 'arabic'
    WHEN 'ca' THEN 'catalan' WHEN 'lt' THEN 'lithuanian' ELSE 'simple' END
$$;

-- The texts of the documents that there are, as a publish writes those of new ones.
WITH body AS (SELECT id, sku, manufacturer_part_num, upc_ean, (body -> 0)::jsonb AS product FROM release_document OFFSET 0),
text AS (
  SELECT id, '' AS language, product ->> 1 AS name, product ->> 2 AS description, sku,
    concat_ws(' ', manufacturer_part_num, upc_ean) AS numbers,
    coalesce((SELECT string_agg(tag, ' ') FROM jsonb_array_elements_text(product -> 8) tag), '') AS tags
  FROM body
  UNION ALL
  SELECT id, l.key, coalesce(l.value ->> 'name', product ->> 1), l.value ->> 'description', NULL, '', ''
  FROM body CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof(product -> 13) = 'object' THEN product -> 13 END) l),
folded AS (
  SELECT id, language, search_words(name) AS name_key, search_words(sku) AS sku_words, search_words(numbers) AS numbers,
    search_words(tags) AS tags, search_fold(left(description, 20000)) AS description, search_stemmer(language) AS stemmer
  FROM text OFFSET 0)
INSERT INTO release_document_text (document_id, language, name_key, sku_key, search)
SELECT id, language, name_key, replace(sku_words, ' ', ''),
  setweight(to_tsvector(stemmer, concat_ws(' ', name_key, sku_words, replace(sku_words, ' ', ''), numbers)), 'A')
    || setweight(to_tsvector(stemmer, tags), 'B') || to_tsvector(stemmer, coalesce(description, ''))
FROM folded;

INSERT INTO search_word
SELECT DISTINCT word
FROM (SELECT btrim(unnest(string_to_array(name_key, ' ')), '()[],;!?"') AS word FROM release_document_text) found
WHERE length(word) BETWEEN 3 AND 40 AND word ~ '^[[:alpha:]]+$';

-- CreateIndex
CREATE INDEX "release_document_text_search_idx" ON "release_document_text" USING GIN ("search");
