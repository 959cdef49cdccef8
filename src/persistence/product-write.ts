/** Writes of catalog products, any number in one statement: a parent's children are built by the thousand. */
import { optionProductIds } from '../domain/component-input.ts'
import { formatInstant } from '../domain/instant.ts'
import type { Product } from '../domain/product.ts'
import type { Transaction } from './transaction.ts'

const columns = {
  id: 'uuid',
  external_ref: 'text',
  name: 'text',
  description: 'text',
  sku: 'text',
  slug: 'text',
  status: 'text',
  commodity_type: 'text',
  upc_ean: 'text',
  manufacturer_part_num: 'text',
  tags: 'text[]',
  components: 'jsonb',
  component_product_ids: 'uuid[]',
  custom_inputs: 'jsonb',
  extensions: 'jsonb',
  locales: 'jsonb',
  variations: 'jsonb',
  build_rules: 'jsonb',
  parent_id: 'uuid',
  option_ids: 'uuid[]',
  files: 'jsonb',
  main_image_id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

type Column = keyof typeof columns

const names = Object.keys(columns) as Column[]
const given = `jsonb_to_recordset($1::jsonb) AS g (${names.map((name) => `${name} ${columns[name]}`).join(', ')})`
const insert = `INSERT INTO product (${names.join(', ')}) SELECT ${names.map((name) => `g.${name}`).join(', ')} FROM ${given}`
const changed = names.filter((name) => name !== 'id' && name !== 'created_at')
const update = `UPDATE product p SET ${changed.map((name) => `${name} = g.${name}`).join(', ')} FROM ${given} WHERE p.id = g.id`

/** Inserts new products in their order; a SKU or an id that is taken fails all of them. One statement. */
export async function insertProducts(tx: Transaction, products: readonly Product[]): Promise<void> {
  if (products.length > 0) await tx.$executeRawUnsafe(insert, records(products))
}

/** Writes stored products anew. The caller has locked their rows. One statement. */
export async function updateProducts(tx: Transaction, products: readonly Product[]): Promise<void> {
  if (products.length > 0) await tx.$executeRawUnsafe(update, records(products))
}

/** JSON for `given`. The options' ids are kept beside the components that they come from. */
function records(products: readonly Product[]): string {
  return JSON.stringify(
    products.map(
      (product): Record<Column, unknown> => ({
        id: product.id,
        external_ref: product.externalRef,
        name: product.name,
        description: product.description,
        sku: product.sku,
        slug: product.slug,
        status: product.status,
        commodity_type: product.commodityType,
        upc_ean: product.upcEan,
        manufacturer_part_num: product.manufacturerPartNum,
        tags: product.tags,
        components: product.components,
        component_product_ids: optionProductIds(product.components),
        custom_inputs: product.customInputs,
        extensions: product.extensions,
        locales: product.locales,
        variations: product.variations,
        build_rules: product.buildRules,
        parent_id: product.parentId,
        option_ids: product.optionIds,
        files: product.files,
        main_image_id: product.mainImageId,
        created_at: formatInstant(product.createdAt),
        updated_at: formatInstant(product.updatedAt),
      }),
    ),
  )
}
