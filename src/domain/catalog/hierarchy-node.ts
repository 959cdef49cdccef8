/**
 * Hierarchies and nodes as they are authored. A stored hierarchy is the root node of its tree: `parentId` is null and
 * `hierarchyId` its own id (hierarchy.is-its-root-node).
 */
import {
  FREE_NAME_MAX,
  INT4_MAX,
  NODE_CURATED_MAX,
  NODE_PRODUCTS_MAX,
  PRODUCT_DESCRIPTION_MAX,
} from '../input/limits.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { type Reference, readReferenceList } from '../input/record.ts'
import { patchRecord } from '../input/record-change.ts'
import { defineRecord, type GivenPatch, type RecordOf, type RecordPatch } from '../input/record-definition.ts'
import { link, links, listOrNone, optionalLink } from '../input/record-links.ts'
import { externalRef, optionalInteger, optionalText, text } from '../input/record-members.ts'
import { slug } from '../input/slug.ts'
import { pageLocales, seoTexts } from '../language/locale-member.ts'

const texts = {
  /** Unique among siblings, like `slug`. */
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true }),
  slug,
  description: optionalText({ max: PRODUCT_DESCRIPTION_MAX }),
  externalRef: externalRef(),
  ...seoTexts,
  locales: pageLocales,
}

const ofNode = {
  ...texts,
  label: optionalText({ max: FREE_NAME_MAX }),
  sortOrder: optionalInteger({ min: -INT4_MAX - 1, max: INT4_MAX }),
  /** The products that are listed first in the node, in this order (list.curated-come-first). */
  curatedProductIds: links({ restName: 'curated_products', type: 'product', max: NODE_CURATED_MAX }),
}

/** A hierarchy as clients write it. */
export const hierarchyRecord = defineRecord('hierarchy', texts)

/** A node as clients write it: given links replace the whole set, and a given parent moves the node. */
export const nodeRecord = defineRecord('node', {
  ...ofNode,
  parentId: link(['hierarchy', 'node'], { restName: 'parent', at: 'relationships' }),
  productIds: listOrNone({ restName: 'products', at: 'relationships', type: 'product', max: NODE_PRODUCTS_MAX }),
})

/** A hierarchy or node as it is stored, without the products that are attached to it. */
export const storedNodeRecord = defineRecord('node', {
  ...ofNode,
  parentId: optionalLink(['hierarchy', 'node']),
  hierarchyId: link(['hierarchy']),
})

/** The members of a node that an input gives. */
export type NodePatch = GivenPatch<typeof nodeRecord.members>

/** A stored node or hierarchy. */
export type HierarchyNode = RecordOf<typeof storedNodeRecord.members>

/** The position of a node: its parent and hierarchy. */
export type TreePosition = Pick<HierarchyNode, 'parentId' | 'hierarchyId'>

/** Reads a list of at most `max` products, ids or references, to attach, detach or curate. */
export function readProductList(list: unknown, max = NODE_PRODUCTS_MAX): ReadResult<Reference[]> {
  return readInput(
    { product_ids: list },
    (reader) => readReferenceList(reader, 'product_ids', 'product', { required: true, max }) ?? undefined,
  )
}

/**
 * The node or hierarchy after the change; the same object when nothing changes. `attachmentsChange` alone is a change
 * too, because the attached products belong to the node.
 */
export function patchNode(
  stored: HierarchyNode,
  change: RecordPatch<typeof storedNodeRecord.members>,
  attachmentsChange: boolean,
  now: number,
): HierarchyNode {
  const patched = patchRecord(storedNodeRecord, stored, change, now)
  return patched === stored && attachmentsChange
    ? { ...stored, updatedAt: nextUpdatedAt(now, stored.updatedAt) }
    : patched
}
