/**
 * Work of this process that had better not overlap, by key, in the order of asking: whoever waits for a turn holds no connection, as who waits
 * for a row's lock would. No lock itself: of very many keys at once some may overlap.
 */
import { PresentByKey } from '../present.ts'

export class Turns {
  private readonly last = new PresentByKey<Promise<unknown>>()

  /** Runs `work` once all that was asked for before it under the same key has ended, however it ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key)
    const turn = before ? before.then(work, work) : work()
    this.last.set(key, turn)
    const end = (): void => this.last.end(key, turn)
    turn.then(end, end)
    return turn
  }
}
