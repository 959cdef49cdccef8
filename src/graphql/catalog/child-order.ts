/** The argument `orderBy` of the nodes directly below a hierarchy or node (node.children-in-order). */
import { createHash } from 'node:crypto'
import { inChildOrder } from '../../domain/catalog/child-order.ts'
import type { ReleaseNode } from '../../domain/catalog/release.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { directionField } from '../schema/record-connection.ts'
import type { ArrayOrder } from './release-scoped-id.ts'
import type { TreeNode } from './release-tree.ts'

const CatalogNodeOrderField = builder.enumType('CatalogNodeOrderField', {
  description: 'What the nodes below a node are ordered by; equal ones come last updated first unless said otherwise.',
  values: {
    SORT_ORDER: { description: 'By sort order, then by name. Nodes without one come last in both directions. Menus have it descending.' },
    UPDATED_AT: { description: 'By the time of the last change before the release.' },
    NAME: { description: 'By name in the language of the request, whatever case and accents.' },
  },
} as const)

const CatalogNodeOrderInput = builder.inputType('CatalogNodeOrderInput', {
  description: 'The order of the nodes below a node.',
  fields: (t) => ({
    field: t.field({ type: CatalogNodeOrderField, required: true, description: 'What they are ordered by.' }),
    direction: t.field(directionField),
  }),
})

/** The argument `orderBy`. */
export const childOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: CatalogNodeOrderInput,
    description: 'The order of the list, such as `{ field: SORT_ORDER, direction: DESC }`; by default last updated first.',
  }),
}))

type OrderArgument = typeof CatalogNodeOrderInput.$inferInput | null | undefined

/** The nodes directly below, and what the cursors of their order have in common. */
export function childrenInOrder({ release, node }: TreeNode, orderBy: OrderArgument, ctx: Context): ArrayOrder<ReleaseNode> {
  const children = release.childrenOf(node.id)
  if (orderBy == null) return { items: children, order: '' }
  const { field, direction } = orderBy
  const order = { field, descending: direction === 'desc', acceptLanguage: field === 'NAME' ? ctx.shopperHeaders.acceptLanguage : null }
  const hash = createHash('sha256').update(JSON.stringify(order)).digest('base64url').slice(0, 8)
  return { items: inChildOrder(children, order), order: hash }
}
