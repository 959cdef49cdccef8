/** Pollers: work that is done again and again, one run at a time. */

/** What a poller does, and when. */
interface Polling {
  /** One run. Returns the milliseconds until the next; undefined for `everyMs`. */
  readonly run: () => Promise<number | undefined>
  /** Milliseconds until the next run, also after a failed one; absent: it waits for `poll`. */
  readonly everyMs?: number
  /** Called with the first of several failures in a row, so that the log has one line and not one for each run. */
  readonly onFailure: (error: unknown) => void
}

/** A poller, which waits for the first call of `poll`. Its timers don't keep the process alive. */
export class Poller {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private again = false
  private failing = false
  private stopped = false

  constructor(private readonly polling: Polling) {}

  /** Runs soon, or once more when the current run has ended; several calls before that count as one. */
  readonly poll = (): void => {
    this.again = true
    if (!this.running) this.runIn(0)
  }

  /** Begins no further run; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  private runIn(milliseconds: number): void {
    clearTimeout(this.timer)
    if (this.stopped) return
    const begin = (): void => {
      this.running = this.runOnce()
    }
    this.timer = setTimeout(begin, milliseconds).unref()
  }

  private async runOnce(): Promise<void> {
    this.again = false
    let wait: number | undefined
    try {
      wait = await this.polling.run()
      this.failing = false
    } catch (error) {
      if (!this.failing) this.polling.onFailure(error)
      this.failing = true
    }
    this.running = undefined
    const next = this.again ? 0 : (wait ?? this.polling.everyMs)
    if (next !== undefined) this.runIn(next)
  }
}
