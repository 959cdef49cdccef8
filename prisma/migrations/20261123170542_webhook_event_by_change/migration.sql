-- AlterTable
ALTER TABLE "webhook_event" DROP CONSTRAINT "webhook_event_pkey",
ADD CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("change_id", "webhook_id");
