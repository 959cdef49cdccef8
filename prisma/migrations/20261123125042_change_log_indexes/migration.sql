-- Smaller indexes of the change log, which every write fills: equal values without an id behind them share one entry of an index, and a scope
-- is of one topic but for the nil UUID.

-- DropIndex
DROP INDEX "change_created_at_id_idx";

-- DropIndex
DROP INDEX "change_operation_id_idx";

-- DropIndex
DROP INDEX "change_topic_scope_id_idx";

-- DropIndex
DROP INDEX change_subject_id_idx;

-- CreateIndex
CREATE INDEX "change_scope_id_idx" ON "change"("scope", "id");

-- CreateIndex
CREATE INDEX "change_created_at_idx" ON "change"("created_at");

-- CreateIndex
CREATE INDEX "change_operation_idx" ON "change"("operation");

-- A subject may be longer than an index entry
CREATE INDEX change_subject_idx ON change (md5(subject));
