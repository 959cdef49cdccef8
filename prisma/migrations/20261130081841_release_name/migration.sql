-- AlterTable
ALTER TABLE "release" ADD COLUMN     "name" TEXT,
ADD COLUMN     "renamed_at" TIMESTAMPTZ(3);
