-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);
