/**
 * Webhook deliverer: sends the events of the change log to the webhooks, on every server.
 *
 * It polls when a transaction has written to the log, and every WEBHOOK_POLL_MS. Without webhooks it sends only one
 * statement every IDLE_MS. The database knows which events are sent and which are due
 * (persistence/changes/webhook-attempts.ts), so servers share the work and any of them may be killed.
 */
import { setMaxListeners } from 'node:events'
import { DAY_MS } from '../../domain/input/instant.ts'
import { Poller } from '../../lib/poller.ts'
import { type ChangeListener, createChangeListener } from '../../persistence/changes/change-listener.ts'
import { type ActiveWebhook, activeWebhooks, queueNewEvents } from '../../persistence/changes/webhook-queue.ts'
import { createPoster, type Poster } from './post.ts'
import { type SenderParts, WebhookSender } from './sender.ts'

/** The most milliseconds by which an event whose notification is lost, or a due attempt, is late. */
const WEBHOOK_POLL_MS = 1_000
/** Milliseconds until a server that had no webhooks notices a new one. */
const IDLE_MS = 5_000
/** Milliseconds for which a stop waits for responses. */
const STOP_MS = 3_000

/** The deliverer of one process. */
export class WebhookDeliverer {
  private readonly poster: Poster
  private readonly senders = new Map<string, WebhookSender>()
  /** Attempts in flight of senders whose webhooks are no longer enabled. */
  private readonly ending = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private listener: ChangeListener | undefined
  private readonly poller: Poller

  constructor(private readonly parts: SenderParts) {
    this.poster = createPoster({ publicOnly: parts.config.production, proxies: parts.config.proxies })
    // One listener for each attempt in flight.
    setMaxListeners(0, this.stopping.signal)
    this.poller = new Poller({
      run: async () => ((await this.pollOnce()) ? IDLE_MS : WEBHOOK_POLL_MS),
      everyMs: WEBHOOK_POLL_MS,
      onFailure: (error) => parts.log.warn({ err: error }, 'could not read the events of webhooks'),
    })
  }

  /** Begins to poll. */
  start(): void {
    this.poll()
  }

  /** Polls for new and due events, soon or when the current poll has ended. */
  readonly poll = (): void => this.poller.poll()

  /** Claims nothing more, waits a short time for responses, and gives back the claims that are still in flight. */
  async stop(): Promise<void> {
    const aborted = setTimeout(() => this.stopping.abort(), STOP_MS)
    await this.poller.stop()
    // The poll may have begun to listen.
    this.listener?.stop()
    await Promise.all([...this.ending, ...[...this.senders.values()].map((sender) => sender.stop())])
    clearTimeout(aborted)
    this.poster.close()
  }

  /** Returns whether there are no webhooks. */
  private async pollOnce(): Promise<boolean> {
    const { database, clock } = this.parts
    const active = await activeWebhooks(database)
    this.listen(active.length > 0)
    this.keepSenders(active)
    const now = clock()
    this.warnOfGaps(active, now)
    await queueNewEvents(database, active, now)
    for (const sender of this.senders.values()) sender.sendOn()
    return active.length === 0
  }

  private listen(wanted: boolean): void {
    if (!wanted) {
      this.listener?.stop()
      this.listener = undefined
    } else {
      this.listener ??= createChangeListener(this.parts.database, this.parts.log, this.poll)
      this.listener.connect()
    }
  }

  private keepSenders(active: readonly ActiveWebhook[]): void {
    const gone = new Set(this.senders.keys())
    for (const { hook } of active) {
      gone.delete(hook.id)
      if (!this.senders.has(hook.id))
        this.senders.set(hook.id, new WebhookSender(hook.id, this.parts, this.poster.post, this.stopping.signal))
    }
    for (const id of gone) {
      const ended = (this.senders.get(id) as WebhookSender).stop().finally(() => this.ending.delete(ended))
      this.ending.add(ended)
      this.senders.delete(id)
    }
  }

  private warnOfGaps(active: readonly ActiveWebhook[], now: number): void {
    const { config, log } = this.parts
    for (const { hook, readAt } of active) {
      const days = Math.floor((now - readAt) / DAY_MS)
      if (days >= config.historyDays)
        log.error(
          { webhook: hook.id, days },
          'a webhook was disabled for longer than history is kept: it misses changes',
        )
    }
  }
}
