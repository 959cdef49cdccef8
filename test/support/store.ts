/** Store data: a store as plain data, which tests write to the database and derive expectations from. */
import type { ReleaseVariation } from '../../src/domain/catalog/released-product.ts'
import type { Locales } from '../../src/domain/language/locale.ts'
import type { BundleComponents, CurrencyPriceRecords, ModifierType } from '../../src/domain/pricing/price-record.ts'
import type { ProductFile } from '../../src/domain/products/product-file.ts'
import type { Database } from '../../src/persistence/database/database.ts'

/** A product. Instants are epoch milliseconds; absent members are null or empty lists. */
export interface StoreProduct {
  id: string
  name: string
  slug: string
  status: 'live' | 'draft'
  created_at: number
  updated_at: number
  description?: string | null
  sku?: string | null
  commodity_type?: 'physical' | 'digital' | null
  upc_ean?: string | null
  manufacturer_part_num?: string | null
  tags?: string[]
  external_ref?: string | null
  components?: BundleComponents | null
  custom_inputs?: object | null
  extensions?: object | null
  seo_title?: string | null
  seo_description?: string | null
  locales?: Locales | null
  variations?: ReleaseVariation[] | null
  build_rules?: object | null
  parent_id?: string | null
  option_ids?: string[]
  files?: ProductFile[] | null
  main_image_id?: string | null
}

export interface StoreNode {
  id: string
  parent_id: string | null
  hierarchy_id: string
  name: string
  slug: string
  created_at: number
  updated_at: number
  description?: string | null
  label?: string | null
  sort_order?: number | null
  seo_title?: string | null
  seo_description?: string | null
  locales?: Locales | null
  curated_product_ids?: string[]
}

export interface StoreSale {
  name: string
  from: number | null
  to: number | null
  bundles: string[]
  currencies: CurrencyPriceRecords
}

export interface StorePrice {
  id: string
  price_book_id: string
  sku: string
  currencies: CurrencyPriceRecords
  sales: StoreSale[]
  shopper_attributes?: Record<string, string | null> | null
  admin_attributes?: Record<string, string | null> | null
}

export interface StoreModifier {
  id: string
  price_book_id: string
  name: string
  modifier_type: ModifierType
  currencies: CurrencyPriceRecords
}

export interface StoreCatalog {
  id: string
  name: string
  hierarchy_ids: string[]
  books: { id: string; priority: number }[]
}

/** A whole store. Lists are in the order of writing, parents before children. */
export interface Store {
  products: StoreProduct[]
  nodes: StoreNode[]
  attachments: { node_id: string; product_id: string }[]
  books: { id: string; name: string }[]
  prices: StorePrice[]
  modifiers: StoreModifier[]
  catalogs: StoreCatalog[]
}

export const emptyStore = (): Store => ({
  products: [],
  nodes: [],
  attachments: [],
  books: [],
  prices: [],
  modifiers: [],
  catalogs: [],
})

const instant = (name: string): string => `to_timestamp(r.${name} / 1000.0)`

/** Writes a store with one statement per kind of record. */
export async function insertStore({ pool }: Database, store: Store): Promise<void> {
  for (const book of store.books) {
    await pool.query('INSERT INTO price_book (id, name, created_at, updated_at) VALUES ($1, $2, now(), now())', [
      book.id,
      book.name,
    ])
  }
  await insertNodes({ pool }, store.nodes)
  await insertProducts({ pool }, store.products)
  await attach({ pool }, store.attachments)
  await insertPrices({ pool }, store.prices)
  await insertModifiers({ pool }, store.modifiers)
  for (const catalog of store.catalogs) await insertCatalog({ pool }, catalog)
}

type Target = Pick<Database, 'pool'>

export async function insertProducts({ pool }: Target, products: readonly StoreProduct[]): Promise<void> {
  const rows = products.map(({ components, ...product }) => ({
    ...product,
    components,
    component_product_ids: [
      ...new Set(Object.values(components ?? {}).flatMap(({ options }) => options.map(({ id }) => id))),
    ],
  }))
  await pool.query(
    `INSERT INTO product (id, external_ref, name, description, sku, slug, status, commodity_type, upc_ean, manufacturer_part_num, tags,
       components, component_product_ids, custom_inputs, extensions, locales, variations, build_rules, parent_id, option_ids, files,
       main_image_id, seo_title, seo_description, created_at, updated_at)
     SELECT id, external_ref, name, description, sku, slug, status, commodity_type, upc_ean, manufacturer_part_num, coalesce(tags, '{}'),
       components, component_product_ids, custom_inputs, extensions, locales, variations, build_rules, parent_id,
       coalesce(option_ids, '{}'), files, main_image_id, seo_title, seo_description, ${instant('created_at')}, ${instant('updated_at')}
     FROM jsonb_to_recordset($1) AS r (id uuid, external_ref text, name text, description text, sku text, slug text, status text,
       commodity_type text, upc_ean text, manufacturer_part_num text, tags text[], components jsonb, component_product_ids uuid[],
       custom_inputs jsonb, extensions jsonb, locales jsonb, variations jsonb, build_rules jsonb, parent_id uuid, option_ids uuid[],
       files jsonb, main_image_id uuid, seo_title text, seo_description text, created_at bigint, updated_at bigint)`,
    [JSON.stringify(rows.map(withoutNulls))],
  )
}

