-- AlterTable
ALTER TABLE "product" ADD COLUMN     "seo_description" TEXT,
ADD COLUMN     "seo_title" TEXT;

-- AlterTable
ALTER TABLE "catalog_node" ADD COLUMN     "seo_description" TEXT,
ADD COLUMN     "seo_title" TEXT;

-- AlterTable
ALTER TABLE "release_node" ADD COLUMN     "seo_description" TEXT,
ADD COLUMN     "seo_title" TEXT;
