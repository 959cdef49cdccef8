-- CreateTable
CREATE TABLE "release_activation" (
    "id" BIGSERIAL NOT NULL,
    "catalog_id" UUID NOT NULL,
    "release_id" UUID NOT NULL,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "scheduled" BOOLEAN NOT NULL,

    CONSTRAINT "release_activation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "release_activation_catalog_id_effective_at_id_idx" ON "release_activation"("catalog_id", "effective_at", "id");

-- CreateIndex
CREATE INDEX "release_activation_release_id_idx" ON "release_activation"("release_id");

-- AddForeignKey
ALTER TABLE "release_activation" ADD CONSTRAINT "release_activation_catalog_id_fkey" FOREIGN KEY ("catalog_id") REFERENCES "catalog"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "release_activation" ADD CONSTRAINT "release_activation_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was published, in the order in which it became the latest. An activation is never before the one that it follows.
INSERT INTO release_activation (catalog_id, release_id, effective_at, scheduled)
SELECT catalog_id, id, max(published_at) OVER (PARTITION BY catalog_id ORDER BY is_latest, sequence), false
FROM (
  SELECT r.catalog_id, r.id, r.sequence, coalesce(r.published_at, r.started_at) AS published_at, r.id = c.latest_release_id AS is_latest
  FROM release r JOIN catalog c ON c.id = r.catalog_id WHERE r.status = 'published' AND c.latest_release_id IS NOT NULL) published
ORDER BY catalog_id, is_latest, sequence;

-- The release that is a catalog's latest at an instant; null when it has none.
CREATE FUNCTION latest_release(catalog uuid, instant timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT a.release_id FROM release_activation a
  WHERE a.catalog_id = catalog AND (NOT a.scheduled OR a.effective_at <= instant) ORDER BY a.effective_at DESC, a.id DESC LIMIT 1
$$;

-- AlterTable
ALTER TABLE "catalog" DROP COLUMN "latest_release_id";

-- What becomes the latest at once is reported to subscribers, published or restored.
DROP TRIGGER release_published_note ON release;
CREATE OR REPLACE FUNCTION note_publications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('release', catalog_id, ARRAY[release_id]) FROM activated WHERE NOT scheduled ORDER BY id;
  RETURN NULL;
END $$;
CREATE TRIGGER release_activated_note AFTER INSERT ON release_activation REFERENCING NEW TABLE AS activated FOR EACH STATEMENT EXECUTE FUNCTION note_publications();
