-- A list tier from quantity 1 decides the price of one unit by another rule than before, where it meets a sale. So the spans of such documents
-- go, and those of bundles with such options; the releases that have them cut them again (price-spans.ts). The price history keeps what was
-- charged until now.
WITH affected AS MATERIALIZED (
  SELECT id, product_id FROM "release_document" WHERE jsonb_path_exists((body -> 1)::jsonb, '$.**.tiers.*.minimum_quantity ? (@ <= 1)')),
charged AS (
  INSERT INTO "price_history" (catalog_id, product_id, currency, until, starts, amounts)
  SELECT c.id, a.product_id, p.currency, now(), p.starts, p.amounts
  FROM "catalog" c JOIN "release_listing" l ON l.release_id = latest_release(c.id, now()) AND l.scope = l.release_id
  CROSS JOIN LATERAL unnest(l.documents) AS document (number) JOIN affected a ON a.id = document.number JOIN "release_document_price" p ON p.document_id = a.id),
gone AS (
  DELETE FROM "release_document_price" p USING affected a WHERE a.id = p.document_id)
UPDATE "release" r SET "has_price_spans" = false
FROM "release_listing" l
WHERE l.release_id = r.id AND l.scope = r.id AND r.has_price_spans
  AND EXISTS (SELECT FROM unnest(l.documents) u (id) JOIN affected USING (id));

-- A publish no longer warns of tiers above sales.
UPDATE "release" SET "notes" = "notes" || jsonb_build_object(
  'warnings', jsonb_path_query_array("notes" -> 'warnings', '$[*] ? (@.code != "TIER_ABOVE_SALE")'),
  'warning_count', ("notes" ->> 'warning_count')::int
    - jsonb_array_length(jsonb_path_query_array("notes" -> 'warnings', '$[*] ? (@.code == "TIER_ABOVE_SALE")')))
WHERE jsonb_path_exists("notes" -> 'warnings', '$[*] ? (@.code == "TIER_ABOVE_SALE")');
