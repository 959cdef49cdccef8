/**
 * Single flight: overlapping calls with the same key share one run and its outcome. The caller caches results as it
 * likes. The `fetch` of lru-cache would store every result, even one that must not be stored, and would abort a run
 * when another entry evicts its own.
 */
export class SingleFlight<Key, Value> {
  private readonly running = new Map<Key, Promise<Value>>()

  /** The outcome of the run of `key`, which `work` starts when there is none. */
  run(key: Key, work: () => Promise<Value>): Promise<Value> {
    let running = this.running.get(key)
    if (!running) {
      running = work().finally(() => this.running.delete(key))
      this.running.set(key, running)
    }
    return running
  }

  /** The run of `key` that has not ended. */
  get(key: Key): Promise<Value> | undefined {
    return this.running.get(key)
  }
}
