/** Hierarchy and node mutations. Shoppers see the changes after a catalog's next publish. */
import { hierarchyRecord, nodeRecord } from '../../domain/catalog/hierarchy-node.ts'
import { createHierarchy, deleteHierarchy, updateHierarchy } from '../../operations/catalog/hierarchy.ts'
import { createNode, deleteNode, updateNode } from '../../operations/catalog/hierarchy-node.ts'
import type { RecordForm } from '../pricing/record-input.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { idMember } from '../schema/graph-input.ts'
import { seoForm } from '../schema/locale.ts'
import { HierarchyNodeRef, HierarchyRef } from './hierarchy-refs.ts'

const PARENT = 'The global id or the UUID of the hierarchy or node'
const parentTypes = ['Hierarchy', 'HierarchyNode']
const UPDATE = 'Changes the members that are given; others keep their value, and null clears.'

const texts: RecordForm<typeof hierarchyRecord.members> = {
  name: ['The name, {limits}.', 'The name, {limits}; it can not be cleared. The slug stays.'],
  slug: 'The name in URLs: letters, digits, hyphen, underscore, period. Made of the name when it is absent or null.',
  description: 'The description, {limits}.',
  externalRef: 'A free reference to another system, {limits}.',
  ...seoForm,
  locales: 'Texts in other languages, {limits}, replaced whole.',
}

defineRecordMutations('Hierarchy', {
  record: hierarchyRecord,
  ref: HierarchyRef,
  noun: 'hierarchy',
  members: texts,
  create: { description: 'Creates a hierarchy without nodes.', run: createHierarchy },
  update: { description: UPDATE, run: updateHierarchy },
  remove: {
    description: 'Deletes a hierarchy that has no nodes and that no catalog lists (IN_USE). Releases keep their copy.',
    run: deleteHierarchy,
  },
})

defineRecordMutations('Node', {
  record: nodeRecord,
  ref: HierarchyNodeRef,
  noun: 'node',
  members: {
    ...texts,
    label: 'A word for storefronts to show beside the name, {limits}.',
    sortOrder: 'For storefronts to sort siblings by.',
    curatedProductIds: {
      ids: ['Product'],
      description: 'The products that come first where the node is listed, in this order, {limits}.',
    },
    parentId: { ids: parentTypes, description: `${PARENT} that it hangs under.`, isCreateOnly: true },
    productIds: {
      ids: ['Product'],
      description: 'All products that are attached, replaced as a whole set; attachProducts adds single ones.',
    },
  },
  create: {
    description: 'Creates a node under a hierarchy or a node. Names and slugs are unique among siblings.',
    run: createNode,
  },
  update: { description: UPDATE, run: updateNode },
  remove: {
    description:
      'Deletes a node without children (IN_USE), with its attachments. The products stay; releases keep their copy.',
    run: deleteNode,
  },
})

defineMutation('moveNode', {
  description:
    'Hangs a node with all below it under another node or hierarchy; CYCLE when that stands below the node itself.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'HierarchyNode', noun: 'node' },
  input: (t) => ({ parentId: t.id({ required: true, description: `${PARENT} to hang it under.` }) }),
  members: { parent: { name: 'parentId', ...idMember(...parentTypes) } },
  result: { name: 'node', type: HierarchyNodeRef, description: 'The node where it is now.' },
  run: (ctx, { id, data }, options) => updateNode(ctx, { id, data }, options),
})
