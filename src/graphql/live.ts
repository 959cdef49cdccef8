/** GraphQL subscriptions over server-sent events. An account's subscription is the type AccountSubscription. */
import type { FieldMap } from '@pothos/core'
import type { Change, ChangeCursor } from '../domain/changes/change.ts'
import { badRequest } from '../domain/input/errors.ts'
import { catalog, release } from '../operations/catalog/published-catalog.ts'
import {
  watchCatalogs,
  watchProductPrices,
  watchProducts,
  watchReleases,
  watchSubscriptions,
} from '../operations/changes/live.ts'
import { subscription } from '../operations/subscriptions/subscription.ts'
import { CatalogRef, ReleaseRef } from './catalog/catalog-refs.ts'
import { ProductPriceRef } from './pricing/product-price.ts'
import { ProductRef } from './products/product-ref.ts'
import { builder } from './schema/builder.ts'
import { readCursor, writeCursor } from './schema/cursor.ts'
import type { FieldBuilder } from './schema/graph-types.ts'
import { globalId, readId, requiredId } from './schema/ids.ts'
import { SubscriptionRef } from './subscriptions/subscription.ts'

builder.subscriptionType({
  description:
    'What can be listened to, over server-sent events. A stream reports every change at least once, those of one record in their order, with the record as it is at that moment; it ends when its token expires. A client that reconnects gives the cursor of the last event as `after` and misses nothing, for as long as the server keeps history; `saleTurned` has no cursor: what turned meanwhile is read from the catalog.',
})

const order = ['text', 'integer', 'text', 'integer'] as const

function cursorOf({ cursor: { from, fromId, to, id, at } }: Change): string {
  return writeCursor(at === undefined ? [from, fromId, to, id] : [from, fromId, to, id, at])
}

function readCursorOf(after: string | null | undefined): ChangeCursor | null {
  if (after == null) return null
  const key = readCursor(after, order) ?? readCursor(after, [...order, 'instant'])
  if (!key) throw badRequest('INVALID_FORMAT', ['after'], 'must be a cursor of this stream')
  const [from, fromId, to, id, at] = key as [string, number, string, number, number?]
  return { from, fromId, to, id, at }
}

const afterArg = {
  description:
    'Begin after the event with this cursor, such as the last `cursor` that was received, not with what happens from now on.',
}

/** The fields of every event: the cursor, and the global id of the record, which has the type `type`. */
function eventFields(t: FieldBuilder<Change>, name: string, type: string, noun: string): FieldMap {
  return {
    cursor: t.string({ description: 'The position in the stream, for `after`.', resolve: cursorOf }),
    [`${name}Id`]: t.id({
      description: `The global id of the ${noun}.`,
      resolve: ({ recordId }) => globalId(type, recordId),
    }),
  }
}

const ReleasePublishedRef = builder.objectRef<Change>('ReleasePublished').implement({
  description:
    'A release was published or restored, became the latest by schedule, or is the latest again since the one after it was deleted.',
  right: 'anyone',
  fields: (t) => ({
    ...eventFields(t, 'release', 'Release', 'release'),
    release: t.field({
      type: ReleaseRef,
      nullable: true,
      description: 'The release; null when it is gone by now.',
      resolve: ({ recordId }, _, ctx) => release(ctx, { catalogId: null, releaseId: recordId }),
    }),
  }),
})

const ProductPriceChangedRef = builder.objectRef<Change>('ProductPriceChanged').implement({
  description: 'A product price was added, changed or deleted, or its sales were.',
  right: 'admin',
  fields: (t) => ({
    ...eventFields(t, 'productPrice', 'ProductPrice', 'product price'),
    productPrice: t.field({
      type: ProductPriceRef,
      nullable: true,
      description: 'The product price as it is now; null when it is deleted.',
      resolve: ({ recordId }, _, { loaders }) => loaders.productPriceById.load(recordId),
    }),
  }),
})

