-- What was agreed with the subscribers that exist becomes an agreement: their plan, the products of their offering at the prices of now, and
-- all actions. Invoices are shown from now on.
ALTER TABLE "subscription" ADD COLUMN     "agreement" JSONB;

-- Period number k starts at the start, the trial and k intervals, in UTC. Months that differ tell k but for one, whatever the days in them.
CREATE TEMPORARY TABLE agreed ON COMMIT DROP AS
SELECT id, plan ->> 'billingIntervalType' AS unit, plan ->> 'endBehavior' = 'close' AS closes, (plan ->> 'planLength')::int AS plan_length,
  created_at AT TIME ZONE 'UTC' + make_interval(days => (plan ->> 'trialPeriod')::int) AS first,
  (plan ->> 'billingFrequency')::int * ('1 ' || (plan ->> 'billingIntervalType'))::interval AS length
FROM "subscription";
ALTER TABLE agreed ADD PRIMARY KEY (id);

-- The actions; a pause and a cancel take effect at the next start of a period.
CREATE TEMPORARY TABLE asked ON COMMIT DROP AS
SELECT s.id, s.subscription_id, s.version, s.action, s.created_at, CASE WHEN s.action = 'resume' THEN s.created_at ELSE (
    SELECT min(a.first + k * a.length) AT TIME ZONE 'UTC' FROM generate_series(t.passed, t.passed + 3) AS k
    WHERE a.first + k * a.length > t.requested
  ) END AS at
FROM "subscription_state" s JOIN agreed a ON a.id = s.subscription_id
CROSS JOIN LATERAL (SELECT s.created_at AT TIME ZONE 'UTC' AS requested) r
CROSS JOIN LATERAL (SELECT r.requested, greatest(0, CASE WHEN a.unit IN ('month', 'year')
  THEN (extract(year FROM requested) * 12 + extract(month FROM requested) - extract(year FROM first) * 12 - extract(month FROM first))
    / (extract(year FROM length) * 12 + extract(month FROM length))
  ELSE extract(epoch FROM requested - first) / extract(epoch FROM length) END - 2)::int AS passed) t;
CREATE INDEX ON asked (subscription_id, version);

UPDATE "subscription" s SET "agreement" = jsonb_build_object(
  'startsAt', (extract(epoch FROM s.created_at) * 1000)::bigint,
  'timeZone', NULL,
  'billingDay', NULL,
  'invoicesFrom', floor(extract(epoch FROM now()) * 1000)::bigint,
  'plan', s.plan,
  'items', (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'productId', o.id, 'name', p.name, 'sku', p.sku, 'unitAmount', m.amount,
      'includesTax', CASE WHEN m.amount IS NOT NULL THEN coalesce(x.fixed, x.own) -> 'includes_tax' END, 'quantity', 1
    ) ORDER BY o.n), '[]')
    FROM jsonb_array_elements_text(s.offering -> 'productIds') WITH ORDINALITY AS o (id, n)
    LEFT JOIN "subscription_product" p ON p.id = o.id::uuid
    -- A product that is gone has no price, even when the plan has a fixed one.
    CROSS JOIN LATERAL (SELECT CASE WHEN p.id IS NOT NULL THEN s.plan -> 'fixedPrice' -> s.currency END AS fixed, p.price -> s.currency AS own) x
    CROSS JOIN LATERAL (SELECT CASE
      WHEN x.fixed IS NOT NULL THEN (x.fixed ->> 'amount')::numeric
      WHEN s.plan ->> 'basePricePercentage' IS NULL THEN (x.own ->> 'amount')::numeric
      ELSE floor((x.own ->> 'amount')::numeric * (s.plan ->> 'basePricePercentage')::numeric * 0.01 + 0.5) END AS amount) y
    CROSS JOIN LATERAL (SELECT CASE WHEN y.amount <= 9007199254740991 THEN y.amount END AS amount) m
  ),
  'changes', (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'type', c.action, 'askedAt', (extract(epoch FROM c.created_at) * 1000)::bigint,
      'at', (extract(epoch FROM c.at) * 1000)::bigint, 'undoneAt', NULL
    ) || CASE WHEN c.action = 'resume' THEN '{ "proration": "by_time", "pauseId": null }'::jsonb
      ELSE '{ "atPeriodEnd": true, "proration": "none", "reason": null }'::jsonb END ORDER BY c.version), '[]')
    FROM asked c WHERE c.subscription_id = s.id
  )
);

-- CreateTable
CREATE TABLE "subscription_span" (
    "subscription_id" UUID NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,
    "phase" TEXT NOT NULL,
    "plan_id" UUID NOT NULL,
    "paused" BOOLEAN NOT NULL,
    "canceled" BOOLEAN NOT NULL,

    CONSTRAINT "subscription_span_pkey" PRIMARY KEY ("subscription_id","from_at")
);

-- AddForeignKey
ALTER TABLE "subscription_span" ADD CONSTRAINT "subscription_span_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The spans of now and later; those of the past have the flags of now.
INSERT INTO "subscription_span" (subscription_id, from_at, until_at, phase, plan_id, paused, canceled)
SELECT id, limit_at, coalesce(lead(limit_at) OVER (PARTITION BY id ORDER BY limit_at), '9999-12-31T23:59:59.999Z'),
  CASE WHEN ends <= limit_at THEN 'closed' WHEN canceled_from <= limit_at THEN 'canceled' WHEN paused_from <= limit_at THEN 'paused'
    WHEN limit_at < created_at THEN 'pending' WHEN limit_at < first THEN 'trial' ELSE 'active' END,
  plan_id, paused_from IS NOT NULL, canceled_from IS NOT NULL
FROM (
  SELECT s.id, s.plan_id, s.created_at, a.first AT TIME ZONE 'UTC' AS first, h.canceled_from, h.paused_from,
    CASE WHEN a.closes THEN (a.first + a.plan_length * a.length) AT TIME ZONE 'UTC' END AS ends
  FROM "subscription" s JOIN agreed a ON a.id = s.id
  CROSS JOIN LATERAL (
    SELECT min(c.at) FILTER (WHERE c.action = 'cancel') AS canceled_from, min(c.at) FILTER (WHERE c.action = 'pause') AS paused_from
    FROM asked c WHERE c.subscription_id = s.id
      AND c.version > coalesce((SELECT max(r.version) FROM asked r WHERE r.subscription_id = s.id AND r.action = 'resume'), 0)
  ) h
) t
CROSS JOIN LATERAL (
  SELECT DISTINCT limit_at FROM unnest(ARRAY['0001-01-01T00:00:00Z'::timestamptz, created_at, first, canceled_from, paused_from, ends]) AS l (limit_at)
  WHERE limit_at IS NOT NULL
) l;

-- Results of calls in the old form can't be returned again.
DELETE FROM "idempotency_key" WHERE "answer" ? 'inactivationRequestedAt';

-- AlterTable
ALTER TABLE "subscription" ALTER COLUMN "agreement" SET NOT NULL,
DROP COLUMN "canceled",
DROP COLUMN "canceled_at",
DROP COLUMN "inactivation_requested_at",
DROP COLUMN "inactive_from",
DROP COLUMN "paused",
DROP COLUMN "paused_at",
DROP COLUMN "plan",
DROP COLUMN "resumed_at";
