/**
 * Releases: snapshots of a catalog, with warnings of their publish (release.is-a-snapshot). Contents:
 * release-content.ts. Status and schedule: release-schedule.ts. All releases of a catalog: release-list.ts.
 */
import { type ReleaseWarning, releaseUpdatedAt, WARNINGS_MAX } from '../../domain/catalog/release-summary.ts'
import type { AnyRelease } from '../../domain/catalog/release-view.ts'
import { LOOK_ALIKES_MAX } from '../../domain/catalog/sku-warning.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { catalogDraft } from '../../operations/catalog/draft.ts'
import { release as findRelease } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { priceWarningKinds } from '../pricing/price-warning.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { implementNode } from '../schema/node.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'
import { summaryOf } from './release-record.ts'
import { isReleaseNodeId, parseReleaseNodeId, readWantedRelease, releaseNodeId } from './release-scoped-id.ts'

const ReleaseWarningCodeEnum = wordEnum('ReleaseWarningCode', 'What a publish found that is maybe not meant.', {
  TAX_MIXED: 'The bundle has no price, since some chosen options include tax and others do not.',
  AMOUNT_TOO_LARGE: 'The product has no price, since the amount is beyond 9007199254740991.',
  ...priceWarningKinds,
  CURRENCY_HIDDEN_BY_BOOK:
    'Products have no price in the currency, since the price book has their SKU without it, and hides a lower book that has both.',
  SKUS_LOOK_ALIKE:
    'SKUs of the catalog, or of one of its price books, differ in case, white space, width or normalisation alone.',
  SLUGS_EQUAL:
    'Several products of the catalog have the slug, or several of its hierarchies, in whatever language; it finds the first of them alone.',
  SCHEDULED_SHOWN_EARLY:
    'A publish at once shows what a scheduled release changes, before its instant. What is edited for later is public with every publish until it is taken back.',
})

const ReleaseWarningRef = builder.objectRef<ReleaseWarning>('ReleaseWarning').implement({
  description:
    'Something of one kind in a release that is maybe not meant: at a product, in a price book, among SKUs or slugs, or in what it shows early.',
  right: 'admin',
  fields: (t) => ({
    code: t.expose('code', { type: ReleaseWarningCodeEnum, description: 'What was found.' }),
    count: t.int({
      description:
        'How often it was found at the product; currency, tier and sale are of the first. Of CURRENCY_HIDDEN_BY_BOOK, SLUGS_EQUAL and SCHEDULED_SHOWN_EARLY: the number of products, or of hierarchies with the slug.',
      resolve: ({ count = 1 }) => count,
    }),
    productId: t.id({
      nullable: true,
      description:
        'The global id of the product, of CURRENCY_HIDDEN_BY_BOOK, SLUGS_EQUAL and SCHEDULED_SHOWN_EARLY that of the first; null of SKUS_LOOK_ALIKE, of slugs of hierarchies, and where no product is shown early.',
      resolve: ({ product_id }) => (product_id === undefined ? null : globalId('Product', product_id)),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      nullable: true,
      description: 'The currency; null of SKUS_LOOK_ALIKE, SLUGS_EQUAL and SCHEDULED_SHOWN_EARLY.',
      resolve: ({ currency }) => currency ?? null,
    }),
    sku: t.string({
      nullable: true,
      description:
        'Of a doubtful price (TIER_DEARER, SALE_DEARER, TAX_DIFFERS), and of CURRENCY_HIDDEN_BY_BOOK: the SKU of the price of the product.',
      resolve: ({ sku }) => sku ?? null,
    }),
    tier: t.string({
      nullable: true,
      description: 'Of TIER_DEARER: the name of the tier.',
      resolve: ({ tier }) => tier ?? null,
    }),
    sale: t.string({
      nullable: true,
      description: 'Of a doubtful price: the name of the sale; null: it is about the list price.',
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
    slug: t.string({
      nullable: true,
      description: 'Of SLUGS_EQUAL: the slug.',
      resolve: ({ slug }) => slug ?? null,
    }),
    hierarchyId: t.id({
      nullable: true,
      description: 'The global id of the first hierarchy with the slug, of SLUGS_EQUAL among hierarchies; else null.',
      resolve: ({ hierarchy_id }) => (hierarchy_id === undefined ? null : globalId('Hierarchy', hierarchy_id)),
    }),
    priceBookId: t.id({
      nullable: true,
      description: 'The global id of the price book that hides the currency, or that has SKUS_LOOK_ALIKE; else null.',
      resolve: ({ price_book_id }) => (price_book_id === undefined ? null : globalId('PriceBook', price_book_id)),
    }),
    nodeCount: t.int({
      nullable: true,
      description:
        'Of SCHEDULED_SHOWN_EARLY: the number of hierarchies and nodes. Where it and count are 0, texts of the catalog or labels are shown early.',
      resolve: ({ node_count }) => node_count ?? null,
    }),
    scheduledRelease: t.field({
      type: ReleaseRef,
      nullable: true,
      description: 'Of SCHEDULED_SHOWN_EARLY: the release that was to show it first; null when it is gone.',
      resolve: ({ release_id }, _, { loaders }) =>
        release_id === undefined ? null : loaders.releaseSummaryById.load(release_id),
    }),
    scheduledFor: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Of SCHEDULED_SHOWN_EARLY: the instant for which that release was scheduled.',
      resolve: ({ scheduled_for }) => scheduled_for ?? null,
    }),
  }),
})

