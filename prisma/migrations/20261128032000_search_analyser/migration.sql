-- The texts that the server analyses itself. The tables release_document_text and catalog_word, the functions search_fold, search_words
-- and search_stemmer, and the extensions stay for servers of the version before.

-- CreateTable
CREATE TABLE "search_text" (
    "hash" UUID NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "code_key" TEXT COLLATE "C" NOT NULL,
    "search" tsvector NOT NULL,

    CONSTRAINT "search_text_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "document_search_text" (
    "document_id" INTEGER NOT NULL,
    "analyser" TEXT COLLATE "C" NOT NULL,
    "language" TEXT COLLATE "C" NOT NULL,
    "hash" UUID NOT NULL,

    CONSTRAINT "document_search_text_pkey" PRIMARY KEY ("document_id", "analyser", "language")
);

-- CreateTable
CREATE TABLE "release_search" (
    "release_id" UUID NOT NULL,
    "analyser" TEXT COLLATE "C" NOT NULL,
    "words" TEXT NOT NULL,

    CONSTRAINT "release_search_pkey" PRIMARY KEY ("release_id", "analyser")
);

-- CreateIndex
CREATE INDEX "search_text_search_idx" ON "search_text" USING GIN ("search");

-- CreateIndex
CREATE INDEX "document_search_text_hash_idx" ON "document_search_text" ("hash");

-- AddForeignKey
ALTER TABLE "release_search" ADD CONSTRAINT "release_search_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
