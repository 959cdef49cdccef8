-- AlterTable
ALTER TABLE "catalog_word" ADD COLUMN     "since" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "until" INTEGER,
DROP CONSTRAINT "catalog_word_pkey",
ADD CONSTRAINT "catalog_word_pkey" PRIMARY KEY ("catalog_id", "word", "since");

-- The words that there are stand for those of all releases so far.
ALTER TABLE "catalog_word" ALTER COLUMN "since" DROP DEFAULT;

-- The next publish of a catalog counts its words anew, with the stems of names.
UPDATE "catalog" SET "words_release_id" = NULL;
