/**
 * Webhooks: use cases, for administrators (webhook.for-admins). Their secrets are read separately, so that no stored or
 * listed result has one (webhook.secrets-shown-once).
 */
import {
  newWebhook,
  readOverlap,
  readWebhook,
  readWebhookUpdate,
  type Webhook,
  type WebhookPatch,
  type WebhookPolicy,
  withSecret,
} from '../../domain/changes/webhook.ts'
import { readEventId } from '../../domain/changes/webhook-event.ts'
import { tooMany } from '../../domain/input/errors.ts'
import { DEAD_LETTERS_MAX, WEBHOOKS_MAX } from '../../domain/input/limits.ts'
import { applyPatch } from '../../domain/input/patch.ts'
import { readInput } from '../../domain/input/read-input.ts'
import type { ReadResult } from '../../domain/input/reading.ts'
import { newWebhookSecret } from '../../lib/standard-webhooks.ts'
import { lockWebhookCount, requeueDeadLetters, startAtLogEnd, webhookTable } from '../../persistence/changes/webhook.ts'
import { makeWaitingDue } from '../../persistence/changes/webhook-queue.ts'
import { newId } from '../../persistence/database/id.ts'
import { deleteRecord, insertRecord, updateRecord } from '../../persistence/database/table.ts'
import type { Context } from '../../request/context.ts'
import { command, query, readNothing } from '../operation.ts'
import { lockOrThrow } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A webhook without its secrets. */
export type PublicWebhook = Omit<Webhook, 'secret' | 'previousSecret'>

/** A webhook by its raw id, null when there is none. */
export const webhook = recordById<PublicWebhook>('admin', ({ webhookById }) => webhookById)

/** The secret that signs now; null when the webhook is gone. For responses to the commands that create a secret. */
export const webhookSecret = query({
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<string | null> =>
    (await ctx.loaders.webhookById.load(id))?.secret ?? null,
})

/** All webhooks, in pages. */
export const webhooks = recordReads('admin', webhookTable)

/** Creates a webhook, which gets what changes from then on, at most WEBHOOKS_MAX of them. */
export const createWebhook = command<{ data: unknown }, WebhookPatch, undefined, PublicWebhook>({
  name: 'createWebhook',
  right: 'admin',
  read: ({ data }, ctx) => readWebhook(data, policyOf(ctx)),
  run: async (tx, patch, _, ctx) => {
    if ((await lockWebhookCount(tx)) >= WEBHOOKS_MAX)
      throw tooMany(['attributes', 'url'], `a store has at most ${WEBHOOKS_MAX} webhooks`, WEBHOOKS_MAX)
    const created = newWebhook(patch, newId(ctx.now), newWebhookSecret(), ctx.now)
    await insertRecord(tx, webhookTable, created)
    await startAtLogEnd(tx, created.id, ctx.now)
    return withoutSecrets(created)
  },
})

/**
 * Changes the given attributes of a webhook; equal values write nothing. With another URL, waiting events are due at
 * once.
 */
export const updateWebhook = command<{ id: string; data: unknown }, WebhookPatch, Webhook, Webhook>({
  name: 'updateWebhook',
  right: 'admin',
  read: ({ id, data }, ctx) => readWebhookUpdate(data, id, policyOf(ctx)),
  load: (tx, { id }) => lockOrThrow(tx, webhookTable, id, 'webhook'),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyPatch(stored, patch, ctx.now)
    if (updated !== stored) await updateRecord(tx, webhookTable, stored, updated)
    if (updated.url !== stored.url) await makeWaitingDue(tx, updated.id, ctx.now)
    return updated
  },
})

/** Gives a webhook a new secret. For a time the previous one signs as well. */
export const rotateWebhookSecret = command<{ id: string; data: unknown }, number, Webhook, PublicWebhook>({
  name: 'rotateWebhookSecret',
  right: 'admin',
  read: ({ data }) => readOverlap(data),
  load: (tx, { id }) => lockOrThrow(tx, webhookTable, id, 'webhook'),
  run: async (tx, overlap, stored, ctx) => {
    const rotated = withSecret(stored, newWebhookSecret(), overlap, ctx.now)
    await updateRecord(tx, webhookTable, stored, rotated)
    return withoutSecrets(rotated)
  },
})

/** Deletes a webhook with the events that it has yet to get, and returns it. */
export const deleteWebhook = command<{ id: string }, undefined, Webhook, PublicWebhook>({
  name: 'deleteWebhook',
  right: 'admin',
  read: readNothing,
  load: (tx, { id }) => lockOrThrow(tx, webhookTable, id, 'webhook'),
  run: async (tx, _, stored) => {
    await deleteRecord(tx, webhookTable, stored)
    return withoutSecrets(stored)
  },
})

/** Sends dead letters of a webhook again, all of them or those with `event_ids`; returns their number. */
export const retryDeadLetters = command<{ id: string; data: unknown }, readonly number[] | null, Webhook, number>({
  name: 'retryDeadLetters',
  right: 'admin',
  read: ({ data }) => readEventIds(data),
  load: (tx, { id }) => lockOrThrow(tx, webhookTable, id, 'webhook', 'KEY SHARE'),
  run: (tx, ids, { id }, ctx) => requeueDeadLetters(tx, id, ids, ctx.now),
})

function readEventIds(data: unknown): ReadResult<number[] | null> {
  return readInput(data, (reader) => {
    const rule = { nullable: true, max: DEAD_LETTERS_MAX }
    const given = reader.list('events', (entries, index) => readEventId(entries, index), rule)
    return given?.filter((id) => id !== undefined) ?? null
  })
}

function policyOf({ config }: Context): WebhookPolicy {
  return { publicOnly: config.production }
}

function withoutSecrets({ secret: _, previousSecret: __, ...hook }: Webhook): PublicWebhook {
  return hook
}
