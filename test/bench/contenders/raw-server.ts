/**
 * What a skilled engineer writes by hand: node:http and one prepared statement over the authoring tables that makes the
 * whole answer, the sale chosen in SQL. No authentication, no logging, no check of the input.
 */
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

/** $1 catalog, $2 node, $3 offset, $4 currency, $5 language. */
const text = `
WITH RECURSIVE shown AS (
  SELECT p.*, row_number() OVER (ORDER BY p.updated_at DESC, p.id) AS place
  FROM node_product a JOIN product p ON p.id = a.product_id
  WHERE a.node_id = $2 AND p.status = 'live' ORDER BY p.updated_at DESC, p.id LIMIT 25 OFFSET $3),
attached AS (SELECT a.product_id, a.node_id FROM node_product a WHERE a.product_id IN (SELECT id FROM shown)),
above AS (
  SELECT n.id AS node_id, n.parent_id, 1 AS level FROM catalog_node n WHERE n.id IN (SELECT node_id FROM attached)
  UNION ALL
  SELECT a.node_id, n.parent_id, a.level + 1 FROM above a JOIN catalog_node n ON n.id = a.parent_id),
crumb AS (SELECT node_id, json_agg(parent_id ORDER BY level DESC) AS ids FROM above WHERE parent_id IS NOT NULL GROUP BY node_id)
SELECT json_build_object(
  'total', (SELECT count(*) FROM node_product a JOIN product p ON p.id = a.product_id WHERE a.node_id = $2 AND p.status = 'live'),
  'data', (SELECT json_agg(json_build_object(
    'id', p.id, 'name', coalesce(p.locales -> $5 ->> 'name', p.name), 'sku', p.sku, 'slug', p.slug,
    'price', (SELECT json_object_agg(c.key, coalesce(s.currencies -> c.key, c.value)) FROM jsonb_each(r.currencies) c),
    'original', r.currencies,
    'display', coalesce(s.currencies -> $4, r.currencies -> $4) -> 'amount',
    'sale', s.name, 'sale_expires', s.valid_to,
    'breadcrumbs', (
      SELECT json_object_agg(a.node_id, c.ids) FROM attached a JOIN crumb c ON c.node_id = a.node_id WHERE a.product_id = p.id),
    'parent', p.parent_id,
    'children', (SELECT json_agg(c.id ORDER BY c.created_at, c.id) FROM product c WHERE c.parent_id = p.id),
    'main_image', p.main_image_id, 'files', p.files) ORDER BY p.place)
  FROM shown p
  LEFT JOIN LATERAL (
    SELECT r.* FROM product_price r JOIN catalog_price_book b ON b.price_book_id = r.price_book_id
    WHERE b.catalog_id = $1 AND r.sku = p.sku ORDER BY b.priority DESC, b.position LIMIT 1) r ON true
  LEFT JOIN LATERAL ( -- sale.shortest-period-wins
    SELECT s.* FROM sale s
    WHERE s.product_price_id = r.id AND s.bundle_ids = '{}' AND (s.valid_from IS NULL OR s.valid_from <= now())
      AND (s.valid_to IS NULL OR s.valid_to > now())
    ORDER BY coalesce(s.valid_to, '9999-01-01') - coalesce(s.valid_from, '0001-01-01'), s.valid_from DESC LIMIT 1) s ON true))::text AS body`

const server = createServer(async (req, res) => {
  const query = new URLSearchParams(req.url?.slice(2))
  const values = [
    process.env.CATALOG,
    query.get('node'),
    query.get('offset'),
    query.get('currency'),
    query.get('language'),
  ]
  const { rows } = await pool.query<{ body: string }>({ name: 'page', text, values })
  const body = Buffer.from(rows[0]?.body ?? '')
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
