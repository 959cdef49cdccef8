/** The store that both shops sell: made in a database of ours, read from it for the other one. */
import { readFileSync } from 'node:fs'
import { buildDatabase, openAt, publish } from '../data.ts'

/** A product as any shop may have it; `hierarchy` and `node` are slugs of the first and the last node above it. */
export interface StoreProduct {
  readonly number: number
  readonly name: string
  readonly description: string
  readonly sku: string
  readonly slug: string
  /** Style, material and kind. */
  readonly tags: readonly string[]
  /** In USD, while the sale runs. */
  readonly price: number
  readonly hierarchy: string
  readonly node: string
}

/** Makes, fills and publishes the database `name`. */
export async function buildStore(name: string, products: number): Promise<void> {
  await buildDatabase(name, products)
  const database = await openAt(name)
  try {
    const client = await database.pool.connect()
    await client.query(readFileSync(new URL('./store.sql', import.meta.url), 'utf8'))
    client.release()
    await database.pool.query('VACUUM ANALYZE')
    await publish(database)
    await database.pool.query('VACUUM ANALYZE')
  } finally {
    await database.close()
  }
}

export async function readStore(name: string): Promise<StoreProduct[]> {
  const database = await openAt(name)
  try {
    const { rows } = await database.pool.query<{ products: StoreProduct[] }>(
      `SELECT json_agg(one) AS products FROM (
         SELECT row_number() OVER (ORDER BY product.id) AS number, product.name, product.description, product.sku, product.slug,
           product.tags, (sale.currencies #>> '{USD,amount}')::int AS price, hierarchy.slug AS hierarchy, node.slug AS node
         FROM product JOIN node_product ON product_id = product.id JOIN catalog_node AS node ON node.id = node_id
         JOIN catalog_node AS hierarchy ON hierarchy.id = node.hierarchy_id
         JOIN product_price ON product_price.sku = product.sku JOIN sale ON product_price_id = product_price.id
       ) AS one`,
    )
    return rows[0]?.products ?? []
  } finally {
    await database.close()
  }
}
