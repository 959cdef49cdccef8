-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "inactive_from" TIMESTAMPTZ(3);

-- The instants of subscriptions that exist: the end of a plan that closes, or the first billing after a pause or cancellation. Billing
-- number k is at the start, the trial and k intervals, in UTC. Months that differ tell k but for one, whatever the days in them.
UPDATE "subscription" s SET "inactive_from" = least(
  CASE WHEN t.closes THEN (t.first + t.plan_length * t.length) AT TIME ZONE 'UTC' END,
  (SELECT min(t.first + k * t.length) AT TIME ZONE 'UTC' FROM generate_series(t.passed, t.passed + 3) AS k
   WHERE t.first + k * t.length > t.requested)
)
FROM (
  SELECT id, closes, plan_length, first, requested, length,
    greatest(0, CASE WHEN unit IN ('month', 'year')
      THEN (extract(year FROM requested) * 12 + extract(month FROM requested) - extract(year FROM first) * 12 - extract(month FROM first))
        / (extract(year FROM length) * 12 + extract(month FROM length))
      ELSE extract(epoch FROM requested - first) / extract(epoch FROM length) END - 2)::int AS passed
  FROM (
    SELECT id, plan ->> 'endBehavior' = 'close' AS closes, (plan ->> 'planLength')::int AS plan_length, plan ->> 'billingIntervalType' AS unit,
      created_at AT TIME ZONE 'UTC' + make_interval(days => (plan ->> 'trialPeriod')::int) AS first,
      inactivation_requested_at AT TIME ZONE 'UTC' AS requested,
      (plan ->> 'billingFrequency')::int * ('1 ' || (plan ->> 'billingIntervalType'))::interval AS length
    FROM "subscription"
  ) terms
) t
WHERE t.id = s.id;
