-- AlterTable
ALTER TABLE "catalog" ADD COLUMN     "words_release_id" UUID;

-- DropTable
DROP TABLE "search_word";

-- CreateTable
CREATE TABLE "catalog_word" (
    "catalog_id" UUID NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "occurrences" INTEGER NOT NULL,

    CONSTRAINT "catalog_word_pkey" PRIMARY KEY ("catalog_id","word")
);

-- The words of the latest releases. The next publish of a catalog writes them anew, since words_release_id names no release yet.
WITH listed AS (
  SELECT c.id, unnest(l.documents) AS document_id
  FROM catalog c JOIN release_listing l ON l.release_id = latest_release(c.id, now()) AND l.scope = l.release_id),
found AS (
  SELECT l.id, unnest(string_to_array(t.name_key, ' ')) AS word
  FROM listed l JOIN release_document_text t ON t.document_id = l.document_id),
counted AS (SELECT id, word, count(*) AS occurrences FROM found GROUP BY id, word)
INSERT INTO catalog_word
SELECT id, word, sum(occurrences)
FROM (SELECT id, btrim(word, '()[],;!?"') AS word, occurrences FROM counted) trimmed
WHERE length(word) BETWEEN 3 AND 40 AND word ~ '^[[:alpha:]]+$' GROUP BY id, word;

-- AddForeignKey
ALTER TABLE "catalog_word" ADD CONSTRAINT "catalog_word_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;
