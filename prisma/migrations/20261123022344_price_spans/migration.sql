-- AlterTable
ALTER TABLE "release" ADD COLUMN     "has_price_spans" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "release_document_price" (
    "document_id" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "starts" DOUBLE PRECISION[],
    "amounts" BIGINT[],
    "on_sale" BOOLEAN[],

    CONSTRAINT "release_document_price_pkey" PRIMARY KEY ("document_id","currency")
);
