-- CreateTable
CREATE TABLE "release_option" (
    "document_id" INTEGER NOT NULL,
    "option_id" UUID NOT NULL,
    "variation" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "release_option_pkey" PRIMARY KEY ("document_id","option_id")
);

-- CreateIndex
CREATE INDEX "release_option_option_id_idx" ON "release_option"("option_id");

-- AddForeignKey
ALTER TABLE "release_option" ADD CONSTRAINT "release_option_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "release_document"("id") ON DELETE CASCADE ON UPDATE CASCADE;
