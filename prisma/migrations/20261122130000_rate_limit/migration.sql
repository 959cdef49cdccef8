-- CreateTable
-- Unlogged: a row is good for a minute, each request of a limited token writes one, and a crash of the database may forget them.
CREATE UNLOGGED TABLE "rate_limit" (
    "token" TEXT NOT NULL,
    "second" BIGINT NOT NULL,
    "counts" INTEGER[],

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("token")
) WITH (fillfactor = 50);
