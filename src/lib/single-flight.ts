/**
 * Single flight: calls with the same key that overlap share one run and its outcome. Beside it the caller caches results as it likes: the
 * `fetch` of lru-cache would store each of them, also one that must not be, and abort a run whose place in the cache another one takes.
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
