/**
 * Hierarchy nodes as they are authored: the tree below a hierarchy. A hierarchy is its own root node: `parentId` is null and `hierarchyId`
 * its own id (hierarchy.ts).
 */
import { slug as slugForm } from '../input/formats.ts'
import { type InputReader, type ReadResult, readInput } from '../input/input-reader.ts'
import { EXTERNAL_REF_MAX, FREE_NAME_MAX, NODE_CURATED_MAX, NODE_PRODUCTS_MAX, PRODUCT_DESCRIPTION_MAX } from '../input/limits.ts'
import { applyPatch, nextUpdatedAt, type PatchOf, type StoredRecord } from '../input/patch.ts'
import {
  type NewRecord,
  newRecord,
  type Reference,
  readRecordHead,
  readReference,
  readReferenceList,
  readReferences,
} from '../input/record.ts'
import { slugOf } from '../input/slug.ts'
import { readSortOrder } from '../input/sort-order.ts'
import { type Locales, readLocales } from '../language/locale.ts'

/** A stored node or hierarchy. */
export interface HierarchyNode extends StoredRecord {
  /** Null for a hierarchy. */
  readonly parentId: string | null
  readonly hierarchyId: string
  readonly externalRef: string | null
  /** Unique among siblings, like `slug`. */
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly label: string | null
  readonly sortOrder: number | null
  readonly locales: Locales | null
  /** Ids of the products that are listed first in the node, in this order (list.curated-come-first). */
  readonly curatedProductIds: readonly string[]
}

/** A partial update of the fields that hierarchies and nodes share. */
export interface TreePatch extends PatchOf<HierarchyNode, 'name' | 'description' | 'externalRef' | 'locales' | 'label' | 'sortOrder'> {
  /** Null derives the slug from the name again. */
  readonly slug: string | null | undefined
}

/** A partial update of a node: given relationships replace the whole set, and a given parent moves the node. */
export interface NodePatch extends TreePatch {
  readonly curatedProducts: readonly Reference[] | undefined
  readonly parent: Reference | undefined
  readonly products: readonly Reference[] | undefined
}

/** The position of a node: its parent and hierarchy. */
export interface TreePosition {
  readonly parentId: string | null
  readonly hierarchyId: string
}

/** Reads `data` of a new node: `{ id?, type: 'node', attributes, relationships: { parent, products? } }`. */
export function readNode(data: unknown): ReadResult<NewRecord<NodePatch>> {
  return readInput(
    data,
    (reader) => {
      const { id, attributes } = readRecordHead(reader, 'node')
      const patch = readNodePatch(reader, attributes, { create: true })
      return patch && { id, patch }
    },
    newRecord,
  )
}

/** Reads `data` of a node's update; `data.id`, when given, must equal `nodeId`. */
export function readNodeUpdate(data: unknown, nodeId: string, stored?: HierarchyNode): ReadResult<NodePatch> {
  return readInput(
    data,
    (reader) => {
      const { attributes } = readRecordHead(reader, 'node', nodeId)
      return readNodePatch(reader, attributes, { create: false })
    },
    { stored },
  )
}

/** Reads a list of at most `max` products, ids or references, to attach, detach or curate. */
export function readProductList(list: unknown, max = NODE_PRODUCTS_MAX): ReadResult<Reference[]> {
  return readInput(
    { product_ids: list },
    (reader) => readReferenceList(reader, 'product_ids', 'product', { required: true, max }) ?? undefined,
  )
}

/**
 * A new node from the input of a create, which has a name; at the position of a root it is a hierarchy. `now` is in epoch milliseconds.
 */
export function newNode(
  patch: TreePatch,
  position: TreePosition,
  id: string,
  now: number,
  curatedProductIds: readonly string[] = [],
): HierarchyNode {
  const name = patch.name ?? ''
  return {
    id,
    ...position,
    externalRef: patch.externalRef ?? null,
    name,
    slug: patch.slug ?? slugOf(name),
    description: patch.description ?? null,
    label: patch.label ?? null,
    sortOrder: patch.sortOrder ?? null,
    locales: patch.locales ?? null,
    curatedProductIds,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The node or hierarchy after the patch; the same object when nothing changes. `attachmentsChange` alone is a change too, because the
 * attached products belong to the node.
 */
export function applyTreePatch(
  stored: HierarchyNode,
  patch: Partial<TreePatch>,
  links: {
    readonly position?: TreePosition
    readonly curatedProductIds?: readonly string[] | undefined
    readonly attachmentsChange?: boolean
  },
  now: number,
): HierarchyNode {
  const { name = stored.name, slug, description, externalRef, locales, label, sortOrder } = patch
  const { position, curatedProductIds, attachmentsChange } = links
  const fields = { description, externalRef, locales, label, sortOrder, curatedProductIds, ...position }
  const patched = applyPatch(stored, { ...fields, name, slug: slug === null ? slugOf(name) : slug }, now)
  return patched === stored && attachmentsChange ? { ...stored, updatedAt: nextUpdatedAt(now, stored.updatedAt) } : patched
}

/** Reads the attributes that hierarchies and nodes share, in the order of the type's fields. */
export function readTreeTexts(attributes: InputReader, { create }: { create: boolean }) {
  return {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    slug: attributes.text('slug', { nullable: true, max: FREE_NAME_MAX, format: slugForm }),
    description: attributes.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX }),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    locales: readLocales(attributes),
  }
}

function readNodePatch(reader: InputReader, attributes: InputReader | undefined, { create }: { create: boolean }): NodePatch | undefined {
  const own = attributes && {
    ...readTreeTexts(attributes, { create }),
    label: attributes.text('label', { nullable: true, max: FREE_NAME_MAX }),
    sortOrder: readSortOrder(attributes),
    curatedProducts: readCurated(attributes),
  }
  const relationships = reader.object('relationships', { required: create }) ?? undefined
  const parent = relationships?.object('parent', { required: create })
  const links = {
    parent: (parent && readReference(parent, 'data', ['hierarchy', 'node'], { required: true })) ?? undefined,
    products: relationships && readReferences(relationships, 'products', 'product', NODE_PRODUCTS_MAX),
  }
  return own && { ...own, ...links }
}

/** Reads the curated products; null means none. */
function readCurated(attributes: InputReader): readonly Reference[] | undefined {
  const curated = readReferenceList(attributes, 'curated_products', 'product', { nullable: true, max: NODE_CURATED_MAX })
  return curated === null ? [] : curated
}
