-- Labels (label.one-per-name), and those that a release holds (label.frozen-at-publish). Releases of the version before have none.
ALTER TABLE "release" ADD COLUMN     "labels" JSONB;

CREATE TABLE "label" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "locales" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "label_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "label_created_at_id_idx" ON "label"("created_at", "id");

CREATE UNIQUE INDEX label_kind_key_key ON label (kind, md5(key));
ALTER TABLE label ADD CONSTRAINT label_kind_check CHECK (kind IN ('sale', 'tier', 'tag', 'attribute', 'attribute_value'));
CREATE TRIGGER label_version BEFORE UPDATE ON label FOR EACH ROW EXECUTE FUNCTION take_next_version();
CREATE TRIGGER label_deleted AFTER DELETE ON label REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember_deletion();

ALTER TABLE "change" DROP CONSTRAINT change_topic_check;
ALTER TABLE "change" ADD CONSTRAINT change_topic_check CHECK (topic IN ('catalog', 'catalog_node', 'catalog_rule', 'label', 'offering', 'plan',
  'price_book', 'price_modifier', 'product', 'product_price', 'release', 'subscription', 'subscription_product', 'webhook'));
