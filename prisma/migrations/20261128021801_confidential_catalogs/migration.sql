-- AlterTable
ALTER TABLE "catalog" ADD COLUMN     "confidential" BOOLEAN NOT NULL DEFAULT false;
