-- What former releases called products, hierarchies and nodes (slug.old-ones-go-on). `path` has the slugs from the hierarchy down, of a product its
-- slug. It may be longer than an index takes, so indexes are over hashes.
CREATE TABLE "former_slug" (
    "id" BIGSERIAL NOT NULL,
    "catalog_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "former_slug_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "former_slug" ADD CONSTRAINT "former_slug_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE former_slug ADD CONSTRAINT former_slug_kind_check CHECK (kind IN ('product', 'node'));
CREATE UNIQUE INDEX former_slug_key ON former_slug (catalog_id, record_id, kind, until, md5(path));
CREATE INDEX former_slug_path_idx ON former_slug USING hash (lower(path COLLATE "C"));

-- The releases that are still there: each compared with the next one of its catalog.
CREATE TEMP TABLE slug_change AS
SELECT before, after, catalog_id, until FROM (
  SELECT id AS before, catalog_id, lead(id) OVER later AS after, lead(published_at) OVER later AS until
  FROM release WHERE status = 'published' WINDOW later AS (PARTITION BY catalog_id ORDER BY sequence)) r
WHERE after IS NOT NULL AND until IS NOT NULL;

INSERT INTO former_slug (catalog_id, kind, record_id, path, until)
SELECT DISTINCT c.catalog_id, 'product', d.product_id, d.slug, c.until
FROM slug_change c JOIN release_listing l ON l.release_id = c.before AND l.scope = c.before
CROSS JOIN LATERAL (
  SELECT unnest(l.documents) EXCEPT SELECT unnest(documents) FROM release_listing WHERE release_id = c.after AND scope = c.after) gone (id)
JOIN release_document d ON d.id = gone.id
WHERE NOT EXISTS (
  SELECT FROM release_listing n JOIN release_document e ON e.product_id = d.product_id AND e.slug = d.slug AND e.id = ANY (n.documents)
  WHERE n.release_id = c.after AND n.scope = c.after);

INSERT INTO former_slug (catalog_id, kind, record_id, path, until)
WITH RECURSIVE tree AS (
  SELECT release_id, node_id, slug AS path, 1 AS depth FROM release_node WHERE parent_id IS NULL
  UNION ALL
  SELECT n.release_id, n.node_id, t.path || '/' || n.slug, t.depth + 1
  FROM release_node n JOIN tree t ON t.release_id = n.release_id AND t.node_id = n.parent_id WHERE t.depth < 10)
SELECT c.catalog_id, 'node', b.node_id, b.path, c.until FROM slug_change c JOIN tree b ON b.release_id = c.before
WHERE NOT EXISTS (SELECT FROM tree a WHERE a.release_id = c.after AND a.node_id = b.node_id AND a.path = b.path);
DROP TABLE slug_change;
