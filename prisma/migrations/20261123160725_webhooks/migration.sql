-- CreateTable
CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "topics" TEXT[],
    "enabled" BOOLEAN NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_position" (
    "webhook_id" UUID NOT NULL,
    "seen" TEXT NOT NULL,
    "seen_entry" BIGINT NOT NULL,
    "until" TEXT NOT NULL,
    "entry" BIGINT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_position_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_event" (
    "webhook_id" UUID NOT NULL,
    "change_id" BIGINT NOT NULL,
    "record_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("change_id","webhook_id")
);

-- CreateIndex
CREATE INDEX "webhook_created_at_id_idx" ON "webhook"("created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_event_webhook_id_record_id_change_id_idx" ON "webhook_event"("webhook_id", "record_id", "change_id");

-- CreateIndex
CREATE INDEX "webhook_event_webhook_id_due_at_change_id_idx" ON "webhook_event"("webhook_id", "due_at", "change_id");

-- AddForeignKey
ALTER TABLE "webhook_position" ADD CONSTRAINT "webhook_position_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Words
ALTER TABLE "change" DROP CONSTRAINT change_topic_check;
ALTER TABLE "change" ADD CONSTRAINT change_topic_check CHECK (topic IN ('catalog', 'catalog_node', 'catalog_rule', 'offering', 'plan',
  'price_book', 'price_modifier', 'product', 'product_price', 'release', 'subscription', 'subscription_product', 'webhook'));
