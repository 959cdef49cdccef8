-- CreateTable
CREATE TABLE "import_job_earlier" (
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "object" TEXT NOT NULL,

    CONSTRAINT "import_job_earlier_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateTable
CREATE TABLE "import_job_key" (
    "job_id" UUID NOT NULL,
    "key" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "import_job_key_pkey" PRIMARY KEY ("job_id","key","number")
);

-- CreateTable
CREATE TABLE "import_job_price" (
    "job_id" UUID NOT NULL,
    "key" UUID NOT NULL,
    "book" TEXT COLLATE "C" NOT NULL,
    "sku" TEXT COLLATE "C" NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "before" BIGINT,
    "after" BIGINT,

    CONSTRAINT "import_job_price_pkey" PRIMARY KEY ("job_id","key")
);

-- AddForeignKey
ALTER TABLE "import_job_earlier" ADD CONSTRAINT "import_job_earlier_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "import_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_job_key" ADD CONSTRAINT "import_job_key_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "import_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_job_price" ADD CONSTRAINT "import_job_price_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "import_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE import_job DROP CONSTRAINT import_job_state_check;
ALTER TABLE import_job ADD CONSTRAINT import_job_state_check
  CHECK (state IN ('uploading', 'uploaded', 'checking', 'checked', 'running', 'done', 'failed', 'canceled'));