const ProductChangedRef = builder.objectRef<Change>('ProductChanged').implement({
  description: 'A product was added, changed or deleted.',
  right: 'admin',
  fields: (t) => ({
    ...eventFields(t, 'product', 'Product', 'product'),
    product: t.field({
      type: ProductRef,
      nullable: true,
      description: 'The product as it is now; null when it is deleted.',
      resolve: ({ recordId }, _, { loaders }) => loaders.productById.load(recordId),
    }),
  }),
})

const CatalogChangedRef = builder.objectRef<Change>('CatalogChanged').implement({
  description: 'A catalog was added, changed or deleted: its texts, hierarchies or price books.',
  right: 'admin',
  fields: (t) => ({
    ...eventFields(t, 'catalog', 'Catalog', 'catalog'),
    catalog: t.field({
      type: CatalogRef,
      nullable: true,
      description: 'The catalog as it is now; null when it is deleted.',
      resolve: ({ recordId }, _, ctx) => catalog(ctx, { id: recordId }),
    }),
  }),
})

const SubscriptionChangedRef = builder.objectRef<Change>('SubscriptionChanged').implement({
  description: 'A subscription began or changed.',
  right: 'anyone',
  fields: (t) => ({
    ...eventFields(t, 'subscription', 'AccountSubscription', 'subscription'),
    subscription: t.field({
      type: SubscriptionRef,
      nullable: true,
      description: 'The subscription as it is now.',
      resolve: ({ recordId }, _, ctx) => subscription(ctx, { id: recordId }),
    }),
  }),
})

builder.subscriptionFields((t) => ({
  releasePublished: t.field({
    type: ReleasePublishedRef,
    right: 'anyone',
    description:
      "Releases of a catalog as they become the latest: published or restored ones at once, and the one before when the latest is deleted; scheduled ones at their instant by this server's clock, not before. Shoppers may listen to catalogs that have a release.",
    args: {
      catalogId: t.arg.id(requiredId('catalog', 'c0ffee00-0009-4000-8000-000000000001')),
      after: t.arg.string(afterArg),
    },
    subscribe: (_, { catalogId, after }, ctx) =>
      watchReleases(ctx, { id: readId('Catalog', catalogId, ['catalogId']), after: readCursorOf(after) }),
    resolve: (change) => change,
  }),
  productPriceChanged: t.field({
    type: ProductPriceChangedRef,
    right: 'admin',
    description: 'Product prices of a price book as they are added, changed and deleted.',
    args: {
      priceBookId: t.arg.id(requiredId('price book', 'c0ffee00-0001-4000-8000-000000000001')),
      after: t.arg.string(afterArg),
    },
    subscribe: (_, { priceBookId, after }, ctx) =>
      watchProductPrices(ctx, { id: readId('PriceBook', priceBookId, ['priceBookId']), after: readCursorOf(after) }),
    resolve: (change) => change,
  }),
  productChanged: t.field({
    type: ProductChangedRef,
    right: 'admin',
    description:
      'All products as they are added, changed and deleted, by imports too. Their prices: `productPriceChanged`.',
    args: { after: t.arg.string(afterArg) },
    subscribe: (_, { after }, ctx) => watchProducts(ctx, { after: readCursorOf(after) }),
    resolve: (change) => change,
  }),
  catalogChanged: t.field({
    type: CatalogChangedRef,
    right: 'admin',
    description: 'All catalogs as they are added, changed and deleted. What shoppers see of them: `releasePublished`.',
    args: { after: t.arg.string(afterArg) },
    subscribe: (_, { after }, ctx) => watchCatalogs(ctx, { after: readCursorOf(after) }),
    resolve: (change) => change,
  }),
  subscriptionChanged: t.field({
    type: SubscriptionChangedRef,
    right: 'account',
    description: "Subscriptions of an account as they begin and change. Shoppers may listen to their own account's.",
    args: {
      accountId: t.arg.id(requiredId('account', 'c0ffee00-00aa-4000-8000-000000000001')),
      after: t.arg.string(afterArg),
    },
    subscribe: (_, { accountId, after }, ctx) =>
      watchSubscriptions(ctx, { id: readId('Account', accountId, ['accountId']), after: readCursorOf(after) }),
    resolve: (change) => change,
  }),
}))
