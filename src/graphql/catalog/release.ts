/**
 * Releases: snapshots of a catalog, with warnings of their publish (release.is-a-snapshot). Contents: release-content.ts; status and
 * schedule: release-schedule.ts; all of a catalog: release-list.ts.
 */
import { WARNINGS_MAX } from '../../domain/catalog/price-warning.ts'
import { Release } from '../../domain/catalog/release.ts'
import { type ReleaseSummary, type ReleaseWarning, releaseUpdatedAt } from '../../domain/catalog/release-summary.ts'
import { LOOK_ALIKES_MAX } from '../../domain/catalog/sku-warning.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { catalogDraft } from '../../operations/catalog/draft.ts'
import { release as findRelease, type ReleaseOrSummary } from '../../operations/catalog/published-catalog.ts'
import { releaseNotFound } from '../../operations/catalog/release-listing.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { implementNode } from '../schema/node.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'
import { isReleaseNodeId, parseReleaseNodeId, readWantedRelease, releaseNodeId } from './release-scoped-id.ts'

const ReleaseWarningCodeEnum = wordEnum('ReleaseWarningCode', 'What a publish found that is maybe not meant.', {
  TAX_MIXED: 'The bundle has no price, since some chosen options include tax and others do not.',
  AMOUNT_TOO_LARGE: 'The product has no price, since the amount is beyond 9007199254740991.',
  TIER_ABOVE_SALE: 'A unit costs more from the quantity of the tier on than it does in the sale, which yields to the tier.',
  SKUS_LOOK_ALIKE: 'SKUs of the catalog, or of one of its price books, differ in case, white space, width or normalisation alone.',
})

const ReleaseWarningRef = builder.objectRef<ReleaseWarning>('ReleaseWarning').implement({
  description: 'Something about a price or SKUs in a release that is maybe not meant.',
  right: 'admin',
  fields: (t) => ({
    code: t.expose('code', { type: ReleaseWarningCodeEnum, description: 'What was found.' }),
    productId: t.id({
      nullable: true,
      description: 'The global id of the product; null of SKUS_LOOK_ALIKE.',
      resolve: ({ product_id }) => (product_id === undefined ? null : globalId('Product', product_id)),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      nullable: true,
      description: 'The currency; null of SKUS_LOOK_ALIKE.',
      resolve: ({ currency }) => currency ?? null,
    }),
    sku: t.string({ nullable: true, description: 'Of a TIER_ABOVE_SALE: the SKU of the price.', resolve: ({ sku }) => sku ?? null }),
    tier: t.string({ nullable: true, description: 'Of a TIER_ABOVE_SALE: the name of the tier.', resolve: ({ tier }) => tier ?? null }),
    sale: t.string({
      nullable: true,
      description: 'Of a TIER_ABOVE_SALE: the name of the sale; of several the one with the lowest amount.',
      resolve: ({ sale }) => sale ?? null,
    }),
    skus: t.stringList({
      description: `Of SKUS_LOOK_ALIKE: the SKUs, at most ${LOOK_ALIKES_MAX}, in code point order; else empty.`,
      resolve: ({ skus }) => [...(skus ?? [])],
    }),
    skuCount: t.int({
      nullable: true,
      description: 'Of SKUS_LOOK_ALIKE: how many SKUs look alike.',
      resolve: ({ sku_count }) => sku_count ?? null,
    }),
    priceBookId: t.id({
      nullable: true,
      description: 'The global id of the price book that has SKUS_LOOK_ALIKE; null when products of the release have them.',
      resolve: ({ price_book_id }) => (price_book_id === undefined ? null : globalId('PriceBook', price_book_id)),
    }),
  }),
})

