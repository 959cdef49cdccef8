/** Webhooks, which receive changes as events, and their dead letters. For administrators only. */
import type { Topic } from '../../domain/changes/change.ts'
import { toDocument } from '../../domain/changes/history.ts'
import { eventId, eventType } from '../../domain/changes/webhook-event.ts'
import { WEBHOOKS_MAX } from '../../domain/input/limits.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { type PublicWebhook, webhook, webhooks } from '../../operations/changes/webhook.ts'
import type { DeadLetter } from '../../persistence/changes/webhook.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { implementNode } from '../schema/node.ts'
import { childRecordConnection, datedOrderArgs, recordConnection } from '../schema/record-connection.ts'
import { DateTimeFilter, instantClauses } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const WebhookRef = builder.objectRef<PublicWebhook>('Webhook')
const WebhookConnection = defineConnection(WebhookRef, 'admin')

/** The topics of the change log: their descriptions in enums. */
export const topicWords: Readonly<Record<Topic, string>> = {
  catalog: 'Settings of catalogs.',
  catalog_node: 'Hierarchies and their nodes.',
  catalog_rule: 'Catalog rules.',
  label: 'Labels.',
  offering: 'Offerings.',
  plan: 'Plans.',
  price_book: 'Price books.',
  price_modifier: 'Price modifiers.',
  product: 'Products.',
  product_price: 'Product prices with their sales.',
  release: 'Releases, published, renamed and deleted.',
  subscription: 'Subscriptions of accounts.',
  subscription_product: 'Subscription products.',
  webhook: 'Webhooks, without their secrets.',
}

const { webhook: _, ...webhookTopicWords } = topicWords

export const WebhookTopicEnum = wordEnum('WebhookTopic', 'The records whose changes a webhook gets.', webhookTopicWords)

const DeadLetterRef = builder.objectRef<DeadLetter>('WebhookDeadLetter').implement({
  description: 'An event that a webhook did not acknowledge by any attempt.',
  right: 'admin',
  fields: (t) => ({
    key: t.id({
      description: 'The id of the event, as in its header `webhook-id`; `retryDeadLetters` takes it.',
      resolve: ({ id }) => eventId(id),
    }),
    type: t.string({
      description: 'The type of the event, such as `commerce.product_price.updated`.',
      resolve: eventType,
    }),
    recordKey: t.exposeID('recordId', { description: 'The UUID of the record, which may be gone.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was written.' }),
    operation: t.exposeString('operation', { description: 'The operation that wrote it.' }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The record before, as history has it.',
      resolve: ({ before }) => before && toDocument(before),
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The record after, as history has it.',
      resolve: ({ after }) => after && toDocument(after),
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was sent.' }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why the last attempt failed.' }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true, description: 'When the last attempt failed.' }),
  }),
})

const DeadLetterConnection = defineConnection(DeadLetterRef, 'admin')

const DeadLetterFilter = builder.inputType('WebhookDeadLetterFilter', {
  description: 'Which dead letters to list; all that is given holds.',
  fields: (t) => ({
    topic: t.field({ type: WebhookTopicEnum, description: 'Those of one kind of records.' }),
    at: t.field({ type: DateTimeFilter, description: 'By the instant at which the change was written.' }),
  }),
})

/** The clauses of a filter, on entries of the change log. Null means absent. */
function clausesOf(filter: typeof DeadLetterFilter.$inferInput | null | undefined): RecordClause[] {
  const { topic, at } = filter ?? {}
  return [...textClauses('topic', { eq: topic }), ...instantClauses('createdAt', at)]
}

implementNode(WebhookRef, {
  description: 'An address that gets the changes of some records as CloudEvents, signed as Standard Webhooks wants it.',
  right: 'admin',
  load: (id, ctx) => webhook(ctx, { id }),
  rootField: { name: 'webhook', noun: 'webhook', description: 'One webhook; null when there is none.' },
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where events are sent to.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    topics: t.expose('topics', { type: [WebhookTopicEnum], description: 'The records whose changes it gets.' }),
    isEnabled: t.exposeBoolean('enabled', {
      description: 'Whether events are sent; else they wait, as long as history is kept.',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation signs too; null without one.',
    }),
    waitingCount: t.int({
      description: 'How many events wait to be sent, or to be sent again.',
      resolve: ({ id }, _, { loaders }) => loaders.waitingEventTotalByWebhookId([]).load(id),
    }),
    deadLetters: t.field({
      type: DeadLetterConnection,
      description: 'Its events that no attempt delivered, oldest change first.',
      args: {
        ...pageArgs,
        filter: t.arg({ type: DeadLetterFilter, description: 'Which to list, such as `{ topic: PRODUCT_PRICE }`.' }),
      },
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(args, id, clausesOf(filter), loaders.deadLetterListByWebhookId, {
          order: ['integer'],
          key: (letter) => [letter.id],
        }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the webhook was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the webhook was last changed.' }),
  }),
})

builder.queryFields((t) => ({
  webhooks: t.field({
    type: WebhookConnection,
    right: 'admin',
    description: `All webhooks, at most ${WEBHOOKS_MAX}, oldest first.`,
    args: { ...pageArgs, ...datedOrderArgs },
    resolve: (_, args, ctx) => recordConnection(ctx, args, [], webhooks),
  }),
}))
