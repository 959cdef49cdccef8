/**
 * The category tree of a real shop as objects of the import format. In the file ids are text, a category may be named by several parents,
 * some ways use an edge that no `subCategories` has, some ancestors have no entry of their own, one name is null, and siblings may share
 * a name: `path` is the truth. So a node is a way from the root: every beginning of a path is one. Its UUID is made from the ids of its
 * way; a name that is null becomes "(no name)", and of siblings with one name the later ones carry their id behind it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { StoreProduct } from './store.ts'

interface Step {
  readonly id: string
  readonly name: string | null
}

interface Category extends Step {
  readonly path: readonly Step[]
}

export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly parent: CategoryNode | null
}

export interface CategoryTree {
  /** By the ids of the way, joined by spaces; parents before children. */
  readonly nodes: ReadonlyMap<string, CategoryNode>
  /** The ways of the file's categories, as its ids. */
  readonly paths: readonly (readonly string[])[]
}

export function readCategoryTree(file: string): CategoryTree {
  const categories = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Category[]
  const places = new Map<string, CategoryNode>()
  const siblings = new Set<string>()
  for (const { path } of categories) {
    for (let length = 1; length <= path.length; length++) {
      const way = pathKey(path.slice(0, length))
      if (places.has(way)) continue
      const { id, name } = path[length - 1] as Step
      const above = pathKey(path.slice(0, length - 1))
      const plain = name ?? '(no name)'
      const taken = siblings.has(`${above}/${plain}`)
      siblings.add(`${above}/${plain}`)
      places.set(way, { id: uuidOf(way), name: taken ? `${plain} (${id})` : plain, parent: places.get(above) ?? null })
    }
  }
  return { nodes: places, paths: categories.map(({ path }) => path.map(({ id }) => id)) }
}

export function pathKey(path: readonly { readonly id: string }[]): string {
  return path.map(({ id }) => id).join(' ')
}

/** One product for each node. */
export function categoryProducts({ nodes: places }: CategoryTree): StoreProduct[] {
  const nodes = [...places.values()].filter(({ parent }) => parent !== null)
  return nodes.map(({ id, name }) => {
    return { id: productIdOf(id), name: `Product of ${name}`, sku: id, slug: id, status: 'live', created_at: 0, updated_at: 0 }
  })
}

/** The tree as hierarchies and nodes with their products, a catalog of all of them, and its release. */
export function* toImport({ nodes: places }: CategoryTree, catalogId: string): Generator<object> {
  const nodes = [...places.values()]
  for (const { id, name, parent } of nodes) {
    // Names make the same slug more often than they are the same.
    const attributes = { name, slug: `c-${id}` }
    if (parent === null) yield { type: 'hierarchy', id, attributes }
    else {
      const relationships = {
        parent: { data: { type: parent.parent === null ? 'hierarchy' : 'node', id: parent.id } },
        products: { data: [{ type: 'product', id: productIdOf(id) }] },
      }
      yield { type: 'node', id, attributes, relationships }
    }
  }
  const roots = nodes.filter(({ parent }) => parent === null).map(({ id }) => id)
  yield { type: 'catalog', id: catalogId, attributes: { name: 'Categories', hierarchy_ids: roots, pricebook_ids: [] } }
  yield { type: 'catalog-release', attributes: { catalog_id: catalogId } }
}

export function productIdOf(nodeId: string): string {
  return uuidOf(`product of ${nodeId}`)
}

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
