-- Slugs in whatever case, of which a made one differs (slug.made-ones-differ). Slugs have letters of ASCII alone, which `lower` with this collation
-- folds alike on every database. Servers of the version before write these tables too, so the index makes the form, not a column.
CREATE INDEX product_slug_key_idx ON product (lower(slug COLLATE "C"));
CREATE INDEX catalog_node_slug_key_idx ON catalog_node (parent_id, lower(slug COLLATE "C"));
CREATE INDEX release_document_slug_key_idx ON release_document USING hash (lower(slug COLLATE "C"));
