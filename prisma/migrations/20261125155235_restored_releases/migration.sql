-- AlterTable
ALTER TABLE "release_activation" ADD COLUMN     "restored" BOOLEAN NOT NULL DEFAULT false;

-- Which ones were restored is known from the change log, as far as it goes back. A release whose schedule was moved or withdrawn counts too:
-- one is rather kept that could go.
UPDATE "release_activation" a SET "restored" = true
WHERE EXISTS (SELECT FROM "change" c WHERE c.topic = 'release' AND c.operation = 'restoreRelease' AND c.record_id = a.release_id);
