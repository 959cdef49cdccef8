-- The analyser of this version writes its texts anew; those of the version before hold a name without case and accents.
TRUNCATE "search_text", "document_search_text", "release_search";

-- AlterTable
ALTER TABLE "search_text" DROP COLUMN "name_key",
ADD COLUMN     "name" TEXT NOT NULL;

-- CreateTable
CREATE TABLE "release_name_order" (
    "release_id" UUID NOT NULL,
    "analyser" TEXT COLLATE "C" NOT NULL,
    "locale" TEXT COLLATE "C" NOT NULL,
    "icu" TEXT COLLATE "C" NOT NULL,
    "ranks" TEXT NOT NULL,

    CONSTRAINT "release_name_order_pkey" PRIMARY KEY ("release_id", "analyser", "locale")
);

-- AddForeignKey
ALTER TABLE "release_name_order" ADD CONSTRAINT "release_name_order_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
