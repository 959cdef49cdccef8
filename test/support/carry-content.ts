/** Contents of releases as they are stored, and the lists and facets that follow from them, found naively. */
import { type DocumentBody, decodeDocument } from '../../src/domain/catalog/document-codec.ts'
import type { ReleaseProduct } from '../../src/domain/catalog/released-product.ts'
import type { ReleasePricing } from '../../src/domain/pricing/price-record.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { sortOrders } from './sort-orders.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
type Any = any

export interface Product {
  readonly product: ReleaseProduct
  readonly price: ReleasePricing
  /** The variation options by which a child is found, by id. */
  readonly options: Readonly<Record<string, { readonly variation: string; readonly name: string }>>
}

export interface Content {
  readonly products: ReadonlyMap<string, Product>
  readonly nodes: ReadonlyMap<string, Any>
  readonly hierarchyIds: readonly string[]
  /** Product ids by node. */
  readonly curated: ReadonlyMap<string, readonly string[]>
}

/** What lists and facets hold, as product ids. */
export interface Derived {
  readonly listings: Readonly<Record<string, readonly string[]>>
  readonly facets: Readonly<Record<string, readonly string[]>>
}

/** Reads a release as it is stored. */
export async function readContent({ pool }: Pick<Database, 'pool'>, id: string): Promise<Content & Derived> {
  const documents = await pool.query(
    `SELECT d.id, d.product_id, d.body, (SELECT json_object_agg(option_id, json_build_object('variation', variation, 'name', name))
       FROM release_option o WHERE o.document_id = d.id) AS options
     FROM release_listing l CROSS JOIN unnest(l.documents) n (id) JOIN release_document d ON d.id = n.id
     WHERE l.release_id = $1 AND l.scope = $1`,
    [id],
  )
  const nameOf = new Map<number, string>(documents.rows.map((row) => [row.id, row.product_id]))
  const named = (numbers: readonly number[]) => numbers.map((number) => nameOf.get(number) ?? `document ${number}`)
  const nodes = await pool.query(
    `SELECT node_id AS id, parent_id, hierarchy_id, name, slug, description, label, sort_order, seo_title, seo_description, locales, updated_at
     FROM release_node WHERE release_id = $1 ORDER BY position`,
    [id],
  )
  const lists = await pool.query('SELECT scope, curated, documents FROM release_listing WHERE release_id = $1', [id])
  const facets = await pool.query('SELECT field, value, documents FROM release_facet WHERE release_id = $1', [id])
  const release = await pool.query('SELECT hierarchy_ids FROM release WHERE id = $1', [id])
  const isNode = new Map(nodes.rows.map((node) => [node.id, node.parent_id !== null]))
  return {
    products: new Map(
      documents.rows.map((row) => [
        row.product_id,
        { ...decodeDocument(row.body as DocumentBody), options: row.options ?? {} },
      ]),
    ),
    nodes: new Map(nodes.rows.map((node) => [node.id, { ...node, updated_at: node.updated_at.getTime() }])),
    hierarchyIds: release.rows[0].hierarchy_ids,
    curated: new Map(
      lists.rows
        .filter(({ scope }) => isNode.get(scope))
        .map(({ scope, curated, documents: all }) => [scope, named(all.slice(0, curated))]),
    ),
    listings: Object.fromEntries(
      lists.rows.map(({ scope, documents: all }) => [scope === id ? 'all' : scope, named(all)]),
    ),
    facets: Object.fromEntries(
      facets.rows.map(({ field, value, documents: all }) => [
        `${field} ${value}`,
        field === 'families' ? pairsOf(named(all)) : named(all).sort(),
      ]),
    ),
  }
}

function pairsOf(family: readonly string[]): string[] {
  const half = family.length / 2
  return family
    .slice(0, half)
    .map((child, at) => `${child} of ${family[half + at]}`)
    .sort()
}

/** The lists and facets that follow from a content. */
export function derive({ products, nodes, curated }: Content): Derived {
  const order = [...products.values()]
    .map(({ product }) => product)
    .sort((one, other) => other.updated_at - one.updated_at || (one.id < other.id ? -1 : 1))
  const listings: Record<string, readonly string[]> = { all: order.map(({ id }) => id) }
  for (const node of nodes.values()) {
    const isIn = (id: string) => (node.parent_id === null ? nodes.get(id)?.hierarchy_id === node.id : id === node.id)
    const here = order.filter((product) => product.node_ids.some(isIn)).map(({ id }) => id)
    const first = node.parent_id === null ? [] : (curated.get(node.id) ?? [])
    if (here.length > 0) listings[node.id] = [...first, ...here.filter((id) => !first.includes(id))]
  }
  const facets = new Map<string, Set<string>>()
  const add = (key: string, id: string) => facets.set(key, (facets.get(key) ?? new Set()).add(id))
  for (const { product, options } of products.values()) {
    const { id, parent_id, children, components } = product
    for (const tag of product.tags) add(`tags ${tag}`, id)
    const optionIds = Object.values(components ?? {}).flatMap((one) => one.options.map((option) => option.id))
    for (const option of optionIds) add(`options ${option}`, id)
    const types = [
      ...(children ? ['parent'] : []),
      ...(parent_id ? ['child'] : []),
      ...(Object.keys(components ?? {}).length > 0 ? ['bundle'] : []),
    ]
    for (const type of types.length > 0 ? types : ['standard']) add(`product_types ${type}`, id)
    if (parent_id && products.has(parent_id)) add('families ', `${id} of ${parent_id}`)
    if (parent_id)
      for (const { variation, name } of Object.values(options))
        add(`["variation", ${JSON.stringify(variation)}] ${name}`, id)
    for (const [template, fields] of Object.entries(product.extensions ?? {}))
      for (const [field, value] of Object.entries(fields))
        if (['number', 'string', 'boolean'].includes(typeof value) && String(value).length <= 100)
          add(`["extension", ${JSON.stringify(template)}, ${JSON.stringify(field)}] ${value}`, id)
  }
  const parents = [...products.values()].flatMap(({ product }) => (product.children === null ? [] : [product]))
  for (const key of sortOrders(parents)) facets.set(`sort_orders ${key}`, new Set())
  const taken = new Set([...products.values()].flatMap(({ options }) => Object.keys(options)))
  for (const { product } of products.values())
    if (product.parent_id === null)
      for (const variation of product.variations ?? [])
        for (const option of variation.options)
          if (!taken.has(option.id))
            facets.set(`childless ${option.id} ["${variation.name}", "${option.name}"]`, new Set())
  return { listings, facets: Object.fromEntries([...facets].map(([key, ids]) => [key, [...ids].sort()])) }
}
