/** Nodes of hierarchies. A hierarchy is its root node (hierarchy.ts): parent null, hierarchy itself. */
import type { Violation } from '../input/errors.ts'
import { slug as slugForm } from '../input/formats.ts'
import { type InputReader, readInput } from '../input/input-reader.ts'
import { EXTERNAL_REF_MAX, FREE_NAME_MAX, NODE_CURATED_MAX, NODE_PRODUCTS_MAX, PRODUCT_DESCRIPTION_MAX } from '../input/limits.ts'
import { nextUpdatedAt } from '../input/next-updated-at.ts'
import { applyPatch } from '../input/patch.ts'
import { type Reference, readRecordHead, readReference, readReferenceList, readReferences } from '../input/record.ts'
import { slugOf } from '../input/slug.ts'
import { readSortOrder } from '../input/sort-order.ts'
import type { Locales } from '../language/locale.ts'
import { readLocales } from '../language/locale.ts'

export interface CatalogNode {
  readonly id: string
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
  /** Products that come first where the node is listed, in this order (list.curated-come-first). */
  readonly curatedProductIds: readonly string[]
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What hierarchies and nodes have in common. Absent keeps, null clears, a value sets; `slug: null` is the name's again. */
export interface TreePatch {
  readonly name: string | undefined
  readonly slug: string | null | undefined
  readonly description: string | null | undefined
  readonly externalRef: string | null | undefined
  readonly locales: Locales | null | undefined
  readonly label: string | null | undefined
  readonly sortOrder: number | null | undefined
}

/** Relationships that are given replace the whole set; a parent that is given moves the node. */
export interface NodePatch extends TreePatch {
  readonly curatedProducts: readonly Reference[] | undefined
  readonly parent: Reference | undefined
  readonly products: readonly Reference[] | undefined
}

/** What a new record is made of: an id when the client chose one, and all that is required. */
export interface NewRecord<Patch> {
  readonly id: string | undefined
  readonly patch: Patch
}

/** Where a node hangs. */
export interface TreePosition {
  readonly parentId: string | null
  readonly hierarchyId: string
}

type Read<T> = { value: T | undefined; violations: Violation[] }

/** Reads `data` of a new node: `{ id?, type: 'node', attributes, relationships: { parent, products? } }`. */
export function readNode(data: unknown): Read<NewRecord<NodePatch>> {
  return readInput(data, (reader) => {
    const { id, attributes } = readRecordHead(reader, 'node')
    const patch = readNodePatch(reader, attributes, { create: true })
    return patch && { id, patch }
  })
}

/** Reads `data` of a node's update; `data.id`, when given, must be `nodeId`. */
export function readNodeUpdate(data: unknown, nodeId: string): Read<NodePatch> {
  return readInput(data, (reader) => {
    const { attributes } = readRecordHead(reader, 'node', nodeId)
    return readNodePatch(reader, attributes, { create: false })
  })
}

/** A list of products on its own, for attaching, detaching and curating: ids or references. */
export function readProductList(list: unknown, max = NODE_PRODUCTS_MAX): Read<Reference[]> {
  return readInput(
    { product_ids: list },
    (reader) => readReferenceList(reader, 'product_ids', 'product', { required: true, max }) ?? undefined,
  )
}

/** A node, or with the place of a root a hierarchy, of a patch that holds a name. */
export function newNode(
  patch: TreePatch,
  position: TreePosition,
  id: string,
  now: number,
  curatedProductIds: readonly string[] = [],
): CatalogNode {
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
 * The node after the patch; the same object when nothing changes and `attached` says so, otherwise with an `updatedAt` that rose
 * (record.updated-at-rises): what is attached to a node is part of what it says.
 */
export function applyTreePatch(
  stored: CatalogNode,
  patch: TreePatch,
  links: {
    readonly position?: TreePosition
    readonly curatedProductIds?: readonly string[] | undefined
    readonly attachmentsChange?: boolean
  },
  now: number,
): CatalogNode {
  const { name = stored.name, slug, description, externalRef, locales, label, sortOrder } = patch
  const { position, curatedProductIds, attachmentsChange } = links
  const fields = { description, externalRef, locales, label, sortOrder, curatedProductIds, ...position }
  const patched = applyPatch(stored, { ...fields, name, slug: slug === null ? slugOf(name) : slug }, now)
  return patched === stored && attachmentsChange ? { ...stored, updatedAt: nextUpdatedAt(now, stored.updatedAt) } : patched
}

/** The attributes of hierarchies and nodes alike, in the order of the type's fields. */
export function readTreeTexts(attributes: InputReader, { create }: { create: boolean }) {
  return {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX }) ?? undefined,
    slug: attributes.text('slug', { nullable: true, max: FREE_NAME_MAX, format: slugForm }),
    description: attributes.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX }),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    locales: readLocales(attributes, PRODUCT_DESCRIPTION_MAX),
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

/** Null is none. */
function readCurated(attributes: InputReader): readonly Reference[] | undefined {
  const curated = readReferenceList(attributes, 'curated_products', 'product', { nullable: true, max: NODE_CURATED_MAX })
  return curated === null ? [] : curated
}
