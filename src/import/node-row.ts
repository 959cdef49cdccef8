/**
 * Rows of a sheet of nodes: what they name by paths of slugs and by SKUs, as the ids that operations take
 * (sheet.nodes-by-path).
 */
import type { Path, Violation } from '../domain/input/errors.ts'
import { isStorable } from '../domain/input/text.ts'
import type { JsonObject } from '../lib/json-object.ts'
import { lockTrees, nodesOnPath } from '../persistence/catalog/hierarchy-node.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { idsBySkuOrId } from '../persistence/products/product.ts'

/** A row with what was found for it. */
export interface SettledRow {
  /** What the row names and the store lacks; paths begin at the object's data. */
  readonly violations: readonly Violation[]
  /** The data with ids, without a violation. */
  settled(data: JsonObject): JsonObject
  /** Whether the row gives a record that is not stored; otherwise its key says. */
  readonly isNew: boolean
}

const PARENT_PATH = ['relationships', 'parent', 'data']
const PRODUCTS_PATH = ['relationships', 'products', 'data']
const CURATED_PATH = ['attributes', 'curated_products']

interface NodeData {
  readonly id?: string
  readonly attributes: { readonly curated_products?: readonly string[] | null }
  readonly relationships?: {
    readonly parent?: { readonly data: string | null }
    readonly products?: { readonly data: readonly string[] | null }
  }
}

/** Where a path leads: to a node that stays there, or to a parent below which the row's node gets a slug. */
type Position = { readonly id: string } | { readonly parentId: string; readonly slug: string } | Violation

/** Finds the nodes and products that a row names. Two statements, and the locks of a move. */
export async function settleNode(tx: Transaction, data: JsonObject): Promise<SettledRow> {
  const { id, attributes, relationships = {} } = data as unknown as NodeData
  const { parent, products } = relationships
  const position = parent === undefined ? null : await positionOf(tx, parent.data ?? '', id)
  const curated = attributes.curated_products
  const named = [...(products?.data ?? []), ...(curated ?? [])]
  const ids = named.length > 0 ? await idsBySkuOrId(tx, named) : new Map<string, string>()
  const violations = [
    ...(position && 'code' in position ? [position] : []),
    ...missing(products?.data, ids, PRODUCTS_PATH),
    ...missing(curated, ids, CURATED_PATH),
  ]
  const isMove = position !== null && 'parentId' in position
  // A move locks its trees before the node.
  if (isMove && id !== undefined) await lockTrees(tx, [id, position.parentId], 'UPDATE')
  const idsOf = (texts: readonly string[] | null) => (texts ?? []).map((text) => ids.get(text))
  const links = {
    ...(isMove && { parent: { data: { id: position.parentId } } }),
    ...(products && { products: { data: idsOf(products.data) } }),
  }
  return {
    violations,
    isNew: isMove && id === undefined,
    settled: ({ relationships: _, ...rest }) => ({
      ...rest,
      ...(position && 'id' in position && { id: position.id }),
      attributes: {
        ...(rest.attributes as object),
        ...(curated !== undefined && { curated_products: idsOf(curated) }),
        ...(isMove && { slug: position.slug }),
      },
      ...(Object.keys(links).length > 0 && { relationships: links }),
    }),
  }
}

/** Where the path of a row leads; `id` is that of its node, where the row gives it. */
async function positionOf(tx: Transaction, path: string, id: string | undefined): Promise<Position> {
  const slugs = path.split('/')
  if (slugs.length < 2 || slugs.includes('') || !isStorable(path))
    return wrong('INVALID_FORMAT', 'must be the slugs from the hierarchy down to the node, such as shop/kitchen/mugs')
  const found = await nodesOnPath(tx, slugs)
  const nodes = found.filter(({ depth }) => depth === slugs.length)
  const own = id === undefined ? nodes[0] : nodes.find((node) => node.id === id.toLowerCase())
  if (id === undefined && nodes.length > 1) return wrong('INVALID_VALUE', 'names several nodes: give the id of one')
  if (own) return { id: own.id }
  const parents = found.filter(({ depth }) => depth === slugs.length - 1)
  const above = slugs.slice(0, -1).join('/')
  if (parents.length > 1) return wrong('INVALID_VALUE', `is below ${above}, which names several nodes`)
  const [parent] = parents
  return parent
    ? { parentId: parent.id, slug: slugs.at(-1) ?? '' }
    : wrong('NOT_FOUND', `is below ${above}, where there is no hierarchy or node`)
}

function wrong(code: Violation['code'], message: string): Violation {
  return { code, path: PARENT_PATH, message }
}

function missing(texts: readonly string[] | null | undefined, ids: ReadonlyMap<string, string>, path: Path) {
  return (texts ?? []).flatMap((text, index): Violation[] =>
    ids.has(text)
      ? []
      : [{ code: 'NOT_FOUND', path: [...path, index], message: `has ${text}, which is no SKU or id of a product` }],
  )
}
