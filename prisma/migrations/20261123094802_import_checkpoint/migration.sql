-- CreateTable
CREATE TABLE "import_checkpoint" (
    "id" TEXT NOT NULL,
    "state" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_checkpoint_pkey" PRIMARY KEY ("id")
);
