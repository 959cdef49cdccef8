-- The earliest pause or cancel still in force gets a name that says so. Only the catalog changes: no row is rewritten.
ALTER TABLE subscription RENAME COLUMN held_since TO inactivation_requested_at;
