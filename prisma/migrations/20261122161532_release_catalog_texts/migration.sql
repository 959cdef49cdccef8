-- AlterTable
ALTER TABLE "release" ADD COLUMN     "catalog_description" TEXT,
ADD COLUMN     "catalog_locales" JSONB,
ADD COLUMN     "catalog_name" TEXT;

-- What was published before said what the catalog says now.
UPDATE release r SET catalog_name = c.name, catalog_description = c.description, catalog_locales = c.locales
FROM catalog c WHERE c.id = r.catalog_id AND r.status = 'published';
