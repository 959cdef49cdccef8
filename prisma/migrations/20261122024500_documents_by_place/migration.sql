-- CreateTable
CREATE TABLE "release_fingerprint" (
    "fingerprint" UUID NOT NULL,
    "document_id" INTEGER NOT NULL,

    CONSTRAINT "release_fingerprint_pkey" PRIMARY KEY ("fingerprint")
);

-- Bodies: members by place (domain/frozen-body.ts), no longer by name. Fingerprints are not kept: none of them stands for a body of this shape.
CREATE FUNCTION row_by_place(r jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN jsonb_typeof(r) = 'object' THEN jsonb_build_array(r -> 'id', r -> 'book', r -> 'currencies', (
    SELECT coalesce(jsonb_agg(jsonb_build_array(s -> 'name', s -> 'from', s -> 'to', s -> 'bundles', s -> 'currencies') ORDER BY place), '[]')
    FROM jsonb_array_elements(r -> 'sales') WITH ORDINALITY sale (s, place)), r -> 'shopper_attributes') END;
END $$;

-- The options of a bundle are units themselves.
CREATE FUNCTION unit_by_place(u jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_array(u -> 'id', row_by_place(u -> 'own'), row_by_place(u -> 'base'), u -> 'modifier_names',
    CASE WHEN jsonb_typeof(u -> 'modifiers') = 'array' THEN (
      SELECT jsonb_agg(jsonb_build_array(m -> 'name', m -> 'type', m -> 'currencies') ORDER BY place)
      FROM jsonb_array_elements(u -> 'modifiers') WITH ORDINALITY modifier (m, place)) END,
    u -> 'components',
    CASE WHEN jsonb_typeof(u -> 'options') = 'object' THEN (
      SELECT jsonb_object_agg(id, unit_by_place(unit)) FROM jsonb_each(u -> 'options') option (id, unit)) END);
END $$;

UPDATE release_document d SET body = jsonb_build_array(
  jsonb_build_array(
    b -> 'id', b -> 'name', b -> 'description', b -> 'sku', b -> 'slug', b -> 'commodity_type', b -> 'upc_ean', b -> 'manufacturer_part_num',
    b -> 'tags', b -> 'external_ref', b -> 'components', b -> 'custom_inputs', b -> 'extensions', b -> 'locales', b -> 'variations',
    b -> 'build_rules', b -> 'parent_id', b -> 'option_ids', b -> 'files', b -> 'main_image_id',
    CASE WHEN jsonb_typeof(b -> 'children') = 'array' THEN (
      SELECT jsonb_agg(jsonb_build_array(c -> 'id', c -> 'option_ids') ORDER BY place)
      FROM jsonb_array_elements(b -> 'children') WITH ORDINALITY child (c, place)) END,
    b -> 'node_ids', b -> 'created_at', b -> 'updated_at'),
  unit_by_place(b -> 'price'))::json
FROM (SELECT id, body::jsonb AS b FROM release_document OFFSET 0) old WHERE old.id = d.id;

DROP FUNCTION unit_by_place;
DROP FUNCTION row_by_place;

-- Last, since nobody may read the table any more from here to the end.
-- DropIndex
DROP INDEX "release_document_fingerprint_key";

-- AlterTable
ALTER TABLE "release_document" DROP COLUMN "fingerprint";
