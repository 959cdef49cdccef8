/** What differs between two releases, counted: Release.summarySince. */
import type { NodeChange, NodeChangeCounts } from '../../domain/catalog/node-change.ts'
import {
  countPriceChanges,
  type DifferenceSummary,
  type FoundReleases,
  NODE_CHANGES_MAX,
  summarizeChanges,
} from '../../operations/catalog/release-difference.ts'
import type { PriceChangeCount } from '../../persistence/catalog/release-differences.ts'
import { builder } from '../schema/builder.ts'
import { CatalogTreeNodeRef, ReleaseRef } from './catalog-refs.ts'
import { comparedReleases, ReleaseChangeKindEnum, sinceArgs } from './release-change.ts'
import { contentOf } from './release-content.ts'
import { treeNodeOf } from './release-tree.ts'

const PriceChangeCountRef = builder.objectRef<PriceChangeCount>('PriceChangeCount').implement({
  description:
    'In how many products that two releases have the price of one unit in a currency differs, at the instant of the request and outside of bundles.',
  right: 'admin',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    up: t.exposeInt('up', { description: 'How many cost more in the newer release.' }),
    down: t.exposeInt('down', { description: 'How many cost less in the newer release.' }),
    added: t.exposeInt('added', { description: 'How many have a price in the newer release alone.' }),
    removed: t.exposeInt('removed', { description: 'How many have a price in the older release alone.' }),
  }),
})

const NodeChangeCountsRef = builder.objectRef<NodeChangeCounts>('NodeChangeCounts').implement({
  description: 'How many hierarchies and nodes differ between two releases.',
  right: 'admin',
  fields: (t) => ({
    added: t.exposeInt('added', { description: 'How many only the newer release has.' }),
    removed: t.exposeInt('removed', { description: 'How many only the older release has.' }),
    changed: t.exposeInt('changed', {
      description: 'How many both have and differ in themselves or in what they curate.',
    }),
    moved: t.exposeInt('moved', { description: 'How many of the changed ones lie below another node.' }),
  }),
})

/** A change of a node between two releases. */
interface ShownNodeChange extends NodeChange, FoundReleases {}

const NodeChangeRef = builder.objectRef<ShownNodeChange>('NodeChange').implement({
  description: 'A hierarchy or node that differs between two releases.',
  right: 'admin',
  fields: (t) => ({
    kind: t.expose('kind', { type: ReleaseChangeKindEnum, description: 'How it differs.' }),
    fields: t.exposeStringList('fields', {
      description:
        'Of a CHANGED one the names of the fields of CatalogTreeNode that differ; `parent` when it was moved, `products` when it curates other products or in another order.',
    }),
    before: t.field({
      type: CatalogTreeNodeRef,
      nullable: true,
      description: 'It in the older release; null for an ADDED one.',
      resolve: ({ older, before }) => before && treeNodeOf(older, before),
    }),
    after: t.field({
      type: CatalogTreeNodeRef,
      nullable: true,
      description: 'It in the newer release; null for a REMOVED one.',
      resolve: ({ newer, after }) => after && treeNodeOf(newer, after),
    }),
  }),
})

const ReleaseSummaryRef = builder.objectRef<DifferenceSummary>('ReleaseSummary').implement({
  description: 'What differs between two releases, counted.',
  right: 'admin',
  fields: (t) => ({
    added: t.exposeInt('added', { description: 'How many products only the newer release has.' }),
    removed: t.exposeInt('removed', { description: 'How many products only the older release has.' }),
    changed: t.exposeInt('changed', { description: 'How many products both have and differ.' }),
    fields: t.exposeStringList('fields', {
      description:
        "What else differs: the catalog's `name` and `description`, and `hierarchies` when there are others or in another order.",
    }),
    priceChanges: t.field({
      type: [PriceChangeCountRef],
      description:
        'In how many changed products prices differ, in the order of the currency; only currencies in which some do.',
      resolve: (summary, _, ctx) => countPriceChanges(ctx, summary),
    }),
    nodes: t.expose('nodes', { type: NodeChangeCountsRef, description: 'How many hierarchies and nodes differ.' }),
    nodeChanges: t.field({
      type: [NodeChangeRef],
      description: `The hierarchies and nodes that differ, in the order of the name, ${NODE_CHANGES_MAX} at most.`,
      resolve: ({ older, newer, nodeChanges }) => nodeChanges.map((change) => ({ ...change, older, newer })),
    }),
  }),
})

builder.objectField(ReleaseRef, 'summarySince', (t) =>
  t.field({
    type: ReleaseSummaryRef,
    right: 'admin',
    description: 'What differs between this release and another one, counted.',
    args: sinceArgs,
    resolve: async (one, args, ctx) => summarizeChanges(ctx, comparedReleases(await contentOf(one, ctx), args)),
  }),
)
