-- Vendure's rows of the products in pg_temp.source: one variant each, three facets, a collection for each hierarchy and each deepest node.
-- Rows in place of its importer, which takes minutes; the search index is then built by Vendure itself.
INSERT INTO product (id, enabled) SELECT number, true FROM source;
INSERT INTO product_translation ("languageCode", name, slug, description, "baseId") SELECT 'en', name, slug, description, number FROM source;
INSERT INTO product_channels_channel ("productId", "channelId") SELECT number, 1 FROM source;
INSERT INTO product_variant (id, enabled, sku, "taxCategoryId", "productId", "trackInventory") SELECT number, true, sku, 1, number, 'FALSE' FROM source;
INSERT INTO product_variant_translation ("languageCode", name, "baseId") SELECT 'en', name, number FROM source;
INSERT INTO product_variant_price ("currencyCode", "channelId", price, "variantId") SELECT 'USD', 1, price, number FROM source;
INSERT INTO product_variant_channels_channel ("productVariantId", "channelId") SELECT number, 1 FROM source;
INSERT INTO stock_level ("stockOnHand", "stockAllocated", "productVariantId", "stockLocationId") SELECT 100, 0, number, 1 FROM source;

INSERT INTO facet (id, code, "isPrivate") VALUES (1, 'style', false), (2, 'material', false), (3, 'kind', false);
INSERT INTO facet_translation ("languageCode", name, "baseId") SELECT 'en', code, id FROM facet;
INSERT INTO facet_channels_channel ("facetId", "channelId") SELECT id, 1 FROM facet;
INSERT INTO facet_value (code, "facetId") SELECT DISTINCT tags[id], id FROM source, facet ORDER BY id, tags[id];
INSERT INTO facet_value_translation ("languageCode", name, "baseId") SELECT 'en', code, id FROM facet_value;
INSERT INTO facet_value_channels_channel ("facetValueId", "channelId") SELECT id, 1 FROM facet_value;
INSERT INTO product_facet_values_facet_value ("productId", "facetValueId")
SELECT number, facet_value.id FROM source JOIN facet_value ON code = ANY (tags);

INSERT INTO collection (id, "isRoot", position, "isPrivate", filters, "inheritFilters") VALUES (1, true, 0, false, '[]', true);
INSERT INTO collection (id, "isRoot", position, "isPrivate", filters, "inheritFilters", "parentId")
SELECT 1 + dense_rank() OVER (ORDER BY hierarchy), false, 1, false, '[]', true, 1 FROM (SELECT DISTINCT hierarchy FROM source) AS hierarchies;
INSERT INTO collection (id, "isRoot", position, "isPrivate", filters, "inheritFilters", "parentId")
SELECT 10000 + rank, false, 1, false, '[]', true, 1 + rank
FROM (SELECT DISTINCT dense_rank() OVER (ORDER BY hierarchy) AS rank FROM source) AS hierarchies;
INSERT INTO collection_translation ("languageCode", name, slug, description, "baseId") VALUES
  ('en', '__root_collection__', '__root_collection__', 'The root of the Collection tree.', 1);
INSERT INTO collection_translation ("languageCode", name, slug, description, "baseId")
SELECT DISTINCT 'en', slug, slug, '', base FROM (
  SELECT hierarchy AS slug, 1 + dense_rank() OVER (ORDER BY hierarchy) AS base FROM source
  UNION ALL SELECT node, 10000 + dense_rank() OVER (ORDER BY hierarchy) FROM source) AS named;
INSERT INTO collection_channels_channel ("collectionId", "channelId") SELECT id, 1 FROM collection;
INSERT INTO collection_closure (id_ancestor, id_descendant)
SELECT id, id FROM collection UNION SELECT "parentId", id FROM collection WHERE id > 1 UNION SELECT 1, id FROM collection;
INSERT INTO collection_product_variants_product_variant ("collectionId", "productVariantId")
SELECT "baseId", number FROM source JOIN collection_translation AS named ON named.slug IN (hierarchy, node);

INSERT INTO search_index_item ("languageCode", enabled, "productName", "productVariantName", description, slug, sku, "facetIds", "facetValueIds",
  "collectionIds", "collectionSlugs", "channelIds", "productPreview", "productVariantPreview", "productVariantId", "channelId", "productId",
  price, "priceWithTax")
SELECT 'en', true, source.name, source.name, source.description, source.slug, sku, '1,2,3',
  (SELECT string_agg(id::text, ',' ORDER BY id) FROM facet_value WHERE code = ANY (tags)),
  (SELECT string_agg("baseId"::text, ',' ORDER BY "baseId") FROM collection_translation AS named WHERE named.slug IN (hierarchy, node)),
  hierarchy || ',' || node, '1', '', '', number, 1, number, price, price
FROM source;
