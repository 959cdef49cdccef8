/** Webhook sender: sends the events of one webhook, several at once, but those of one record one after another. */
import { signingSecrets } from '../../domain/changes/webhook.ts'
import { CLOUD_EVENT_TYPE, eventId, retryDelay, toCloudEvent } from '../../domain/changes/webhook-event.ts'
import { webhookAttemptsTotal } from '../../lib/metrics.ts'
import { Poller } from '../../lib/poller.ts'
import { signedHeaders } from '../../lib/standard-webhooks.ts'
import {
  type Attempt,
  type ClaimedEvent,
  claimEvents,
  releaseEvent,
  removeDelivered,
  storeFailure,
} from '../../persistence/changes/webhook-attempts.ts'
import { CLAIM_MS } from '../../persistence/changes/webhook-queue.ts'
import type { Services } from '../../request/context.ts'
import type { Post } from './post.ts'

/** Events of one webhook that one server sends at once. */
export const SENT_AT_ONCE = 8

/** Collaborators of the deliverer and its senders. */
export interface SenderParts extends Pick<Services, 'config' | 'database' | 'log'> {
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The sender of one webhook. */
export class WebhookSender {
  private readonly onTheirWay = new Set<Promise<void>>()
  private readonly poller: Poller

  constructor(
    private readonly hookId: string,
    private readonly parts: SenderParts,
    private readonly post: Post,
    private readonly stopping: AbortSignal,
  ) {
    this.poller = new Poller({
      run: () => this.claim(),
      onFailure: (error) => parts.log.warn({ err: error, webhook: hookId }, 'could not read the events of a webhook'),
    })
  }

  /** Sends what is due as far as there is room, until nothing more is due. */
  sendOn(): void {
    if (this.room > 0) this.poller.poll()
  }

  /** Claims nothing more. Resolves when no attempt is in flight. */
  async stop(): Promise<void> {
    await this.poller.stop()
    await Promise.all(this.onTheirWay)
  }

  private get room(): number {
    return SENT_AT_ONCE - this.onTheirWay.size
  }

  private async claim(): Promise<undefined> {
    if (this.room === 0) return
    const { database, clock } = this.parts
    const now = clock()
    const claimed = await claimEvents(database, this.hookId, now, now + CLAIM_MS, this.room)
    for (const event of claimed) this.begin(event)
  }

  private begin(event: ClaimedEvent): void {
    const sent = this.send(event)
      // Without a stored result the event is sent again when its claim ends.
      .catch((error: unknown) =>
        this.parts.log.warn({ err: error, webhook: this.hookId }, 'could not store what became of an event'),
      )
      .finally(() => {
        this.onTheirWay.delete(sent)
        this.sendOn()
      })
    this.onTheirWay.add(sent)
  }

  private async send({ entry, attempt, target }: ClaimedEvent): Promise<void> {
    const { database, clock, config } = this.parts
    const { hookId } = this
    const { url } = target
    const now = clock()
    const body = JSON.stringify(toCloudEvent(entry, config.webhookSource))
    const signed = signedHeaders(eventId(entry.id), body, signingSecrets(target, now), now)
    const failure = await this.post(
      { url, headers: { 'content-type': CLOUD_EVENT_TYPE, ...signed }, body },
      this.stopping,
    )
    const which: Attempt = { hookId, entryId: entry.id, attempt }
    if (failure === null) {
      webhookAttemptsTotal.inc({ outcome: 'delivered' })
      return removeDelivered(database, which)
    }
    if (this.stopping.aborted) return releaseEvent(database, which, clock())
    await this.storeFailure(which, failure, url)
  }

  private async storeFailure(which: Attempt, failure: string, url: string): Promise<void> {
    const { database, clock, log } = this.parts
    const { hookId: webhook, entryId, attempt } = which
    const now = clock()
    const dueAfter = (attempts: number): number | null => {
      const delay = retryDelay(attempts)
      return delay === null ? null : now + delay
    }
    // An attempt at a URL that was corrected meanwhile says nothing about the next one.
    const isDead = await storeFailure(
      database,
      which,
      { failure, url, dueAt: dueAfter(attempt), dueElsewhereAt: dueAfter(1) },
      now,
    )
    webhookAttemptsTotal.inc({ outcome: isDead ? 'dead' : 'failed' })
    if (isDead) log.error({ webhook, event: eventId(entryId), failure }, 'an event was not delivered by any attempt')
    else
      log.info({ webhook, event: eventId(entryId), attempt, failure }, 'an event was not delivered, and is sent again')
  }
}
