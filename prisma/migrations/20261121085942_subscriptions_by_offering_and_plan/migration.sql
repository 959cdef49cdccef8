-- CreateIndex
CREATE INDEX "subscription_offering_id_created_at_id_idx" ON "subscription"("offering_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_plan_id_created_at_id_idx" ON "subscription"("plan_id", "created_at", "id");
