-- AlterTable: a sale has the book of its price, so that the sales of a book are read in their order
ALTER TABLE "sale" ADD COLUMN "price_book_id" UUID;
UPDATE "sale" s SET "price_book_id" = p."price_book_id" FROM "product_price" p WHERE p."id" = s."product_price_id";
ALTER TABLE "sale" ALTER COLUMN "price_book_id" SET NOT NULL;

-- DropIndex: the unique indexes of a price's sales begin with it too
DROP INDEX "sale_product_price_id_idx";

-- CreateIndex
CREATE INDEX "sale_price_book_id_id_idx" ON "sale"("price_book_id", "id");
-- The sales of one name; a name of any length by its hash
CREATE INDEX sale_name_id_idx ON sale (md5(name), id);