implementNode(ReleaseRef, {
  description:
    'A catalog as it was when it was published. What it holds never changes; only prices may, by their schedules.',
  right: 'anyone',
  isId: isReleaseNodeId,
  idOf: releaseNodeId,
  load: (id, ctx) => findRelease(ctx, parseReleaseNodeId(id)),
  rootField: {
    name: 'release',
    noun: 'release',
    description: 'One release, of whatever catalog; null when there is none.',
  },
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: "Counts the catalog's publications from 1; 0 of a draft." }),
    name: t.string({
      nullable: true,
      right: 'admin',
      description: 'What administrators call it, such as "Christmas"; null without a name, and of a draft.',
      resolve: async (one, _, ctx) => (await summaryOf(one, ctx)).name,
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the publish began.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it first became public, or the instant to come for which it is scheduled; null when it is not published.',
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description:
        'When its publish began; a millisecond later once that has ended. For administrators, when its name was changed last, if it was. For ifUpdatedAt.',
      // Shoppers learn nothing of names.
      resolve: async (one, _, ctx) =>
        releaseUpdatedAt(ctx.viewer.role === 'admin' ? await summaryOf(one, ctx) : { ...one, renamedAt: null }),
    }),
    productCount: t.exposeInt('productCount', { description: 'How many products it holds.' }),
    nodeCount: t.exposeInt('nodeCount', { description: 'How many hierarchies and nodes it holds.' }),
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
      description:
        'How many warnings there are, one for each kind and product, price book and currency, or scheduled release.',
      resolve: async (one, _, ctx) => (await summaryOf(one, ctx)).warningCount,
    }),
    pinned: t.field({
      type: ReleaseRef,
      description:
        'The same release under an id of its own: what is reached through it has ids that name this release for good.',
      resolve: (one) => ({ ...one, isLatest: false }),
    }),
    catalog: t.field({
      type: CatalogRef,
      description: 'The catalog.',
      resolve: ({ catalogId }) => ({ id: catalogId }),
    }),
  }),
})

function readReleaseId({ id }: { readonly id: string }): WantedRelease {
  return readWantedRelease(id, ['id'])
}

/** A release of the catalog; null when the requested one belongs to another catalog. */
async function releaseOf(catalogId: string, wanted: WantedRelease, ctx: Context): Promise<AnyRelease | null> {
  if (wanted.catalogId !== null && wanted.catalogId !== catalogId) return null
  return findRelease(ctx, { ...wanted, catalogId })
}

builder.objectFields(CatalogRef, (t) => ({
  release: t.field({
    type: ReleaseRef,
    nullable: true,
    description: 'One of its releases; null when there is none.',
    args: {
      id: t.arg.id({
        required: true,
        description: 'The global id or the UUID of the release, or `latest`.',
        ...withReader(readReleaseId),
      }),
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