implementNode(ReleaseRef, {
  description: 'A catalog as it was when it was published. It never changes; only prices may, by their schedules.',
  right: 'anyone',
  isId: isReleaseNodeId,
  idOf: releaseNodeId,
  load: (id, ctx) => findRelease(ctx, parseReleaseNodeId(id)),
  rootField: { name: 'release', noun: 'release', description: 'One release, of whatever catalog; null when there is none.' },
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: "Counts the catalog's publications from 1; 0 of a draft." }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When the publish began.',
      resolve: (one) => one.startedAt,
    }),
    publishedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it first became public, or the instant to come for which it is scheduled; null when it is not published.',
      resolve: (one) => (one instanceof Release && one.isDraft ? null : one.publishedAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When its publish began; a millisecond later once that has ended. For ifUpdatedAt.',
      resolve: (one) => releaseUpdatedAt(one instanceof Release ? { status: 'published', startedAt: one.startedAt } : one),
    }),
    productCount: t.int({
      description: 'How many products it holds.',
      resolve: (one) => (one instanceof Release ? one.allProducts.documents.length : one.productCount),
    }),
    nodeCount: t.int({
      description: 'How many hierarchies and nodes it holds.',
      resolve: (one) => (one instanceof Release ? one.nodes.size : one.nodeCount),
    }),
    error: t.string({
      nullable: true,
      right: 'admin',
      description: 'Why the publish failed.',
      resolve: async (one, _, ctx) => (await summaryOf(one, ctx)).error,
    }),
    warnings: t.field({
      type: [ReleaseWarningRef],
      description: `What the publish found that is maybe not meant, at most ${WARNINGS_MAX}: the first ones.`,
      resolve: async (one, _, ctx) => [...(await summaryOf(one, ctx)).warnings],
    }),
    warningCount: t.int({
      right: 'admin',
      description: 'How many warnings there are.',
      resolve: async (one, _, ctx) => (await summaryOf(one, ctx)).warningCount,
    }),
    pinned: t.field({
      type: ReleaseRef,
      description: 'The same release under an id of its own: what is reached through it has ids that name this release for good.',
      resolve: (one) => (one instanceof Release ? one.asPinned : one),
    }),
    catalog: t.field({ type: CatalogRef, description: 'The catalog.', resolve: ({ catalogId }) => ({ id: catalogId }) }),
  }),
})

/** The summary of a release's publish. Throws when the release is gone. */
async function summaryOf(release: ReleaseOrSummary, { loaders }: Context): Promise<ReleaseSummary> {
  if (!(release instanceof Release)) return release
  const summary = await loaders.releaseSummaryById.load(release.id)
  if (!summary) throw releaseNotFound()
  return summary
}

function readReleaseId({ id }: { readonly id: string }): WantedRelease {
  return readWantedRelease(id, ['id'])
}

/** A release of the catalog; null when the requested one belongs to another catalog. */
async function releaseOf(catalogId: string, wanted: WantedRelease, ctx: Context): Promise<ReleaseOrSummary | null> {
  if (wanted.catalogId !== null && wanted.catalogId !== catalogId) return null
  return findRelease(ctx, { ...wanted, catalogId })
}

builder.objectFields(CatalogRef, (t) => ({
  release: t.field({
    type: ReleaseRef,
    nullable: true,
    description: 'One of its releases; null when there is none.',
    args: {
      id: t.arg.id({ required: true, description: 'The global id or the UUID of the release, or `latest`.', ...withReader(readReleaseId) }),
    },
    resolve: ({ id: catalogId }, args, ctx) => releaseOf(catalogId, readReleaseId(args), ctx),
  }),
  latestRelease: t.field({
    type: ReleaseRef,
    nullable: true,
    description:
      'The release that shoppers see; null when there is none. Its id and those of all that is reached through it stay the same over publishes.',
    resolve: ({ id: catalogId }, _, ctx) => findRelease(ctx, { catalogId, releaseId: 'latest' }),
  }),
  draft: t.field({
    type: ReleaseRef,
    nullable: true,
    right: 'admin',
    description:
      'What a publish would show now, as a release that only administrators read: its lists, prices, search, warnings and changesSince. Its id stays the same as long as a publish would show the same, and publishRelease takes it as `fromDraft`. Null only when the catalog was deleted meanwhile.',
    resolve: ({ id: catalogId }, _, ctx) => catalogDraft(ctx, { catalogId }),
  }),
}))
