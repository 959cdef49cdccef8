/** The products that differ between two releases: Release.changesSince. */
import {
  changedProductFields,
  type ReleaseChangeKind,
  type ReleasePriceChange,
} from '../../domain/catalog/product-change.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import {
  type ComparedReleases,
  changedPrices,
  listChanges,
  type ProductChange,
} from '../../operations/catalog/release-difference.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogProductRef, PublishedProduct, ReleaseRef } from './catalog-refs.ts'
import { changeConnection } from './release-change-connection.ts'
import { changeOrderArgs, readChangeOrder } from './release-change-order.ts'
import { contentOf } from './release-content.ts'
import { readWantedRelease } from './release-scoped-id.ts'

export const ReleaseChangeKindEnum = wordEnum<ReleaseChangeKind>(
  'ReleaseChangeKind',
  'How something differs between two releases.',
  {
    ADDED: 'Only the newer release has it.',
    REMOVED: 'Only the older release has it.',
    CHANGED: 'Both have it, and it differs.',
  },
)

const ReleasePriceChangeRef = builder.objectRef<ReleasePriceChange>('ReleasePriceChange').implement({
  description: 'A price of one unit that differs between two releases at the instant of the request.',
  right: 'admin',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    before: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The price in the older release; null without one.',
      resolve: ({ before, currency }) => toMoney(before, currency),
    }),
    after: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The price in the newer release; null without one.',
      resolve: ({ after, currency }) => toMoney(after, currency),
    }),
    difference: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'By how much it rises, negative when it falls; null where one of them is.',
      resolve: ({ before, after, currency }) =>
        toMoney(before === null || after === null ? null : after - before, currency),
    }),
  }),
})

const ReleaseChangeRef = builder.objectRef<ProductChange>('ReleaseChange').implement({
  description: 'A product that differs between two releases.',
  right: 'admin',
  fields: (t) => ({
    kind: t.expose('kind', { type: ReleaseChangeKindEnum, description: 'How it differs.' }),
    fields: t.stringList({
      description:
        'Of a CHANGED product the names of the fields of CatalogProduct that differ, such as `name` or `prices`, at any instant and in any language.',
      resolve: ({ before, after }) => (before && after ? changedProductFields(before, after) : []),
    }),
    before: t.field({
      type: CatalogProductRef,
      nullable: true,
      description: 'The product as the older release has it; null for an ADDED one.',
      resolve: ({ older, before }) => before && new PublishedProduct(older, before),
    }),
    after: t.field({
      type: CatalogProductRef,
      nullable: true,
      description: 'The product as the newer release has it; null for a REMOVED one.',
      resolve: ({ newer, after }) => after && new PublishedProduct(newer, after),
    }),
    priceChanges: t.field({
      type: [ReleasePriceChangeRef],
      description:
        'Of a CHANGED product the prices of one unit that differ at the instant of the request, in the order of the currency.',
      resolve: (change, _, ctx) => changedPrices(ctx, change),
    }),
  }),
})

const ReleaseChangeConnection = defineConnection(ReleaseChangeRef, 'admin')

export const sinceArgs = builder.args((t) => ({
  releaseId: t.id({
    required: true,
    description:
      'The release to compare with: its global id, its UUID, or `latest`. Of the same catalog, usually an older one.',
    ...withReader((args: SinceArguments) => readWantedRelease(args.releaseId, ['releaseId'])),
  }),
}))

interface SinceArguments {
  readonly releaseId: string
}

/** The releases that a field of `newer` with sinceArgs compares. Throws DomainError (badRequest). */
export function comparedReleases(newer: ReleaseView, { releaseId }: SinceArguments): ComparedReleases {
  const since = readWantedRelease(releaseId, ['releaseId'])
  return {
    newer,
    since:
      since.releaseId === 'latest' && since.catalogId === null
        ? { ...since, catalogId: newer.release.catalogId }
        : since,
  }
}

const ReleaseChangeFilter = builder.inputType('ReleaseChangeFilter', {
  description: 'Which products that differ to list.',
  fields: (t) => ({
    kinds: t.field({
      type: [ReleaseChangeKindEnum],
      description: 'How they differ, such as `[ADDED, REMOVED]`; by default in any way.',
    }),
  }),
})

builder.objectField(ReleaseRef, 'changesSince', (t) =>
  t.field({
    type: ReleaseChangeConnection,
    right: 'admin',
    description:
      'The products in which this release differs from another one, in the order of the name, by code point, unless `orderBy` says otherwise.',
    args: {
      ...sinceArgs,
      ...pageArgs,
      filter: t.arg({
        type: ReleaseChangeFilter,
        description: 'Which of them to list, such as `{ kinds: [ADDED, REMOVED] }`; by default all.',
      }),
      ...changeOrderArgs,
    },
    resolve: (one, { filter, releaseId, orderBy, ...page }, ctx) => {
      const kinds = [...new Set(filter?.kinds ?? [])].sort()
      const order = readChangeOrder({ orderBy }, ctx)
      const list = async (instant: number) =>
        listChanges(ctx, {
          ...comparedReleases(await contentOf(one, ctx), { releaseId }),
          kinds,
          order: { ...order, instant },
        })
      return changeConnection(page, { kinds, order }, ctx, list)
    },
  }),
)
