-- AlterTable
ALTER TABLE "release_document_price" ADD COLUMN     "sales" TEXT[];

-- AlterTable
ALTER TABLE "price_history" ADD COLUMN     "sales" TEXT[],
ADD COLUMN     "since" TIMESTAMPTZ(3);

-- Spans that no sale supplies name none. The others are named at the start, by cutting them again (price-spans.ts).
UPDATE "release_document_price" SET "sales" = array_fill(NULL::text, ARRAY[cardinality("starts")]) WHERE NOT (true = ANY ("on_sale"));

-- A past price was in force since the one before it ended. Since when the first one was is settled at the start, by the days for which prices
-- are kept (price-history-clean-up.ts). Which sales supplied past prices is not known.
UPDATE "price_history" h SET "since" = p.before
FROM (SELECT catalog_id, product_id, currency, until, lag(until) OVER (PARTITION BY catalog_id, product_id, currency ORDER BY until) AS before FROM "price_history") p
WHERE h.catalog_id = p.catalog_id AND h.product_id = p.product_id AND h.currency = p.currency AND h.until = p.until;
UPDATE "price_history" SET "sales" = '{}' WHERE "starts" = '{}';
