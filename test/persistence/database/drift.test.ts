import { describe, expect, it } from 'vitest'
import { diffToSchema } from '../../../src/tools/schema-diff.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()

/** The names that a catalog query gives, in order. */
async function names(name: string, text: string): Promise<string[]> {
  return (
    await database.query<{ name: string }>(
      name,
      `SELECT name::text COLLATE "C" AS name FROM (${text}) AS found ORDER BY 1`,
    )
  ).map((row) => row.name)
}

describe('the migrations', () => {
  it('the migrations lead to schema.prisma (npm run migration:new -- name writes what is missing)', async () => {
    expect(await diffToSchema()).toBe('')
  })
})

const AUTHORING = [
  'catalog',
  'catalog_node',
  'catalog_rule',
  'label',
  'offering',
  'plan',
  'price_book',
  'price_modifier',
  'product',
  'product_price',
  'subscription',
  'subscription_product',
]

// What Prisma's diff doesn't see: each of these is there, and nothing else of its kind is.
describe('the guards in the live catalog', () => {
  it('the database has exactly these checks', async () => {
    const found = await names(
      'drift-checks',
      "SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = quote_ident(current_schema())::regnamespace",
    )
    expect(found).toEqual([
      'catalog_node_parent_check',
      'catalog_node_root_check',
      'change_role_check',
      'change_state_check',
      'change_topic_check',
      'former_slug_kind_check',
      'import_job_format_check',
      'import_job_state_check',
      'label_kind_check',
      'plan_billing_check',
      'plan_billing_interval_type_check',
      'plan_end_behavior_check',
      'price_modifier_modifier_type_check',
      'product_commodity_type_check',
      'product_parent_check',
      'product_price_sku_check',
      'product_status_check',
      'release_status_check',
      'sale_schedule_check',
      'subscription_product_name_check',
      'subscription_state_action_check',
    ])
  })

  it('the database has exactly these unique, partial and computed indexes that a Prisma model cannot express', async () => {
    const found = await names(
      'drift-indexes',
      `SELECT indexrelid::regclass || CASE WHEN indnullsnotdistinct THEN ' (nulls not distinct)' WHEN indpred IS NOT NULL THEN ' (partial)' ELSE '' END AS name
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE relnamespace = quote_ident(current_schema())::regnamespace AND (indexprs IS NOT NULL OR indpred IS NOT NULL OR indnullsnotdistinct)`,
    )
    expect(found).toEqual([
      'catalog_node_language_slugs_idx (partial)',
      'catalog_node_parent_id_name_key',
      'catalog_node_parent_id_slug_key',
      'catalog_node_slug_key_idx',
      'catalog_word_catalog_id_reverse_idx',
      'change_subject_idx',
      'former_slug_key',
      'former_slug_path_idx',
      'label_kind_key_key',
      'price_book_external_ref_key',
      'price_book_name_key',
      'price_modifier_price_book_id_name_key',
      'product_language_slugs_idx (partial)',
      'product_price_price_book_id_external_ref_key',
      'product_price_price_book_id_sku_key',
      'product_sku_key',
      'product_slug_key_idx',
      'product_with_language_slugs_idx (partial)',
      'release_document_language_slugs_idx (partial)',
      'release_document_slug_key_idx',
      'release_publishing_key (partial)',
      'sale_name_id_idx',
      'sale_product_price_id_name_key',
      'sale_product_price_id_schedule_key (nulls not distinct)',
    ])
  })

  it('the database has exactly these triggers: versions and deletions (demo.only-into-untouched-store)', async () => {
    const found = await names(
      'drift-triggers',
      "SELECT tgname || ' ' || proname AS name FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal",
    )
    const expected = AUTHORING.flatMap((table) => [
      `${table}_deleted remember_deletion`,
      `${table}_version take_next_version`,
    ])
    expect(found).toEqual(expected.sort())
  })

  it('the database has exactly these functions and one sequence of versions', async () => {
    const found = await names(
      'drift-functions',
      `SELECT proname AS name FROM pg_proc p WHERE pronamespace = quote_ident(current_schema())::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
    )
    expect(found).toEqual([
      'latest_release',
      'next_version',
      'remember_deletion',
      'search_fold',
      'search_stemmer',
      'search_words',
      'take_next_version',
    ])
    const sequences = await names(
      'drift-sequences',
      "SELECT relname AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = quote_ident(current_schema())::regnamespace",
    )
    expect(sequences).toEqual([
      'change_id_seq',
      'former_slug_id_seq',
      'release_activation_id_seq',
      'release_document_id_seq',
      'version_seq',
    ])
  })

  it('the database has exactly these columns that are stored uncompressed', async () => {
    const found = await names(
      'drift-storage',
      `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
       WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace AND attnum > 0 AND attstorage = 'e' AND typstorage <> 'e'`,
    )
    expect(found).toEqual(['release_facet.documents', 'release_listing.documents', 'release_order.places'])
  })
})
