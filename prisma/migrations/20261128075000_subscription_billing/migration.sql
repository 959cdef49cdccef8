-- AlterTable
ALTER TABLE "subscription_span" ADD COLUMN     "amount" BIGINT,
ADD COLUMN     "currency" TEXT,
ADD COLUMN     "period_days" INTEGER,
ADD COLUMN     "period_months" INTEGER;

-- CreateTable
CREATE TABLE "subscription_billing" (
    "subscription_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "cadence" TEXT COLLATE "C" NOT NULL,
    "slot" BIGINT NOT NULL,
    "from_ms" BIGINT NOT NULL,
    "until_ms" BIGINT NOT NULL,

    CONSTRAINT "subscription_billing_pkey" PRIMARY KEY ("subscription_id","position")
);

-- CreateIndex
CREATE INDEX "subscription_billing_cadence_slot_subscription_id_idx" ON "subscription_billing"("cadence", "slot", "subscription_id");

-- AddForeignKey
ALTER TABLE "subscription_billing" ADD CONSTRAINT "subscription_billing_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is new in spans and the places of subscriptions that exist are derived at the next start, since their agreements decide them.
INSERT INTO "store_fact" (name) SELECT 'agreement_rows_derived' WHERE NOT EXISTS (SELECT FROM "subscription");
