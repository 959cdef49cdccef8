-- CreateTable
CREATE TABLE "price_history" (
    "catalog_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "starts" DOUBLE PRECISION[],
    "amounts" BIGINT[],

    CONSTRAINT "price_history_pkey" PRIMARY KEY ("catalog_id","product_id","currency","until")
);

-- CreateIndex
CREATE INDEX "price_history_until_idx" ON "price_history"("until");

-- AddForeignKey
ALTER TABLE "price_history" ADD CONSTRAINT "price_history_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;
