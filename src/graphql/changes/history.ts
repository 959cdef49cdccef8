/** History of records: the field `history` of each, and the root connection of all. For administrators only. */
import type { ObjectRef } from '@pothos/core'
import type { Topic } from '../../domain/changes/change.ts'
import type { HistoryEntry } from '../../domain/changes/history.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { history } from '../../operations/changes/history.ts'
import { CatalogRef, ReleaseRef } from '../catalog/catalog-refs.ts'
import { CatalogRuleRef } from '../catalog/catalog-rule.ts'
import { HierarchyNodeRef, HierarchyRef } from '../catalog/hierarchy-refs.ts'
import { LabelRef } from '../catalog/label.ts'
import { PriceBookRef } from '../pricing/price-book.ts'
import { PriceModifierRef } from '../pricing/price-modifier.ts'
import { ProductPriceRef } from '../pricing/product-price.ts'
import { SaleRef } from '../pricing/sale.ts'
import { ProductRef } from '../products/product-ref.ts'
import { builder } from '../schema/builder.ts'
import { connection, pageArgs } from '../schema/connection.ts'
import type { CursorKey } from '../schema/cursor.ts'
import type { Types } from '../schema/graph-types.ts'
import { parseGlobalId, readId } from '../schema/ids.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { assertText } from '../schema/text-filter.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { OfferingRef } from '../subscriptions/offering.ts'
import { PlanRef } from '../subscriptions/plan.ts'
import { SubscriptionRef } from '../subscriptions/subscription.ts'
import { SubscriptionProductRef } from '../subscriptions/subscription-product.ts'
import { HistoryEntryConnection } from './history-entry.ts'
import { topicWords, WebhookRef } from './webhook.ts'

const newestFirst = { order: ['integer'], key: ({ id }: HistoryEntry): CursorKey => [id] } as const

function addHistory<T extends { readonly id: string }>(ref: ObjectRef<Types, T>, topic: Topic): void {
  builder.objectField(ref, 'history', (t) =>
    t.field({
      type: HistoryEntryConnection,
      right: 'admin',
      description:
        'Its writes as far back as history is kept, newest first. The root field `history` finds those of one writer or operation, by `recordId`.',
      args: pageArgs,
      resolve: ({ id }, args, { loaders }) =>
        childRecordConnection(
          args as never,
          id,
          [],
          loaders.historyListByTopicAndRecordId(topic),
          newestFirst,
        ) as never,
    }),
  )
}

addHistory(ProductPriceRef, 'product_price')
addHistory(PriceBookRef, 'price_book')
addHistory(PriceModifierRef, 'price_modifier')
addHistory(ProductRef, 'product')
addHistory(HierarchyRef, 'catalog_node')
addHistory(HierarchyNodeRef, 'catalog_node')
addHistory(CatalogRef, 'catalog')
addHistory(CatalogRuleRef, 'catalog_rule')
addHistory(LabelRef, 'label')
addHistory(PlanRef, 'plan')
addHistory(OfferingRef, 'offering')
addHistory(ReleaseRef, 'release')
addHistory(SubscriptionProductRef, 'subscription_product')
addHistory(SubscriptionRef, 'subscription')
addHistory(WebhookRef, 'webhook')

builder.objectField(SaleRef, 'history', (t) =>
  t.field({
    type: HistoryEntryConnection,
    description: 'The writes that changed it, newest first: those of its product price in which the sale differs.',
    args: pageArgs,
    resolve: ({ id }, args, { loaders }) =>
      childRecordConnection(args, id, [], loaders.historyListBySaleId, newestFirst),
  }),
)

const HistoryTopicEnum = wordEnum(
  'HistoryTopic',
  'The kind of a record. Writes of a sale are writes of its product price; a hierarchy is a node too.',
  topicWords,
)

const HistoryFilterInput = builder.inputType('HistoryFilter', {
  description: 'Which writes to list; all that is given holds.',
  fields: (t) => ({
    topic: t.field({ type: HistoryTopicEnum, description: 'Those of one kind of records.' }),
    recordId: t.id({ description: 'Those of one record, also a deleted one: its global id or UUID.' }),
    subject: t.string({ description: 'Those of one writer: the subject of the token.' }),
    operation: t.string({ description: 'Those by one operation, such as `deleteProduct`.' }),
    from: t.field({ type: 'DateTime', description: 'Those from this instant on.' }),
    to: t.field({ type: 'DateTime', description: 'Those before this instant.' }),
  }),
})

builder.queryField('history', (t) =>
  t.field({
    type: HistoryEntryConnection,
    right: 'admin',
    description: 'The writes of all records, deleted ones too, as far back as history is kept, newest first.',
    args: {
      ...pageArgs,
      filter: t.arg({
        type: HistoryFilterInput,
        description: 'Which writes to list, such as `{ operation: "deleteProduct" }`.',
      }),
    },
    resolve: (_, { filter: given, ...args }, ctx) => {
      const filter = {
        topic: given?.topic ?? null,
        recordId: given?.recordId == null ? null : readRecordId(given.recordId),
        subject: readText(given?.subject, 'subject'),
        operation: readText(given?.operation, 'operation'),
        from: given?.from ?? null,
        to: given?.to ?? null,
      }
      return connection(args, {
        ...newestFirst,
        fetch: (window) => history.page(ctx, { filter, window }),
        count: () => history.total(ctx, filter),
      })
    },
  }),
)

function readText(text: string | null | undefined, name: string): string | null {
  assertText(text, ['filter', name])
  return text ?? null
}

/** The raw id of a record of any type. */
function readRecordId(text: string): string {
  const path = ['filter', 'recordId']
  return readId('record', isUuid(text) ? text : (parseGlobalId(text)?.id ?? text), path)
}
