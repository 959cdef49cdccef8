-- A row beyond 2 kB is compressed, which took a third of the time of its insertion. lz4 takes a tenth of that and as much room; servers may
-- be built without it, as the embedded database is.
DO $$ BEGIN
  IF (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN
    ALTER TABLE "change" ALTER COLUMN "before" SET COMPRESSION lz4, ALTER COLUMN "after" SET COMPRESSION lz4;
  END IF;
END $$;
