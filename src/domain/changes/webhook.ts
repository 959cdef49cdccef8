/** Webhooks: addresses that get the entries of the change log as events, signed with a secret of their own. */
import { mayBePublic } from '../../lib/public-address.ts'
import { uri } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, SECRET_OVERLAP_DEFAULT, SECRET_OVERLAP_MAX, WEBHOOK_URL_MAX } from '../input/limits.ts'
import { nextUpdatedAt, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord, readRecordHead, recordReaders } from '../input/record.ts'
import { type Topic, topics } from './change.ts'

/** A kind of records whose changes a webhook can get: all but webhooks themselves. */
export type WebhookTopic = Exclude<Topic, 'webhook'>
export const webhookTopics: readonly WebhookTopic[] = topics.filter((topic) => topic !== 'webhook')

/** A stored webhook. Its secrets leave the server only in responses to createWebhook and rotateWebhookSecret. */
export interface Webhook extends StoredRecord {
  readonly url: string
  readonly description: string | null
  readonly topics: readonly WebhookTopic[]
  /** Whether events are sent to it now; otherwise they wait. */
  readonly enabled: boolean
  readonly secret: string
  /** The previous secret, which also signs until `previousSecretUntil`. */
  readonly previousSecret: string | null
  /** Epoch milliseconds. */
  readonly previousSecretUntil: number | null
}

/** A partial update of a webhook. */
export type WebhookPatch = PatchOf<Webhook, 'url' | 'description' | 'topics' | 'enabled'>

/** Where webhooks may lead. */
export interface WebhookPolicy {
  /** Only to public addresses, by https. */
  readonly publicOnly: boolean
}

/** Reads `data` of a new webhook. */
export function readWebhook(data: unknown, policy: WebhookPolicy): ReadResult<WebhookPatch> {
  return readInput(
    data,
    (reader) => {
      const { attributes } = readRecordHead(reader, 'webhook')
      return attributes && readPatch(attributes, policy, true)
    },
    newRecord,
  )
}

/** Reads `data` of an update of a webhook. */
export function readWebhookUpdate(data: unknown, id: string, policy: WebhookPolicy): ReadResult<WebhookPatch> {
  return recordReaders('webhook', (attributes) => readPatch(attributes, policy, false)).readUpdate(data, id)
}

/** Reads the seconds for which the previous secret keeps signing after a rotation. */
export function readOverlap(data: unknown): ReadResult<number> {
  const rule = { nullable: true, min: 0, max: SECRET_OVERLAP_MAX }
  return readInput(data, (reader) => reader.integer('previous_valid_seconds', rule) ?? SECRET_OVERLAP_DEFAULT)
}

/** A new webhook from the input of a create. `now` is in epoch milliseconds. */
export function newWebhook(patch: WebhookPatch, id: string, secret: string, now: number): Webhook {
  return {
    id,
    url: patch.url ?? '',
    description: patch.description ?? null,
    topics: patch.topics ?? [],
    enabled: patch.enabled ?? true,
    secret,
    previousSecret: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The webhook with a new secret. The current secret keeps signing for `overlap` seconds; an older one stops at once.
 */
export function withSecret(stored: Webhook, secret: string, overlap: number, now: number): Webhook {
  const updatedAt = nextUpdatedAt(now, stored.updatedAt)
  if (overlap === 0) return { ...stored, secret, previousSecret: null, previousSecretUntil: null, updatedAt }
  return { ...stored, secret, previousSecret: stored.secret, previousSecretUntil: now + overlap * 1_000, updatedAt }
}

/** The secrets that sign at an instant, the current one first (webhook.both-secrets-sign). */
export function signingSecrets(
  hook: Pick<Webhook, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: number,
): string[] {
  const { secret, previousSecret, previousSecretUntil } = hook
  return previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil
    ? [secret, previousSecret]
    : [secret]
}

function readPatch(attributes: InputReader, { publicOnly }: WebhookPolicy, create: boolean): WebhookPatch {
  const format = publicOnly ? publicUrl : anyUrl
  return {
    url: attributes.text('url', { required: create, max: WEBHOOK_URL_MAX, format }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
    topics: readTopics(attributes, create),
    enabled: attributes.boolean('enabled') ?? undefined,
  }
}

function readTopics(attributes: InputReader, required: boolean): WebhookTopic[] | undefined {
  const read = (entries: InputReader, index: number) => entries.oneOf(index, webhookTopics, { required: true })
  const given = attributes.list('topics', read, { required, max: webhookTopics.length })
  if (given?.length === 0) return attributes.addViolation('topics', 'REQUIRED', 'must name a topic')
  const named = given?.filter((topic) => topic != null)
  return named && [...new Set(named)].sort()
}

/** The URL is not repeated: it may contain a password. */
function anyUrl(text: string): string | undefined {
  const wrong = uri(text)
  if (wrong !== undefined) return wrong
  const { username, password, hash } = new URL(text)
  if (username !== '' || password !== '') return 'must not contain a user or a password'
  return hash === '' ? undefined : 'must not contain a fragment'
}

function publicUrl(text: string): string | undefined {
  const wrong = anyUrl(text)
  if (wrong !== undefined) return wrong
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'https:') return 'must begin with https://'
  return mayBePublic(hostname) ? undefined : 'must not lead to a private address'
}
