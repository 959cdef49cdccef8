/**
 * Category tree: the categories of a real shop as objects of the import format.
 *
 * In the file ids are texts, a category may have several parents, some paths use an edge that no `subCategories` has,
 * some ancestors have no entry, one name is null, and siblings may share a name. Only `path` is reliable, so every
 * prefix of a path becomes a node. Its UUID is made from the ids of the path; a null name becomes "(no name)", names
 * lose the spaces around them (text.names-are-visible), and later siblings with the same name get their id appended.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { attach, insertNodes, type StoreNode, type StoreProduct } from './store.ts'

interface Step {
  readonly id: string
  readonly name: string | null
}

interface Category extends Step {
  readonly path: readonly Step[]
}

/** A node of the tree. */
export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly parent: CategoryNode | null
}

/** The whole tree. */
export interface CategoryTree {
  /** Nodes by their path key, parents before children. */
  readonly nodes: ReadonlyMap<string, CategoryNode>
  /** The paths of the file's categories, as ids of the file. */
  readonly paths: readonly (readonly string[])[]
}

/** Reads the gzipped file. */
export function readCategoryTree(file: string): CategoryTree {
  const categories = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Category[]
  const nodes = new Map<string, CategoryNode>()
  const siblings = new Set<string>()
  for (const { path } of categories) {
    for (let length = 1; length <= path.length; length++) {
      const key = pathKey(path.slice(0, length))
      if (nodes.has(key)) continue
      const { id, name } = path[length - 1] as Step
      const above = pathKey(path.slice(0, length - 1))
      const plain = name?.trim() ?? '(no name)'
      const taken = siblings.has(`${above}/${plain}`)
      siblings.add(`${above}/${plain}`)
      nodes.set(key, { id: uuidOf(key), name: taken ? `${plain} (${id})` : plain, parent: nodes.get(above) ?? null })
    }
  }
  return { nodes, paths: categories.map(({ path }) => path.map(({ id }) => id)) }
}

/** The ids of a path, joined by spaces. */
export function pathKey(path: readonly { readonly id: string }[]): string {
  return path.map(({ id }) => id).join(' ')
}

/**
 * One product for each node: its name is the category's, its SKU begins with a number, and each fiftieth has the same
 * tag.
 */
export function categoryProducts(tree: CategoryTree): StoreProduct[] {
  const nodes = [...tree.nodes.values()].filter(({ parent }) => parent !== null)
  return nodes.map(({ id, name }, at) => {
    const sku = `ITEM-${String(at).padStart(5, '0')}/${name.slice(0, 3).trim().toUpperCase()}`
    return {
      id: productIdOf(id),
      name,
      sku,
      slug: id,
      status: 'live',
      tags: [`shelf-${at % 50}`],
      created_at: 0,
      updated_at: 0,
    }
  })
}

/** The nodes from the hierarchy down to this one. */
export const wayTo = (place: CategoryNode | null): CategoryNode[] =>
  place === null ? [] : [...wayTo(place.parent), place]

/** Writes nodes with their products by SQL: an import of all takes most of a minute, far longer beside other work. */
export async function insertPlaces(
  target: Parameters<typeof insertNodes>[0],
  places: readonly CategoryNode[],
): Promise<void> {
  await insertNodes(target, places.map(toStored))
  const attached = places.filter(({ parent }) => parent !== null)
  await attach(
    target,
    attached.map(({ id }) => ({ node_id: id, product_id: productIdOf(id) })),
  )
}

/** Names make the same slug more often than they are the same. */
const slugOf = (id: string): string => `c-${id}`

function toStored(place: CategoryNode): StoreNode {
  const { id, name, parent } = place
  return {
    id,
    name,
    slug: slugOf(id),
    parent_id: parent?.id ?? null,
    hierarchy_id: wayTo(place)[0]?.id ?? id,
    created_at: 0,
    updated_at: 0,
  }
}

/** Nodes as hierarchies and nodes with their products. */
export function* placesToImport(places: Iterable<CategoryNode>): Generator<object> {
  for (const { id, name, parent } of places) {
    const attributes = { name, slug: slugOf(id) }
    if (parent === null) yield { type: 'hierarchy', id, attributes }
    else {
      const relationships = {
        parent: { data: { type: parent.parent === null ? 'hierarchy' : 'node', id: parent.id } },
        products: { data: [{ type: 'product', id: productIdOf(id) }] },
      }
      yield { type: 'node', id, attributes, relationships }
    }
  }
}

/** A catalog of the whole tree, and its release. */
export function* catalogToImport(tree: CategoryTree, catalogId: string): Generator<object> {
  const nodes = [...tree.nodes.values()]
  const roots = nodes.filter(({ parent }) => parent === null).map(({ id }) => id)
  yield { type: 'catalog', id: catalogId, attributes: { name: 'Categories', hierarchy_ids: roots, pricebook_ids: [] } }
  yield { type: 'catalog-release', attributes: { catalog_id: catalogId } }
}

/** The id of the product of a node. */
export function productIdOf(nodeId: string): string {
  return uuidOf(`product of ${nodeId}`)
}

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
