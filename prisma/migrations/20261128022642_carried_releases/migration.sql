-- AlterTable
ALTER TABLE "published_release" ADD COLUMN     "carried_at" TIMESTAMPTZ(3),
ADD COLUMN     "carried_into" UUID;

-- CreateIndex
CREATE INDEX "published_release_carried_into_idx" ON "published_release"("carried_into");
