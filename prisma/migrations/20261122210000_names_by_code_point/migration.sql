-- Names in the order of their code points, whatever the database's collation: lists of records are ordered by them. No table is rewritten.
ALTER TABLE price_book ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE plan ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE offering ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE subscription_product ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE catalog_node ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE product ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE catalog ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE catalog_rule ALTER COLUMN name TYPE TEXT COLLATE "C";
ALTER TABLE release ALTER COLUMN catalog_name TYPE TEXT COLLATE "C";

-- The indexes over names are new now, and the oldest guard that a record breaks is the one that a client is told of: the names' go first.
DROP INDEX price_book_external_ref_key;
CREATE UNIQUE INDEX price_book_external_ref_key ON price_book (md5(external_ref));
DROP INDEX catalog_node_parent_id_slug_key;
CREATE UNIQUE INDEX catalog_node_parent_id_slug_key ON catalog_node (parent_id, md5(slug));
