/** Published nodes as items of a hierarchy listing (node.nearest-ten-ancestors, list.nodes-before-products). */
import { formatInstant } from '../../domain/input/instant.ts'
import { shownLanguages } from '../../domain/language/accept-language.ts'
import { localize } from '../../domain/language/language.ts'
import type { ListedNode } from '../../operations/catalog/page.ts'
import type { Context } from '../../request/context.ts'
import { omitNil } from '../http/display-price.ts'

/** The JSON of a node, with its texts in the request's language. */
export function toCatalogNode({ release, node }: ListedNode, ctx: Context) {
  const { name, description } = localize(
    node,
    shownLanguages(ctx.shopperHeaders.acceptLanguage, ctx.config.storeLanguage),
  )
  return {
    id: node.id,
    type: 'node',
    attributes: {
      name,
      slug: node.slug,
      ...omitNil({ description, label: node.label }),
      created_at: formatInstant(node.createdAt),
      updated_at: formatInstant(node.updatedAt),
    },
    relationships: {
      parent: { data: { type: node.parentId === node.hierarchyId ? 'hierarchy' : 'node', id: node.parentId } },
    },
    meta: { bread_crumb: release.ancestorIds(node.id) },
  }
}
