-- What falls on one instant has another order: rows that an agreement decides are derived anew at the next start.
DELETE FROM "store_fact" WHERE name = 'agreement_rows_derived'
  AND EXISTS (SELECT FROM "subscription" WHERE jsonb_array_length("agreement"->'changes') > 1);
