-- CreateTable
CREATE TABLE "release_draft" (
    "catalog_id" UUID NOT NULL,
    "release_id" UUID NOT NULL,
    "inputs" UUID NOT NULL,
    "content" UUID NOT NULL,

    CONSTRAINT "release_draft_pkey" PRIMARY KEY ("catalog_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "release_draft_release_id_key" ON "release_draft"("release_id");

-- AddForeignKey
ALTER TABLE "release_draft" ADD CONSTRAINT "release_draft_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_draft" ADD CONSTRAINT "release_draft_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Words
ALTER TABLE release DROP CONSTRAINT release_status_check;
ALTER TABLE release ADD CONSTRAINT release_status_check CHECK (status IN ('publishing', 'published', 'failed', 'retired', 'draft'));
