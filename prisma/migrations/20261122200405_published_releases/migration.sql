-- CreateTable
CREATE TABLE "published_release" (
    "id" UUID NOT NULL,
    "catalog_id" UUID NOT NULL,

    CONSTRAINT "published_release_pkey" PRIMARY KEY ("id")
);

-- Releases that were removed before are not known any more.
INSERT INTO published_release (id, catalog_id) SELECT id, catalog_id FROM release WHERE published_at IS NOT NULL;
