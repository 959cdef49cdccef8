-- AlterTable
ALTER TABLE "catalog_word" ADD COLUMN     "mentions" INTEGER NOT NULL DEFAULT 0;

-- By their ends; the primary key has them by their beginnings.
CREATE INDEX "catalog_word_catalog_id_reverse_idx" ON "catalog_word" ("catalog_id", reverse("word"));

-- The next publish of a catalog counts its words anew, those of tags and descriptions too.
UPDATE "catalog" SET "words_release_id" = NULL;
