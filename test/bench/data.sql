-- 100,000 live products in 400 hierarchies of 5 nodes each: hierarchy 0 holds what is left, every other one 200 products in its deepest
-- node. Of ten products one is a parent with four children. Each has a price row in three currencies and a sale that runs. updated_at falls
-- as the id rises, so that order by key is the order of listings and every contender can tell it.
CREATE FUNCTION pg_temp.made(kind text, number bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS
$$SELECT (kind || '0000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid$$;

-- Nodes: number = hierarchy * 8 + level, level 0 is the hierarchy itself.
INSERT INTO catalog_node (id, parent_id, hierarchy_id, name, slug, description, curated_product_ids, created_at, updated_at)
SELECT pg_temp.made('2', h * 8 + l), CASE WHEN l > 0 THEN pg_temp.made('2', h * 8 + l - 1) END, pg_temp.made('2', h * 8),
  'Node ' || h || '.' || l, 'node-' || h || '-' || l, 'Level ' || l || ' of hierarchy ' || h, '{}', '2026-01-01', '2026-01-01'
FROM generate_series(0, 399) h, generate_series(0, 4) l ORDER BY h, l;

INSERT INTO product (id, name, description, sku, slug, status, commodity_type, tags, locales, parent_id, option_ids, component_product_ids,
  files, main_image_id, created_at, updated_at)
SELECT pg_temp.made('1', i), 'Product ' || i, 'A fine product, number ' || i || ', made with care for those who asked for number ' || i || '.',
  'SKU-' || lpad(i::text, greatest(6, length(i::text)), '0'), 'product-' || i, 'live', 'physical', ARRAY['t' || (i % 100), 'u' || (i % 1000)],
  jsonb_build_object('de', jsonb_build_object('name', 'Produkt ' || i, 'description', 'Ein feines Produkt mit der Nummer ' || i)),
  CASE WHEN i % 10 BETWEEN 1 AND 4 THEN pg_temp.made('1', i - i % 10) END, '{}', '{}',
  jsonb_build_array(jsonb_build_object('id', pg_temp.made('7', i), 'created_at', '2026-01-01T00:00:00.000Z')), pg_temp.made('8', i),
  '2026-01-01', '2026-06-01'::timestamptz - (i || ' seconds')::interval
FROM generate_series(10, :products + 9) i ORDER BY i % 10 BETWEEN 1 AND 4, i;

INSERT INTO node_product (node_id, product_id, created_at)
SELECT pg_temp.made('2', CASE WHEN i < 399 * 200 THEN (i / 200 + 1) * 8 + 4 ELSE 4 END), pg_temp.made('1', i), '2026-01-01'
FROM generate_series(10, :products + 9) i;

INSERT INTO price_book (id, name, created_at, updated_at) VALUES (pg_temp.made('5', 1), 'Retail', '2026-01-01', '2026-01-01');

INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at)
SELECT pg_temp.made('3', i), pg_temp.made('5', 1), 'SKU-' || lpad(i::text, greatest(6, length(i::text)), '0'), jsonb_build_object(
  'USD', jsonb_build_object('amount', 1000 + i, 'includes_tax', false),
  'EUR', jsonb_build_object('amount', 900 + i, 'includes_tax', true),
  'GBP', jsonb_build_object('amount', 800 + i, 'includes_tax', true)), '2026-01-01', '2026-01-01'
FROM generate_series(10, :products + 9) i;

INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
SELECT pg_temp.made('4', i), pg_temp.made('3', i), pg_temp.made('5', 1), 'season', date_trunc('day', now()) - interval '10 days',
  date_trunc('day', now()) + interval '50 days', '{}', jsonb_build_object(
  'USD', jsonb_build_object('amount', 500 + i, 'includes_tax', false),
  'EUR', jsonb_build_object('amount', 400 + i, 'includes_tax', true),
  'GBP', jsonb_build_object('amount', 300 + i, 'includes_tax', true)), '2026-01-01', '2026-01-01'
FROM generate_series(10, :products + 9) i;

INSERT INTO catalog (id, name, created_at, updated_at) VALUES (pg_temp.made('6', 1), 'Bench', '2026-01-01', '2026-01-01');
INSERT INTO catalog_hierarchy SELECT pg_temp.made('6', 1), pg_temp.made('2', h * 8), h FROM generate_series(0, 399) h;
INSERT INTO catalog_price_book VALUES (pg_temp.made('6', 1), pg_temp.made('5', 1), 1, 0);

-- What PostGraphile reads of the edge from product to price, which no foreign key tells.
COMMENT ON TABLE product IS E'@unique sku';
COMMENT ON TABLE product_price IS E'@foreignKey (sku) references product (sku)';
ANALYZE;
