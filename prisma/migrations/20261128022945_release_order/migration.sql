-- CreateTable
CREATE TABLE "release_order" (
    "release_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "places" INTEGER[],

    CONSTRAINT "release_order_pkey" PRIMARY KEY ("release_id","field")
);

-- AddForeignKey
ALTER TABLE "release_order" ADD CONSTRAINT "release_order_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As listings: compressing a long array would take more time than writing it.
ALTER TABLE release_order ALTER COLUMN places SET STORAGE EXTERNAL;
