/** What a publish carried into scheduled releases (release.carries-are-told), and where a carried release leads. */
import { type Carry, type CarryConflict, CONFLICTS_MAX } from '../../domain/catalog/carry.ts'
import type { AnyRelease, ReleaseView } from '../../domain/catalog/release-view.ts'
import { SCHEDULED_RELEASES_MAX } from '../../domain/input/limits.ts'
import { catalogProduct } from '../../operations/catalog/catalog-product.ts'
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { CatalogProductRef, CatalogTreeNodeRef, PublishedProduct, ReleaseRef } from './catalog-refs.ts'
import { summaryOf } from './release-record.ts'
import { treeNodeOf } from './release-tree.ts'

/** A product or node as one of the releases has it. */
interface ConflictSide extends CarryConflict {
  readonly view: ReleaseView
}

const ConflictSideRef = builder.objectRef<ConflictSide>('CarryConflictSide').implement({
  description: 'What has a conflict, as one release has it. Both are null for a conflict of the catalog itself.',
  right: 'admin',
  fields: (t) => ({
    product: t.field({
      type: CatalogProductRef,
      nullable: true,
      description: 'The product; null where the release lacks it, and for anything but a product.',
      resolve: async ({ view, productId }, _, ctx) => {
        if (productId === undefined) return null
        const found = await catalogProduct(ctx, { release: view.release, by: 'id', value: productId })
        return found && new PublishedProduct(view, found)
      },
    }),
    node: t.field({
      type: CatalogTreeNodeRef,
      nullable: true,
      description: 'The hierarchy or node; null where the release lacks it, and for a product.',
      resolve: ({ view, nodeId, hierarchyId }) => {
        const node = view.release.nodes.get(nodeId ?? hierarchyId ?? '')
        return node ? treeNodeOf(view, node) : null
      },
    }),
  }),
})

/** A conflict with the raw ids of the releases that it is between; that before the publish may be unknown. */
interface ShownConflict extends CarryConflict {
  readonly catalogId: string
  readonly before: string | undefined
  readonly after: string
  readonly scheduled: string
}

/** A side of a conflict; null when its release is gone. */
async function sideOf(conflict: ShownConflict, side: 'before' | 'after' | 'scheduled', ctx: Context) {
  const { catalogId, [side]: releaseId } = conflict
  const view = releaseId === undefined ? null : await releaseView(ctx, { catalogId, releaseId })
  return view && { ...conflict, view }
}

const CarryConflictRef = builder.objectRef<ShownConflict>('CarryConflict').implement({
  description:
    'Something that a publish changed and a schedule too. The field stays as scheduled; a product or node that the publish removed is gone all the same.',
  right: 'admin',
  fields: (t) => ({
    productId: t.id({
      nullable: true,
      description: 'The global id of the product; null of anything else.',
      resolve: ({ productId }) => (productId === undefined ? null : globalId('Product', productId)),
    }),
    nodeId: t.id({
      nullable: true,
      description: 'The global id of the node; null of anything else, such as of a hierarchy.',
      resolve: ({ nodeId }) => (nodeId === undefined ? null : globalId('Node', nodeId)),
    }),
    hierarchyId: t.id({
      nullable: true,
      description:
        'The global id of the hierarchy; null of anything else. A conflict without any of these ids is of the catalog.',
      resolve: ({ hierarchyId }) => (hierarchyId === undefined ? null : globalId('Hierarchy', hierarchyId)),
    }),
    field: t.exposeString('field', {
      description:
        'The name of the field, as of CatalogProduct or CatalogTreeNode; `labels` for what names are called, `product` or `node` where one release lacks it, `parent` where the tree would not hold.',
    }),
    key: t.exposeString('key', {
      nullable: true,
      description:
        'Which part of the field: a language, a currency, a name or an id; of labels kind, name and language as `sale.Black Friday.de`; null for the whole.',
    }),
    before: t.field({
      type: ConflictSideRef,
      nullable: true,
      description: 'As the latest release had it before the publish; null when that release is gone.',
      resolve: (conflict, _, ctx) => sideOf(conflict, 'before', ctx),
    }),
    after: t.field({
      type: ConflictSideRef,
      nullable: true,
      description:
        'As the publish makes it, which the schedule does not take; null when that release is gone, and in a dry run with `only`.',
      resolve: (conflict, _, ctx) => sideOf(conflict, 'after', ctx),
    }),
    scheduled: t.field({
      type: ConflictSideRef,
      nullable: true,
      description: 'As the scheduled release keeps it; null when that release is gone.',
      resolve: (conflict, _, ctx) => sideOf(conflict, 'scheduled', ctx),
    }),
  }),
})

/** A carry of the release `of`. */
interface ShownCarry extends Carry {
  readonly of: AnyRelease
}

const ReleaseCarryRef = builder.objectRef<ShownCarry>('ReleaseCarry').implement({
  description: 'What a publish or restore at once brings into one scheduled release.',
  right: 'admin',
  fields: (t) => ({
    release: t.field({
      type: ReleaseRef,
      nullable: true,
      description:
        'The release that has its place now, or still has it where nothing is carried, and before the publish; null when it is gone.',
      resolve: ({ releaseId }, _, { loaders }) => loaders.releaseSummaryById.load(releaseId),
    }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'The instant for which it is scheduled.',
      resolve: ({ at }) => at,
    }),
    productCount: t.exposeInt('productCount', { description: 'How many of its products change.' }),
    nodeCount: t.exposeInt('nodeCount', { description: 'How many of its hierarchies and nodes change.' }),
    conflicts: t.field({
      type: [CarryConflictRef],
      description: `What both changed, at most ${CONFLICTS_MAX}: the first ones.`,
      resolve: ({ conflicts, of: { id: after, catalogId }, former: before, releaseId: scheduled }) =>
        conflicts.map((conflict) => ({ ...conflict, catalogId, before, after, scheduled })),
    }),
    conflictCount: t.exposeInt('conflictCount', { description: 'How many conflicts there are.' }),
  }),
})

builder.objectFields(ReleaseRef, (t) => ({
  carries: t.field({
    type: [ReleaseCarryRef],
    right: 'admin',
    description: `What it brought into scheduled releases when it last became the latest at once, or as a draft would bring, at most ${SCHEDULED_RELEASES_MAX}, the next instant first; only releases that change or have conflicts.`,
    resolve: async (one, _, ctx) => (await summaryOf(one, ctx)).carries.map((carry) => ({ ...carry, of: one })),
  }),
  carriedInto: t.field({
    type: ReleaseRef,
    nullable: true,
    right: 'admin',
    description:
      'The release that has its schedule now, with what was published since; null when it still has its own, had none, or that release is gone.',
    resolve: async (one, _, ctx) => {
      const into = (await summaryOf(one, ctx)).carriedInto
      return into === null ? null : ctx.loaders.releaseSummaryById.load(into)
    },
  }),
}))
