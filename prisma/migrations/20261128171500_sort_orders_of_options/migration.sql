-- Releases that are there have the sort orders of options too, as a publish writes them: of the options of each variation
-- what most parents of the release say. Each document is taken apart once, however many releases share it.
WITH parent AS (
  SELECT f.release_id, d.id AS document_id
  FROM "release_facet" f CROSS JOIN LATERAL unnest(f.documents) d (id)
  WHERE f.field = 'product_types' AND f.value = 'parent'),
given AS MATERIALIZED (
  SELECT d.id AS document_id, v.name AS variation, o.name AS option, o.sort_order
  FROM "release_document" d
  CROSS JOIN LATERAL json_to_recordset(nullif((d.body -> 0 -> 14)::text, 'null')::json) v (name text, options jsonb)
  CROSS JOIN LATERAL jsonb_to_recordset(v.options) o (name text, sort_order int)
  WHERE d.id IN (SELECT document_id FROM parent) AND o.sort_order IS NOT NULL),
chosen AS (
  SELECT DISTINCT ON (p.release_id, g.variation, g.option) p.release_id, g.variation, g.option, g.sort_order
  FROM parent p JOIN given g ON g.document_id = p.document_id
  WHERE length(g.variation) <= 100 AND length(g.option) <= 100
  GROUP BY p.release_id, g.variation, g.option, g.sort_order
  ORDER BY p.release_id, g.variation, g.option, count(*) DESC, g.sort_order DESC)
INSERT INTO "release_facet" ("release_id", "field", "value", "documents")
SELECT release_id, 'sort_orders', jsonb_build_array(variation, option, sort_order)::text, '{}' FROM chosen
ON CONFLICT DO NOTHING;
