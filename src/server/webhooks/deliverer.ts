/** Webhook deliverer: sends the events of the change log to the webhooks, on every server.
 *
 *  It polls when a transaction has written to the log, and every WEBHOOK_POLL_MS; without webhooks it sends one statement every IDLE_MS,
 *  and nothing else. The database has which events are sent and which are due (persistence/changes/webhook-attempts.ts), so servers share
 *  the work and any of them may be killed. */
import { setMaxListeners } from 'node:events'
import { DAY_MS } from '../../domain/input/instant.ts'
import { type ChangeListener, createChangeListener } from '../../persistence/changes/change-listener.ts'
import { type ActiveWebhook, activeWebhooks, queueNewEvents } from '../../persistence/changes/webhook-queue.ts'
import { createPoster, type Poster } from './post.ts'
import { type SenderParts, WebhookSender } from './sender.ts'

/** Milliseconds by which an event is delayed at most when its notification is lost, or that a due attempt is late. */
const WEBHOOK_POLL_MS = 1_000
/** Milliseconds until a new webhook is noticed by a server that had none. */
const IDLE_MS = 5_000
/** Milliseconds for which a stop waits for responses. */
const STOP_MS = 3_000

/** The deliverer of one process. */
export class WebhookDeliverer {
  private readonly poster: Poster
  private readonly senders = new Map<string, WebhookSender>()
  /** What senders of webhooks that are no longer enabled have on its way. */
  private readonly ending = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private listener: ChangeListener | undefined
  private timer: NodeJS.Timeout | undefined
  private polling: Promise<void> | undefined
  private again = false
  private failing = false
  private stopped = false

  constructor(private readonly parts: SenderParts) {
    this.poster = createPoster({ publicOnly: parts.config.production, proxies: parts.config.proxies })
    // One for each attempt that is on its way.
    setMaxListeners(0, this.stopping.signal)
  }

  /** Begins to poll. */
  start(): void {
    this.poll()
  }

  /** Polls for new and due events, at once or when the poll that runs has ended. */
  readonly poll = (): void => {
    this.again = true
    if (!this.stopped) this.polling ??= this.pollOn()
  }

  /** Claims nothing more, waits for responses for a short time, and gives back what is still on its way. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    const aborted = setTimeout(() => this.stopping.abort(), STOP_MS)
    await this.polling
    // The poll may have begun to listen.
    this.listener?.stop()
    await Promise.all([...this.ending, ...[...this.senders.values()].map((sender) => sender.stop())])
    clearTimeout(aborted)
    this.poster.close()
  }

  private async pollOn(): Promise<void> {
    clearTimeout(this.timer)
    let isIdle = false
    while (this.again && !this.stopped) {
      this.again = false
      try {
        isIdle = await this.pollOnce()
        this.failing = false
      } catch (error) {
        // Logged once, not at every poll.
        if (!this.failing) this.parts.log.warn({ err: error }, 'could not read the events of webhooks')
        this.failing = true
      }
    }
    this.polling = undefined
    if (!this.stopped) this.timer = setTimeout(this.poll, isIdle ? IDLE_MS : WEBHOOK_POLL_MS).unref()
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
        log.error({ webhook: hook.id, days }, 'a webhook was disabled for longer than history is kept: it misses changes')
    }
  }
}
