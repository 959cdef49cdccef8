/** Webhook mutations: create, update, delete, a new secret, and dead letters sent again. */
import {
  createWebhook,
  deleteWebhook,
  type PublicWebhook,
  retryDeadLetters,
  rotateWebhookSecret,
  updateWebhook,
  webhookSecret,
} from '../../operations/changes/webhook.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import type { InputMembers } from '../schema/graph-input.ts'
import { WebhookRef, WebhookTopicEnum } from './webhook.ts'

const WebhookSecretRef = builder.objectRef<PublicWebhook>('WebhookSecret').implement({
  description: 'A webhook and its secret, which no query returns.',
  right: 'admin',
  fields: (t) => ({
    webhook: t.field({ type: WebhookRef, description: 'The webhook.', resolve: (hook) => hook }),
    secret: t.string({
      nullable: true,
      description:
        'The secret that signs from now on: `whsec_` and the key in base64. Keep it: it is not shown again. Null when the webhook is gone by now.',
      resolve: ({ id }, _, ctx) => webhookSecret(ctx, { id }),
    }),
  }),
})

const members: InputMembers = { enabled: { name: 'isEnabled' } }

function urlField(t: InputBuilder, required: boolean) {
  return t.string({
    required,
    description:
      'Where events are sent to, at most 2048 characters, without user, password and fragment. In production it begins with https:// and leads to a public address.',
  })
}

function topicsField(t: InputBuilder, required: boolean) {
  return t.field({
    type: [WebhookTopicEnum],
    required,
    description: 'The records whose changes it gets, at least one kind.',
  })
}

function otherFields(t: InputBuilder, isEnabled: string) {
  return {
    description: t.string({ description: 'What it is for, at most 1024 characters.' }),
    isEnabled: t.boolean({ description: isEnabled }),
  }
}

defineMutation('createWebhook', {
  description: 'Creates a webhook. It gets what changes from now on.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    url: urlField(t, true),
    topics: topicsField(t, true),
    ...otherFields(t, 'Whether events are sent, true unless given; else they wait, as long as history is kept.'),
  }),
  members,
  result: { name: 'webhookSecret', type: WebhookSecretRef, description: 'The new webhook and its secret.' },
  run: (ctx, { data }, options) => createWebhook(ctx, { data }, options),
})

defineMutation('updateWebhook', {
  description:
    'Changes the members that are given; others keep their value. Events that wait are sent to the new address.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Webhook', noun: 'webhook' },
  input: (t) => ({
    url: urlField(t, false),
    topics: topicsField(t, false),
    ...otherFields(t, 'Whether events are sent; else they wait, as long as history is kept.'),
  }),
  members,
  result: { name: 'webhook', type: WebhookRef, description: 'The webhook after the change.' },
  run: (ctx, { id, data }, options) => updateWebhook(ctx, { id, data }, options),
})

defineMutation('rotateWebhookSecret', {
  description:
    'Gives a webhook a new secret. The one it has signs too for a time, so that the receiver can change over.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Webhook', noun: 'webhook' },
  input: (t) => ({
    previousValidSeconds: t.int({
      description:
        'For how many seconds the present secret signs too, 0 to 604800 (7 days); 86400 when absent. One before it ends at once.',
    }),
  }),
  result: { name: 'webhookSecret', type: WebhookSecretRef, description: 'The webhook and its new secret.' },
  run: (ctx, { id, data }, options) => rotateWebhookSecret(ctx, { id, data }, options),
})

defineMutation('deleteWebhook', {
  description: 'Deletes a webhook, with the events that it has yet to get and its dead letters.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Webhook', noun: 'webhook' },
  result: { name: 'webhook', type: WebhookRef, description: 'The webhook as it was.' },
  run: (ctx, { id }, options) => deleteWebhook(ctx, { id }, options),
})

defineMutation('retryDeadLetters', {
  description:
    'Sends dead letters of a webhook again, with all attempts. They arrive after later events of their records.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Webhook', noun: 'webhook', member: 'webhookId' },
  input: (t) => ({
    events: t.idList({ description: 'The keys of the dead letters, at most 1000; all when absent.' }),
  }),
  result: { name: 'retriedCount', type: 'Int', description: 'How many are sent again.' },
  run: (ctx, { id, data }, options) => retryDeadLetters(ctx, { id, data }, options),
})
