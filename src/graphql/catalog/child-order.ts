/**
 * The argument `orderBy` of the nodes below a hierarchy or node (node.children-in-order), and of those of a product.
 */
import { createHash } from 'node:crypto'
import { inChildOrder } from '../../domain/catalog/child-order.ts'
import type { ReleaseNode } from '../../domain/catalog/release.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { requestLanguages } from '../schema/locale.ts'
import { directionField } from '../schema/record-connection.ts'
import { wordEnum } from '../schema/word-enum.ts'
import type { ArrayOrder } from './release-scoped-id.ts'

const CatalogNodeOrderField = wordEnum(
  'CatalogNodeOrderField',
  'What a list of nodes is ordered by; equal ones stay in its default order, unless said otherwise.',
  {
    SORT_ORDER:
      'By sort order, then by name as NAME does. Nodes without one come last in both directions. Menus have it descending.',
    UPDATED_AT: 'By the time of the last change before the release.',
    NAME: 'By name, as the language of the request orders names; numbers in them by value.',
  },
)

const CatalogNodeOrderInput = builder.inputType('CatalogNodeOrderInput', {
  description: 'The order of a list of nodes.',
  fields: (t) => ({
    field: t.field({ type: CatalogNodeOrderField, required: true, description: 'What they are ordered by.' }),
    direction: t.field(directionField),
  }),
})

export const childOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: CatalogNodeOrderInput,
    description:
      'The order of the list, such as `{ field: SORT_ORDER, direction: DESC }`; by default the one that its description names.',
  }),
}))

type OrderArgument = typeof CatalogNodeOrderInput.$inferInput | null | undefined

/** A record's list of nodes in an order. The record's id and the order identify the list in cursors. */
export function nodesInOrder(
  nodes: readonly ReleaseNode[],
  id: string,
  orderBy: OrderArgument,
  ctx: Context,
): ArrayOrder<ReleaseNode> {
  if (orderBy == null) return { items: nodes, order: id }
  const { field, direction } = orderBy
  const order = {
    field,
    descending: direction === 'DESC',
    ...requestLanguages({}, ctx),
    ...(field === 'UPDATED_AT' && { acceptLanguage: null }),
  }
  const hash = createHash('sha256').update(JSON.stringify(order)).digest('base64url').slice(0, 8)
  return { items: inChildOrder(nodes, order), order: `${id} ${hash}` }
}
