/** Hierarchy and node mutations. Shoppers see the changes after a catalog's next publish. */
import { createHierarchy, deleteHierarchy, updateHierarchy } from '../../operations/catalog/hierarchy.ts'
import { createNode, deleteNode, updateNode } from '../../operations/catalog/hierarchy-node.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { LocaleInput, localesMember } from '../schema/locale.ts'
import { HierarchyNodeRef, HierarchyRef } from './hierarchy-refs.ts'

const NAME = 'The name, 1 to 1024 characters'
const NAME_UPDATE = `${NAME}; it can not be cleared. The slug stays.`
const PARENT = 'The global id or the UUID of the hierarchy or node'

function textFields(t: InputBuilder) {
  return {
    slug: t.string({
      description: 'The name in URLs: letters, digits, hyphen, underscore, period. Made of the name when it is absent or null.',
    }),
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters.' }),
    locales: t.field({ type: [LocaleInput], description: 'Texts in other languages, at most 200, replaced whole.' }),
  }
}

function nodeFields(t: InputBuilder) {
  return {
    ...textFields(t),
    label: t.string({ description: 'A word for storefronts to show beside the name, at most 1024 characters.' }),
    sortOrder: t.int({ description: 'For storefronts to sort siblings by.' }),
    curatedProductIds: t.idList({ description: 'The products that come first where the node is listed, in this order, at most 1000.' }),
    productIds: t.idList({ description: 'All products that are attached, replaced as a whole set; attachProducts adds single ones.' }),
  }
}

const hierarchyMembers: InputMembers = { locales: localesMember }

const nodeMembers: InputMembers = {
  locales: localesMember,
  parent: { name: 'parentId', ...idMember('Hierarchy', 'HierarchyNode') },
  products: { name: 'productIds', ...idMember('Product') },
  curated_products: { name: 'curatedProductIds', ...idMember('Product') },
}

defineMutation('createHierarchy', {
  description: 'Creates a hierarchy without nodes.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({ name: t.string({ required: true, description: `${NAME}.` }), ...textFields(t) }),
  members: hierarchyMembers,
  result: { name: 'hierarchy', type: HierarchyRef, description: 'The new hierarchy.' },
  run: (ctx, { data }, options) => createHierarchy(ctx, { data }, options),
})

defineMutation('updateHierarchy', {
  description: 'Changes the members that are given; others keep their value, and null clears.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Hierarchy', noun: 'hierarchy' },
  input: (t) => ({
    name: t.string({ description: NAME_UPDATE }),
    ...textFields(t),
  }),
  members: hierarchyMembers,
  result: { name: 'hierarchy', type: HierarchyRef, description: 'The hierarchy after the change.' },
  run: (ctx, { id, data }, options) => updateHierarchy(ctx, { hierarchyId: id, data }, options),
})

defineMutation('deleteHierarchy', {
  description: 'Deletes a hierarchy that has no nodes and that no catalog lists (IN_USE). Releases keep their copy.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Hierarchy', noun: 'hierarchy' },
  result: { name: 'hierarchy', type: HierarchyRef, description: 'The hierarchy as it was.' },
  run: (ctx, { id }, options) => deleteHierarchy(ctx, { hierarchyId: id }, options),
})

defineMutation('createNode', {
  description: 'Creates a node under a hierarchy or a node. Names and slugs are unique among siblings.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    parentId: t.id({ required: true, description: `${PARENT} that it hangs under.` }),
    name: t.string({ required: true, description: `${NAME}.` }),
    ...nodeFields(t),
  }),
  members: nodeMembers,
  result: { name: 'node', type: HierarchyNodeRef, description: 'The new node.' },
  run: (ctx, { data }, options) => createNode(ctx, { data }, options),
})

defineMutation('updateNode', {
  description: 'Changes the members that are given; others keep their value, and null clears.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'HierarchyNode', noun: 'node' },
  input: (t) => ({ name: t.string({ description: NAME_UPDATE }), ...nodeFields(t) }),
  members: nodeMembers,
  result: { name: 'node', type: HierarchyNodeRef, description: 'The node after the change.' },
  run: (ctx, { id, data }, options) => updateNode(ctx, { nodeId: id, data }, options),
})

defineMutation('moveNode', {
  description: 'Hangs a node with all below it under another node or hierarchy; CYCLE when that stands below the node itself.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'HierarchyNode', noun: 'node' },
  input: (t) => ({ parentId: t.id({ required: true, description: `${PARENT} to hang it under.` }) }),
  members: nodeMembers,
  result: { name: 'node', type: HierarchyNodeRef, description: 'The node where it is now.' },
  run: (ctx, { id, data }, options) => updateNode(ctx, { nodeId: id, data }, options),
})

defineMutation('deleteNode', {
  description: 'Deletes a node without children (IN_USE), with its attachments. The products stay; releases keep their copy.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'HierarchyNode', noun: 'node' },
  result: { name: 'node', type: HierarchyNodeRef, description: 'The node as it was.' },
  run: (ctx, { id }, options) => deleteNode(ctx, { nodeId: id }, options),
})
