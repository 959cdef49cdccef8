-- A release that was scheduled is published at its instant; until now it had that of the call. One that was restored at once since then has
-- no trace of its instant, and keeps what it has.
UPDATE "release" r SET "published_at" = a.at
FROM (SELECT release_id, min(effective_at) AS at FROM "release_activation" WHERE scheduled AND NOT restored GROUP BY release_id) a
WHERE a.release_id = r.id AND r.status = 'published';
