-- AlterTable
ALTER TABLE "catalog" ADD COLUMN     "price_history_from" TIMESTAMPTZ(3);

-- Releases that were published before there was a history left nothing in it. The latest one tells its own prices.
UPDATE catalog SET price_history_from = coalesce((SELECT published_at FROM release WHERE id = latest_release_id), now())
WHERE first_published_at IS NOT NULL;
