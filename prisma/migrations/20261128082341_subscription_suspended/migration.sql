-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "suspended" BOOLEAN NOT NULL DEFAULT false;
