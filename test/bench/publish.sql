-- :products live products in :products / 50 nodes of two hierarchies, three books with a price row for each product and three currencies in
-- each row, a sale on each row of the highest book. Of twenty products one is a parent, four are its children (two of them without a
-- row of their own), one is a bundle of two options that is summed.
CREATE OR REPLACE FUNCTION pg_temp.made(kind text, number bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS
$$SELECT (kind || '0000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid$$;

-- A tree with ten children under each node; nodes 1 and 2 are the hierarchies.
INSERT INTO catalog_node (id, parent_id, hierarchy_id, name, slug, curated_product_ids, created_at, updated_at)
WITH RECURSIVE tree AS (
  SELECT i AS node, i AS root FROM generate_series(1, 2) i
  UNION ALL SELECT child, root FROM tree CROSS JOIN LATERAL generate_series(tree.node * 10 - 7, tree.node * 10 + 2) child
  WHERE child BETWEEN 3 AND :products / 50 + 2)
SELECT pg_temp.made('2', node), CASE WHEN node > 2 THEN pg_temp.made('2', (node + 7) / 10) END, pg_temp.made('2', root),
  'Node ' || node, 'node-' || node, CASE WHEN node > 2 THEN ARRAY[pg_temp.made('1', node - 2)] ELSE '{}' END, now(), now()
FROM tree ORDER BY node;

INSERT INTO product (id, name, description, sku, slug, status, tags, parent_id, option_ids, variations, components, component_product_ids,
  created_at, updated_at)
SELECT pg_temp.made('1', i), 'Product ' || i, 'A fine product, number ' || i || ', made with care for those who asked for number ' || i || '.',
  'SKU-' || i, 'product-' || i, 'live', ARRAY['t' || (i % 100), 'u' || (i % 7)],
  CASE WHEN i % 20 BETWEEN 1 AND 4 THEN pg_temp.made('1', i - i % 20) END,
  CASE WHEN i % 20 BETWEEN 1 AND 4 THEN ARRAY[pg_temp.made('7', i % 20)] ELSE '{}' END,
  CASE WHEN i % 20 = 0 THEN jsonb_build_array(jsonb_build_object('id', pg_temp.made('7', 9), 'name', 'Size', 'options', (
    SELECT jsonb_agg(jsonb_build_object('id', pg_temp.made('7', o), 'name', 'Option ' || o, 'price_modifiers', jsonb_build_array('m' || o)))
    FROM generate_series(1, 4) o))) END,
  CASE WHEN i % 20 = 10 THEN jsonb_build_object('main', jsonb_build_object('name', 'Main', 'min', 2, 'options', jsonb_build_array(
    jsonb_build_object('id', pg_temp.made('1', i + 1), 'quantity', 1), jsonb_build_object('id', pg_temp.made('1', i + 2), 'quantity', 2)))) END,
  CASE WHEN i % 20 = 10 THEN ARRAY[pg_temp.made('1', i + 1), pg_temp.made('1', i + 2)] ELSE '{}' END,
  now(), now() - (i || ' ms')::interval
FROM generate_series(0, :products - 1) i ORDER BY i % 20 BETWEEN 1 AND 4, i;

INSERT INTO node_product (node_id, product_id, created_at)
SELECT pg_temp.made('2', i % (:products / 50) + 3), pg_temp.made('1', i), now() FROM generate_series(0, :products - 1) i;

INSERT INTO price_book (id, name, created_at, updated_at)
SELECT pg_temp.made('5', b), 'Book ' || b, now(), now() FROM generate_series(1, 3) b;
INSERT INTO price_modifier (id, price_book_id, name, modifier_type, currencies, created_at, updated_at)
SELECT pg_temp.made('8', b * 8 + m), pg_temp.made('5', b), 'm' || m, 'price_increment', '{"USD": {"amount": 10, "includes_tax": false}}', now(), now()
FROM generate_series(1, 3) b, generate_series(1, 4) m;
INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at)
SELECT pg_temp.made('3', i * 4 + b), pg_temp.made('5', b),
  CASE WHEN i % 20 IN (1, 2, 10) THEN 'SPARE-' ELSE 'SKU-' END || i, jsonb_build_object(
  'USD', jsonb_build_object('amount', 1000 + i, 'includes_tax', false),
  'EUR', jsonb_build_object('amount', 900 + i, 'includes_tax', true),
  'GBP', jsonb_build_object('amount', 800 + i, 'includes_tax', true)), now(), now()
FROM generate_series(1, 3) b, generate_series(0, :products - 1) i;
INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
SELECT gen_random_uuid(), id, price_book_id, 'season', now() - interval '10 days', now() + interval '50 days', '{}', currencies, now(), now()
FROM product_price WHERE price_book_id = pg_temp.made('5', 3);

INSERT INTO catalog (id, name, created_at, updated_at) VALUES (pg_temp.made('6', 1), 'Bench', now(), now());
INSERT INTO catalog_hierarchy SELECT pg_temp.made('6', 1), pg_temp.made('2', h), h FROM generate_series(1, 2) h;
INSERT INTO catalog_price_book SELECT pg_temp.made('6', 1), pg_temp.made('5', b), b, b FROM generate_series(1, 3) b;
ANALYZE;
