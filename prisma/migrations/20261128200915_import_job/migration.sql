-- CreateTable
CREATE TABLE "import_job" (
    "id" UUID NOT NULL,
    "author" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "gzipped" BOOLEAN NOT NULL,
    "options" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "failure" TEXT,
    "progress" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_job_chunk" (
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_job_chunk_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateTable
CREATE TABLE "import_job_refused" (
    "job_id" UUID NOT NULL,
    "at" BIGINT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_job_refused_pkey" PRIMARY KEY ("job_id","at")
);

-- CreateIndex
CREATE INDEX "import_job_created_at_id_idx" ON "import_job"("created_at", "id");

-- CreateIndex
CREATE INDEX "import_job_state_started_at_idx" ON "import_job"("state", "started_at");

-- AddForeignKey
ALTER TABLE "import_job_chunk" ADD CONSTRAINT "import_job_chunk_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "import_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_job_refused" ADD CONSTRAINT "import_job_refused_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "import_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Words
ALTER TABLE "import_job" ADD CONSTRAINT import_job_format_check CHECK (format IN ('json', 'csv', 'xlsx'));
ALTER TABLE "import_job" ADD CONSTRAINT import_job_state_check CHECK (state IN ('uploading', 'uploaded', 'running', 'done', 'failed', 'canceled'));
