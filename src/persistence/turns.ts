/**
 * Work of this process that had better not overlap, by key, in the order of asking: whoever waits for a turn holds no connection, as who waits
 * for a row's lock would. No lock itself: what takes very long, or is of very many keys at once, may overlap.
 */
/** The next one does not wait longer for work whose end may never be told, as where a connection is lost and nobody says so. */
export const TURN_MS = 2_000

export class Turns {
  /** The latest turn of each key; it never fails. */
  private readonly last = new Map<string, Promise<void>>()

  /** Runs `work` once the turn that was asked for before it under the same key is over, however it ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key)
    let over!: () => void
    const turn = new Promise<void>((resolve) => {
      over = resolve
    })
    this.last.set(key, turn)
    const begin = async (): Promise<T> => {
      const late = setTimeout(over, TURN_MS)
      try {
        return await work()
      } finally {
        clearTimeout(late)
        if (this.last.get(key) === turn) this.last.delete(key)
        over()
      }
    }
    return before ? before.then(begin) : begin()
  }
}
