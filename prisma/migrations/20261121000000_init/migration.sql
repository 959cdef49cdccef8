-- Every stored change of an authoring row takes its version from here (schema.prisma).
CREATE SEQUENCE version_seq;
CREATE FUNCTION next_version() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT nextval('version_seq') $$;

-- CreateTable
CREATE TABLE "subscription_product" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sku" TEXT,
    "main_image" TEXT,
    "price" JSONB NOT NULL DEFAULT '{}',
    "price_units" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "subscription_product_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "billing_interval_type" TEXT NOT NULL,
    "billing_frequency" INTEGER NOT NULL,
    "trial_period" INTEGER NOT NULL,
    "plan_length" INTEGER NOT NULL,
    "end_behavior" TEXT NOT NULL,
    "can_pause" BOOLEAN NOT NULL,
    "can_resume" BOOLEAN NOT NULL,
    "can_cancel" BOOLEAN NOT NULL,
    "base_price_percentage" DOUBLE PRECISION,
    "fixed_price" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offering" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "offering_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offering_product" (
    "offering_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "offering_product_pkey" PRIMARY KEY ("offering_id","product_id")
);

-- CreateTable
CREATE TABLE "offering_plan" (
    "offering_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "offering_plan_pkey" PRIMARY KEY ("offering_id","plan_id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "account_id" UUID NOT NULL,
    "offering_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "payment_authority" JSONB NOT NULL,
    "subscriber_name" TEXT NOT NULL,
    "subscriber_email" TEXT NOT NULL,
    "offering" JSONB NOT NULL,
    "plan" JSONB NOT NULL,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "canceled" BOOLEAN NOT NULL DEFAULT false,
    "paused_at" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),
    "held_since" TIMESTAMPTZ(3),
    "state" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription_state" (
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "subscription_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_book" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "price_book_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product_price" (
    "id" UUID NOT NULL,
    "price_book_id" UUID NOT NULL,
    "sku" TEXT NOT NULL,
    "external_ref" TEXT,
    "currencies" JSONB NOT NULL,
    "admin_attributes" JSONB,
    "shopper_attributes" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "product_price_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sale" (
    "id" UUID NOT NULL,
    "product_price_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3),
    "valid_to" TIMESTAMPTZ(3),
    "bundle_ids" UUID[],
    "currencies" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sale_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_modifier" (
    "id" UUID NOT NULL,
    "price_book_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "external_ref" TEXT,
    "modifier_type" TEXT NOT NULL,
    "currencies" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "price_modifier_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "sku" TEXT,
    "slug" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "commodity_type" TEXT,
    "upc_ean" TEXT,
    "manufacturer_part_num" TEXT,
    "tags" TEXT[],
    "components" JSONB,
    "component_product_ids" UUID[],
    "custom_inputs" JSONB,
    "extensions" JSONB,
    "locales" JSONB,
    "variations" JSONB,
    "build_rules" JSONB,
    "parent_id" UUID,
    "option_ids" UUID[],
    "files" JSONB,
    "main_image_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "product_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "catalog_node" (
    "id" UUID NOT NULL,
    "parent_id" UUID,
    "hierarchy_id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "label" TEXT,
    "sort_order" INTEGER,
    "locales" JSONB,
    "curated_product_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "catalog_node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_product" (
    "node_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "node_product_pkey" PRIMARY KEY ("node_id","product_id")
);

-- CreateTable
CREATE TABLE "catalog" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "locales" JSONB,
    "latest_release_id" UUID,
    "first_published_at" TIMESTAMPTZ(3),
    "release_sequence" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "catalog_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "catalog_hierarchy" (
    "catalog_id" UUID NOT NULL,
    "hierarchy_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "catalog_hierarchy_pkey" PRIMARY KEY ("catalog_id","hierarchy_id")
);

-- CreateTable
CREATE TABLE "catalog_price_book" (
    "catalog_id" UUID NOT NULL,
    "price_book_id" UUID NOT NULL,
    "priority" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "catalog_price_book_pkey" PRIMARY KEY ("catalog_id","price_book_id")
);

-- CreateTable
CREATE TABLE "catalog_rule" (
    "id" UUID NOT NULL,
    "external_ref" TEXT,
    "name" TEXT NOT NULL,
    "catalog_id" UUID NOT NULL,
    "account_ids" TEXT[],
    "channels" TEXT[],
    "tags" TEXT[],
    "schedules" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" BIGINT NOT NULL DEFAULT next_version(),

    CONSTRAINT "catalog_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release" (
    "id" UUID NOT NULL,
    "catalog_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "hierarchy_ids" UUID[],
    "product_count" INTEGER NOT NULL DEFAULT 0,
    "node_count" INTEGER NOT NULL DEFAULT 0,
    "notes" JSONB NOT NULL DEFAULT '{}',
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release_node" (
    "release_id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "parent_id" UUID,
    "hierarchy_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "label" TEXT,
    "sort_order" INTEGER,
    "locales" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "release_node_pkey" PRIMARY KEY ("release_id","node_id")
);

-- CreateTable
CREATE TABLE "release_listing" (
    "release_id" UUID NOT NULL,
    "scope" UUID NOT NULL,
    "curated" INTEGER NOT NULL,
    "documents" INTEGER[],

    CONSTRAINT "release_listing_pkey" PRIMARY KEY ("release_id","scope")
);

-- CreateTable
CREATE TABLE "release_facet" (
    "release_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "documents" INTEGER[],

    CONSTRAINT "release_facet_pkey" PRIMARY KEY ("release_id","field","value")
);

-- CreateTable
CREATE TABLE "release_document" (
    "id" SERIAL NOT NULL,
    "fingerprint" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sku" TEXT,
    "slug" TEXT NOT NULL,
    "manufacturer_part_num" TEXT,
    "upc_ean" TEXT,
    "body" JSON NOT NULL,

    CONSTRAINT "release_document_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "id" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "store_fact" (
    "name" TEXT NOT NULL,

    CONSTRAINT "store_fact_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "subscription_product_created_at_id_idx" ON "subscription_product"("created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_product_external_ref_idx" ON "subscription_product" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "subscription_product_sku_idx" ON "subscription_product" USING HASH ("sku");

-- CreateIndex
CREATE INDEX "plan_created_at_id_idx" ON "plan"("created_at", "id");

-- CreateIndex
CREATE INDEX "plan_external_ref_idx" ON "plan" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "offering_created_at_id_idx" ON "offering"("created_at", "id");

-- CreateIndex
CREATE INDEX "offering_external_ref_idx" ON "offering" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "offering_product_product_id_idx" ON "offering_product"("product_id");

-- CreateIndex
CREATE INDEX "offering_plan_plan_id_idx" ON "offering_plan"("plan_id");

-- CreateIndex
CREATE INDEX "subscription_created_at_id_idx" ON "subscription"("created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_account_id_created_at_id_idx" ON "subscription"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_external_ref_idx" ON "subscription" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "subscription_state_subscription_id_version_idx" ON "subscription_state"("subscription_id", "version");

-- CreateIndex
CREATE INDEX "price_book_created_at_id_idx" ON "price_book"("created_at", "id");

-- CreateIndex
CREATE INDEX "price_book_external_ref_idx" ON "price_book" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "price_book_name_idx" ON "price_book" USING HASH ("name");

-- CreateIndex
CREATE INDEX "product_price_price_book_id_created_at_id_idx" ON "product_price"("price_book_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "product_price_sku_idx" ON "product_price" USING HASH ("sku");

-- CreateIndex
CREATE INDEX "product_price_external_ref_idx" ON "product_price" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "sale_product_price_id_idx" ON "sale"("product_price_id");

-- CreateIndex
CREATE INDEX "price_modifier_price_book_id_created_at_id_idx" ON "price_modifier"("price_book_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "price_modifier_external_ref_idx" ON "price_modifier" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "product_created_at_id_idx" ON "product"("created_at", "id");

-- CreateIndex
CREATE INDEX "product_parent_id_idx" ON "product"("parent_id");

-- CreateIndex
CREATE INDEX "product_component_product_ids_idx" ON "product" USING GIN ("component_product_ids");

-- CreateIndex
CREATE INDEX "product_external_ref_idx" ON "product" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "product_sku_idx" ON "product" USING HASH ("sku");

-- CreateIndex
CREATE INDEX "catalog_node_parent_id_idx" ON "catalog_node"("parent_id");

-- CreateIndex
CREATE INDEX "catalog_node_hierarchy_id_idx" ON "catalog_node"("hierarchy_id");

-- CreateIndex
CREATE INDEX "catalog_node_created_at_id_idx" ON "catalog_node"("created_at", "id");

-- CreateIndex
CREATE INDEX "catalog_node_external_ref_idx" ON "catalog_node" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "node_product_product_id_idx" ON "node_product"("product_id");

-- CreateIndex
CREATE INDEX "catalog_created_at_id_idx" ON "catalog"("created_at", "id");

-- CreateIndex
CREATE INDEX "catalog_external_ref_idx" ON "catalog" USING HASH ("external_ref");

-- CreateIndex
CREATE INDEX "catalog_hierarchy_hierarchy_id_idx" ON "catalog_hierarchy"("hierarchy_id");

-- CreateIndex
CREATE INDEX "catalog_price_book_price_book_id_idx" ON "catalog_price_book"("price_book_id");

-- CreateIndex
CREATE INDEX "catalog_rule_created_at_id_idx" ON "catalog_rule"("created_at", "id");

-- CreateIndex
CREATE INDEX "catalog_rule_catalog_id_idx" ON "catalog_rule"("catalog_id");

-- CreateIndex
CREATE INDEX "catalog_rule_external_ref_idx" ON "catalog_rule" USING HASH ("external_ref");

-- CreateIndex
CREATE UNIQUE INDEX "release_catalog_id_sequence_key" ON "release"("catalog_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "release_document_fingerprint_key" ON "release_document"("fingerprint");

-- CreateIndex
CREATE INDEX "release_document_product_id_idx" ON "release_document"("product_id");

-- CreateIndex
CREATE INDEX "release_document_name_idx" ON "release_document" USING HASH ("name");

-- CreateIndex
CREATE INDEX "release_document_sku_idx" ON "release_document" USING HASH ("sku");

-- CreateIndex
CREATE INDEX "release_document_slug_idx" ON "release_document" USING HASH ("slug");

-- CreateIndex
CREATE INDEX "release_document_manufacturer_part_num_idx" ON "release_document" USING HASH ("manufacturer_part_num");

-- CreateIndex
CREATE INDEX "release_document_upc_ean_idx" ON "release_document" USING HASH ("upc_ean");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- AddForeignKey
ALTER TABLE "offering_product" ADD CONSTRAINT "offering_product_offering_id_fkey" FOREIGN KEY ("offering_id") REFERENCES "offering"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offering_product" ADD CONSTRAINT "offering_product_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "subscription_product"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offering_plan" ADD CONSTRAINT "offering_plan_offering_id_fkey" FOREIGN KEY ("offering_id") REFERENCES "offering"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offering_plan" ADD CONSTRAINT "offering_plan_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_state" ADD CONSTRAINT "subscription_state_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_price" ADD CONSTRAINT "product_price_price_book_id_fkey" FOREIGN KEY ("price_book_id") REFERENCES "price_book"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sale" ADD CONSTRAINT "sale_product_price_id_fkey" FOREIGN KEY ("product_price_id") REFERENCES "product_price"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_modifier" ADD CONSTRAINT "price_modifier_price_book_id_fkey" FOREIGN KEY ("price_book_id") REFERENCES "price_book"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product" ADD CONSTRAINT "product_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "product"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_node" ADD CONSTRAINT "catalog_node_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "catalog_node"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_product" ADD CONSTRAINT "node_product_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "catalog_node"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_product" ADD CONSTRAINT "node_product_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_hierarchy" ADD CONSTRAINT "catalog_hierarchy_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_hierarchy" ADD CONSTRAINT "catalog_hierarchy_hierarchy_id_fkey" FOREIGN KEY ("hierarchy_id") REFERENCES "catalog_node"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_price_book" ADD CONSTRAINT "catalog_price_book_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_price_book" ADD CONSTRAINT "catalog_price_book_price_book_id_fkey" FOREIGN KEY ("price_book_id") REFERENCES "price_book"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_rule" ADD CONSTRAINT "catalog_rule_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release" ADD CONSTRAINT "release_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_node" ADD CONSTRAINT "release_node_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_listing" ADD CONSTRAINT "release_listing_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_facet" ADD CONSTRAINT "release_facet_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Guards that Prisma can't express; test/persistence/drift.test.ts names each of them.

-- Uniqueness of texts of any length (PB-1, PB-2, CAT-3)
CREATE UNIQUE INDEX price_book_name_key ON price_book (md5(name));
CREATE UNIQUE INDEX price_book_external_ref_key ON price_book (md5(external_ref));
CREATE UNIQUE INDEX product_price_price_book_id_sku_key ON product_price (price_book_id, md5(sku));
CREATE UNIQUE INDEX product_price_price_book_id_external_ref_key ON product_price (price_book_id, md5(external_ref));
CREATE UNIQUE INDEX price_modifier_price_book_id_name_key ON price_modifier (price_book_id, md5(name));
CREATE UNIQUE INDEX product_sku_key ON product (md5(sku));
CREATE UNIQUE INDEX catalog_node_parent_id_name_key ON catalog_node (parent_id, md5(name));
CREATE UNIQUE INDEX catalog_node_parent_id_slug_key ON catalog_node (parent_id, md5(slug));

-- Sales of one product price (SALE-2, SALE-4)
CREATE UNIQUE INDEX sale_product_price_id_name_key ON sale (product_price_id, md5(name));
CREATE UNIQUE INDEX sale_product_price_id_schedule_key ON sale (product_price_id, valid_from, valid_to) NULLS NOT DISTINCT;
ALTER TABLE sale ADD CONSTRAINT sale_schedule_check CHECK (valid_to > valid_from);

-- One release of a catalog is published at a time
CREATE UNIQUE INDEX release_publishing_key ON release (catalog_id) WHERE status = 'publishing';

-- Words and lengths
ALTER TABLE subscription_product ADD CONSTRAINT subscription_product_name_check CHECK (char_length(name) BETWEEN 3 AND 1024);
ALTER TABLE plan ADD CONSTRAINT plan_billing_check CHECK (billing_frequency >= 1 AND trial_period >= 0 AND plan_length >= 1);
ALTER TABLE plan ADD CONSTRAINT plan_billing_interval_type_check CHECK (billing_interval_type IN ('day', 'week', 'month', 'year'));
ALTER TABLE plan ADD CONSTRAINT plan_end_behavior_check CHECK (end_behavior IN ('close', 'roll'));
ALTER TABLE subscription_state ADD CONSTRAINT subscription_state_action_check CHECK (action IN ('cancel', 'pause', 'resume'));
ALTER TABLE product_price ADD CONSTRAINT product_price_sku_check CHECK (sku <> '');
ALTER TABLE price_modifier ADD CONSTRAINT price_modifier_modifier_type_check CHECK (modifier_type IN ('price_increment', 'price_decrement', 'price_equals'));
ALTER TABLE product ADD CONSTRAINT product_status_check CHECK (status IN ('live', 'draft'));
ALTER TABLE product ADD CONSTRAINT product_commodity_type_check CHECK (commodity_type IN ('physical', 'digital'));
ALTER TABLE product ADD CONSTRAINT product_parent_check CHECK (parent_id <> id);
ALTER TABLE catalog_node ADD CONSTRAINT catalog_node_root_check CHECK ((parent_id IS NULL) = (hierarchy_id = id));
ALTER TABLE catalog_node ADD CONSTRAINT catalog_node_parent_check CHECK (parent_id <> id);
ALTER TABLE release ADD CONSTRAINT release_status_check CHECK (status IN ('publishing', 'published', 'failed', 'retired'));

-- Long arrays of ids are read whole and compress badly: keep them plain
ALTER TABLE release_listing ALTER COLUMN documents SET STORAGE EXTERNAL;
ALTER TABLE release_facet ALTER COLUMN documents SET STORAGE EXTERNAL;

-- Every stored change gets the next version
CREATE FUNCTION take_next_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := next_version();
  RETURN NEW;
END $$;

-- A store that once held a record never gets the demo (IMP-3)
CREATE FUNCTION remember_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM gone) THEN
    INSERT INTO store_fact (name) VALUES ('deleted_once') ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['subscription_product', 'plan', 'offering', 'subscription', 'price_book', 'product_price', 'price_modifier',
                           'product', 'catalog_node', 'catalog', 'catalog_rule'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION take_next_version()', t || '_version', t);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember_deletion()', t || '_deleted', t);
  END LOOP;
END $$;
