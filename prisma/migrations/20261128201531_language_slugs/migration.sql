-- Slugs in languages (slug.in-language) stand in `locales`. Documents have them beside their slug too; those of the version before have none, and are
-- written anew by the next publish. A key has letters of ASCII alone, as that of a slug without a language (slugs_in_any_case).
ALTER TABLE "release_document" ADD COLUMN     "language_slugs" JSONB;
CREATE INDEX release_document_language_slugs_idx ON release_document USING gin ((lower(language_slugs::text COLLATE "C")::jsonb))
  WHERE language_slugs IS NOT NULL;
CREATE INDEX product_language_slugs_idx ON product USING gin ((lower(jsonb_path_query_array(locales, '$.*.slug')::text COLLATE "C")::jsonb))
  WHERE locales @? '$.*.slug';
CREATE INDEX catalog_node_language_slugs_idx ON catalog_node USING gin ((lower(jsonb_path_query_array(locales, '$.*.slug')::text COLLATE "C")::jsonb))
  WHERE locales @? '$.*.slug';
-- A publish asks which products have some, and texts in `locales` may be long.
CREATE INDEX product_with_language_slugs_idx ON product (id) WHERE locales @? '$.*.slug';
