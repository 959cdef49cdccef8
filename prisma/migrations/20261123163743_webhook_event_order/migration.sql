-- DropIndex
DROP INDEX "webhook_event_webhook_id_due_at_idx";

-- CreateIndex
CREATE INDEX "webhook_event_webhook_id_due_at_change_id_idx" ON "webhook_event"("webhook_id", "due_at", "change_id");
