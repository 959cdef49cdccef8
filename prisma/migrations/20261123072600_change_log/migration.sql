-- The application writes the log from now on, one row for each record with what it was and is: triggers can't know who writes.
DROP TRIGGER product_price_inserted_note ON product_price;
DROP TRIGGER product_price_updated_note ON product_price;
DROP TRIGGER product_price_deleted_note ON product_price;
DROP TRIGGER subscription_inserted_note ON subscription;
DROP TRIGGER subscription_updated_note ON subscription;
DROP TRIGGER release_activated_note ON release_activation;
DROP FUNCTION note_product_prices();
DROP FUNCTION note_subscriptions();
DROP FUNCTION note_publications();
DROP FUNCTION note_change(text, uuid, uuid[]);

-- Entries of a day at most, of which nobody knows the author. Ids go on, so a cursor from before finds no entry and is refused.
TRUNCATE "change";
ALTER TABLE "change" DROP CONSTRAINT change_topic_check;

-- AlterTable
ALTER TABLE "change" DROP COLUMN "record_ids",
ADD COLUMN     "after" JSON,
ADD COLUMN     "before" JSON,
ADD COLUMN     "operation" TEXT NOT NULL,
ADD COLUMN     "record_id" UUID NOT NULL,
ADD COLUMN     "role" TEXT NOT NULL,
ADD COLUMN     "subject" TEXT NOT NULL;

-- DropIndex
DROP INDEX "change_xid_idx";

-- CreateIndex
CREATE INDEX "change_xid_id_idx" ON "change"("xid", "id");

-- CreateIndex
CREATE INDEX "change_record_id_id_idx" ON "change"("record_id", "id");

-- CreateIndex
CREATE INDEX "change_created_at_id_idx" ON "change"("created_at", "id");

-- CreateIndex
CREATE INDEX "change_operation_id_idx" ON "change"("operation", "id");

-- A subject may be longer than an index entry
CREATE INDEX change_subject_id_idx ON change (md5(subject), id);

-- Words
ALTER TABLE "change" ADD CONSTRAINT change_topic_check CHECK (topic IN ('catalog', 'catalog_node', 'catalog_rule', 'offering', 'plan',
  'price_book', 'price_modifier', 'product', 'product_price', 'release', 'subscription', 'subscription_product'));
ALTER TABLE "change" ADD CONSTRAINT change_role_check CHECK (role IN ('admin', 'shopper'));
ALTER TABLE "change" ADD CONSTRAINT change_state_check CHECK (before IS NOT NULL OR after IS NOT NULL);
