/**
 * Menus: the top levels of a release's trees in one list without pages (menu.depth-first, menu.siblings-by-sort-order).
 */
import { MENU_DEPTH_MAX, MENU_ENTRIES_MAX, type MenuEntry, menuOf } from '../../domain/catalog/menu.ts'
import type { ReleaseNode } from '../../domain/catalog/release.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { badRequest } from '../../domain/input/errors.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { requestLanguages } from '../schema/locale.ts'
import { CatalogTreeNodeRef, ReleaseRef } from './catalog-refs.ts'
import { contentOf } from './release-content.ts'
import { treeNodeOf } from './release-tree.ts'

const MenuEntryRef = builder.objectRef<MenuEntry & ReleaseView>('MenuEntry').implement({
  description: 'A hierarchy or node at its place in a menu.',
  right: 'anyone',
  fields: (t) => ({
    node: t.field({
      type: CatalogTreeNodeRef,
      description: 'The hierarchy or node.',
      resolve: (entry) => treeNodeOf(entry, entry.node),
    }),
    level: t.exposeInt('level', { description: 'How deep it stands in the menu; 1 for the first level.' }),
    parentIndex: t.exposeInt('parent', {
      nullable: true,
      description: 'The place of the entry above it in the list, counted from 0; null on the first level.',
    }),
    childCount: t.exposeInt('childCount', { description: 'How many nodes it has directly below, in the menu or not.' }),
  }),
})

const menuArgs = builder.args((t) => ({
  depth: t.int({
    defaultValue: 2,
    description: `How many levels, 1 to ${MENU_DEPTH_MAX}, such as 2 for categories and what is right below them.`,
    ...withReader(readDepth),
  }),
}))

const ORDER = `Each entry is followed by those below it, siblings by sort order, highest first, then by name, as the language of the request orders names. At most ${MENU_ENTRIES_MAX} entries; a menu that has more is refused.`

builder.objectField(ReleaseRef, 'menu', (t) =>
  t.field({
    type: [MenuEntryRef],
    description: `Its hierarchies, in the catalog's order, and the nodes below them. ${ORDER}`,
    args: menuArgs,
    resolve: async (one, args, ctx) => entriesOf(await contentOf(one, ctx), null, args, ctx),
  }),
)

builder.interfaceField(CatalogTreeNodeRef, 'menu', (t) =>
  t.field({
    type: [MenuEntryRef],
    description: `The nodes below it. ${ORDER}`,
    args: menuArgs,
    resolve: (above, args, ctx) => entriesOf(above, above.node, args, ctx),
  }),
)

interface DepthArgument {
  readonly depth?: number | null | undefined
}

function entriesOf({ release, isLatest }: ReleaseView, from: ReleaseNode | null, args: DepthArgument, ctx: Context) {
  const entries = menuOf(release, from, readDepth(args), requestLanguages({}, ctx))
  if (entries !== null) return entries.map((entry) => ({ ...entry, release, isLatest }))
  const message = `must be less here, since the menu has more than ${MENU_ENTRIES_MAX} entries`
  throw badRequest('TOO_MANY', ['depth'], message)
}

function readDepth({ depth }: DepthArgument): number {
  const levels = depth ?? 2
  if (levels >= 1 && levels <= MENU_DEPTH_MAX) return levels
  throw badRequest('OUT_OF_RANGE', ['depth'], `must be from 1 to ${MENU_DEPTH_MAX}`)
}
