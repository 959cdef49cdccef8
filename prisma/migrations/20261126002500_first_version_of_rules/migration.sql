-- AlterTable
ALTER TABLE "catalog_rule" ADD COLUMN     "first_version" BIGINT;

-- The order in which rules of one instant were written until now.
UPDATE "catalog_rule" SET "first_version" = "version";

ALTER TABLE "catalog_rule" ALTER COLUMN "first_version" SET NOT NULL, ALTER COLUMN "first_version" SET DEFAULT next_version();
