-- CreateTable
CREATE TABLE "change" (
    "id" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL,
    "topic" TEXT NOT NULL,
    "scope" UUID NOT NULL,
    "record_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "change_xid_idx" ON "change"("xid");

-- CreateIndex
CREATE INDEX "change_topic_scope_id_idx" ON "change"("topic", "scope", "id");

-- Words
ALTER TABLE "change" ADD CONSTRAINT change_topic_check CHECK (topic IN ('release', 'product_price', 'subscription'));

-- Every change of what can be listened to leaves a row in its transaction, whoever writes, at most 1,000 records in each. The notification
-- only wakes readers; PostgreSQL sends one per transaction.
CREATE FUNCTION note_change(topic text, scope uuid, record_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO change (xid, topic, scope, record_ids, created_at)
  VALUES (pg_current_xact_id()::text::bigint, topic, scope, record_ids, clock_timestamp());
  SELECT pg_notify('commerce_graph_change', '');
$$;

CREATE FUNCTION note_product_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('product_price', price_book_id, array_agg(id))
  FROM (SELECT id, price_book_id, (row_number() OVER () - 1) / 1000 AS part FROM changed) AS parts
  GROUP BY price_book_id, part ORDER BY part;
  RETURN NULL;
END $$;
CREATE TRIGGER product_price_inserted_note AFTER INSERT ON product_price REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_product_prices();
CREATE TRIGGER product_price_updated_note AFTER UPDATE ON product_price REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_product_prices();
CREATE TRIGGER product_price_deleted_note AFTER DELETE ON product_price REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_product_prices();

CREATE FUNCTION note_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('subscription', account_id, array_agg(id))
  FROM (SELECT id, account_id, (row_number() OVER () - 1) / 1000 AS part FROM changed) AS parts
  GROUP BY account_id, part ORDER BY part;
  RETURN NULL;
END $$;
CREATE TRIGGER subscription_inserted_note AFTER INSERT ON subscription REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_subscriptions();
CREATE TRIGGER subscription_updated_note AFTER UPDATE ON subscription REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_subscriptions();

CREATE FUNCTION note_publications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('release', changed.catalog_id, ARRAY[changed.id])
  FROM changed JOIN before USING (id) WHERE changed.status = 'published' AND before.status <> 'published' ORDER BY changed.sequence;
  RETURN NULL;
END $$;
CREATE TRIGGER release_published_note AFTER UPDATE ON release REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_publications();