export async function insertNodes({ pool }: Target, nodes: readonly StoreNode[]): Promise<void> {
  await pool.query(
    `INSERT INTO catalog_node (id, parent_id, hierarchy_id, name, slug, description, label, sort_order, seo_title, seo_description, locales, curated_product_ids,
       created_at, updated_at)
     SELECT id, parent_id, hierarchy_id, name, slug, description, label, sort_order, seo_title, seo_description, locales, coalesce(curated_product_ids, '{}'),
       ${instant('created_at')}, ${instant('updated_at')}
     FROM jsonb_to_recordset($1) AS r (id uuid, parent_id uuid, hierarchy_id uuid, name text, slug text, description text, label text,
       sort_order int, seo_title text, seo_description text, locales jsonb, curated_product_ids uuid[], created_at bigint, updated_at bigint)`,
    [JSON.stringify(nodes.map(withoutNulls))],
  )
}

export async function attach(
  { pool }: Target,
  attachments: readonly { node_id: string; product_id: string }[],
): Promise<void> {
  await pool.query(
    `INSERT INTO node_product (node_id, product_id, created_at)
     SELECT node_id, product_id, now() FROM jsonb_to_recordset($1) AS r (node_id uuid, product_id uuid)`,
    [JSON.stringify(attachments)],
  )
}

export async function insertPrices({ pool }: Target, prices: readonly StorePrice[]): Promise<void> {
  await pool.query(
    `INSERT INTO product_price (id, price_book_id, sku, currencies, shopper_attributes, admin_attributes, created_at, updated_at)
     SELECT id, price_book_id, sku, currencies, shopper_attributes, admin_attributes, now(), now()
     FROM jsonb_to_recordset($1) AS r (id uuid, price_book_id uuid, sku text, currencies jsonb, shopper_attributes jsonb,
       admin_attributes jsonb)`,
    [JSON.stringify(prices.map(withoutNulls))],
  )
  const sales = prices.flatMap(({ id, sales }) => sales.map((sale) => ({ product_price_id: id, ...sale })))
  await insertSales({ pool }, sales)
}

export async function insertSales(
  { pool }: Target,
  sales: readonly (StoreSale & { product_price_id: string })[],
): Promise<void> {
  await pool.query(
    `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
     SELECT gen_random_uuid(), p.id, p.price_book_id, name, ${instant('"from"')}, ${instant('"to"')}, bundles, r.currencies, now(), now()
     FROM jsonb_to_recordset($1) AS r (product_price_id uuid, name text, "from" bigint, "to" bigint, bundles uuid[], currencies jsonb)
     JOIN product_price p ON p.id = r.product_price_id`,
    [JSON.stringify(sales)],
  )
}

export async function insertModifiers({ pool }: Target, modifiers: readonly StoreModifier[]): Promise<void> {
  await pool.query(
    `INSERT INTO price_modifier (id, price_book_id, name, modifier_type, currencies, created_at, updated_at)
     SELECT id, price_book_id, name, modifier_type, currencies, now(), now()
     FROM jsonb_to_recordset($1) AS r (id uuid, price_book_id uuid, name text, modifier_type text, currencies jsonb)`,
    [JSON.stringify(modifiers)],
  )
}

export async function insertCatalog({ pool }: Target, { id, name, hierarchy_ids, books }: StoreCatalog): Promise<void> {
  await pool.query('INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, $2, now(), now())', [id, name])
  await linkCatalog({ pool }, { id, hierarchy_ids, books })
}

/** Replaces the lists of a catalog. */
export async function linkCatalog(
  { pool }: Target,
  { id, hierarchy_ids, books }: Omit<StoreCatalog, 'name'>,
): Promise<void> {
  await pool.query('DELETE FROM catalog_hierarchy WHERE catalog_id = $1', [id])
  await pool.query('DELETE FROM catalog_price_book WHERE catalog_id = $1', [id])
  await pool.query(
    'INSERT INTO catalog_hierarchy (catalog_id, hierarchy_id, position) SELECT $1, h, n FROM unnest($2::uuid[]) WITH ORDINALITY AS l (h, n)',
    [id, hierarchy_ids],
  )
  await pool.query(
    `INSERT INTO catalog_price_book (catalog_id, price_book_id, priority, position)
     SELECT $1, b, p, n FROM unnest($2::uuid[], $3::bigint[]) WITH ORDINALITY AS l (b, p, n)`,
    [id, books.map((book) => book.id), books.map(({ priority }) => priority)],
  )
}

/** jsonb_to_recordset reads a JSON null of a jsonb column as JSON null, not SQL NULL. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
