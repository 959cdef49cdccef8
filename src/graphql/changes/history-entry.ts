/** Entries of the history of records: the type HistoryEntry. For administrators only. */
import {
  changedFields,
  type HistoryEntry,
  type HistoryTopic,
  kindOf,
  toDocument,
} from '../../domain/changes/history.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import { globalId } from '../schema/ids.ts'
import { wordEnum } from '../schema/word-enum.ts'

const ChangeKindEnum = wordEnum('ChangeKind', 'What was done to a record.', {
  created: 'It is new; a release: it was published.',
  updated: 'It was changed, or what it lists was.',
  deleted: 'It is gone.',
})

const WriterRoleEnum = wordEnum('WriterRole', 'The role of the token that wrote.', {
  admin: 'An administrator, or an import.',
  shopper: 'A shopper of the account.',
})

/** The types of records by their topic; nodes without a parent are hierarchies. */
const typeNames: Readonly<Record<HistoryTopic, string>> = {
  catalog: 'Catalog',
  catalog_node: 'HierarchyNode',
  catalog_rule: 'CatalogRule',
  label: 'Label',
  offering: 'Offering',
  plan: 'Plan',
  price_book: 'PriceBook',
  price_modifier: 'PriceModifier',
  product: 'Product',
  product_price: 'ProductPrice',
  release: 'Release',
  sale: 'Sale',
  subscription: 'AccountSubscription',
  subscription_product: 'SubscriptionProduct',
  webhook: 'Webhook',
}

function typeOf({ topic, before, after }: HistoryEntry): string {
  return topic === 'catalog_node' && (after ?? before)?.parentId === null ? 'Hierarchy' : typeNames[topic]
}

const HistoryEntryRef = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'One write of one record: who, when, by which operation, and the record before and after.',
  right: 'admin',
  fields: (t) => ({
    key: t.id({
      description: 'Unique among all entries; later writes of a record have higher numbers.',
      resolve: ({ id }) => String(id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was written.' }),
    kind: t.field({ type: ChangeKindEnum, description: 'What was done to the record.', resolve: kindOf }),
    operation: t.exposeString('operation', {
      description: 'The name of the mutation, of the operation behind REST, or `import`.',
    }),
    subject: t.exposeString('subject', { description: "The subject of the writer's token; `import` for an import." }),
    role: t.expose('role', { type: WriterRoleEnum, description: "The role of the writer's token." }),
    recordType: t.string({ description: 'The type of the record, such as `Product`.', resolve: typeOf }),
    recordId: t.id({
      description: 'The global id of the record, which may be gone.',
      resolve: (entry) => globalId(typeOf(entry), entry.recordId),
    }),
    fields: t.stringList({
      description:
        'The names of the members that differ, in their order; of a new or deleted record all that have a value.',
      resolve: changedFields,
    }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The record before, with the UUIDs of records as ids; null when it was created. A subscription lacks who subscribes and pays, and its copies of offering and plan.',
      resolve: ({ before }) => before && toDocument(before),
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The record after; null when it was deleted. A node has `attachedProductIds` and `detachedProductIds` when these changed, a release `isLatest` when a deletion made it the latest again.',
      resolve: ({ after }) => after && toDocument(after),
    }),
  }),
})

export const HistoryEntryConnection = defineConnection(HistoryEntryRef, 'admin')
