/**
 * Reads of several requests in one statement: what all who ask at once want by one access path. At once is within a few turns of the event
 * loop: each takes microseconds when nothing has arrived, a statement costs hundreds, and requests that have met go on together.
 */

import { PresentByKey } from '../present.ts'

/** From so many keys on, whoever asks next begins a statement of its own: one statement must not grow with the number of requests. */
export const KEYS_TOGETHER_MAX = 1_000

/** Turns of the event loop, the one of the first asker included, in which others may join. */
const TURNS = 5

/** What one asker wants by a path at once. More may be added until it is sent. */
export interface Ask<Key, Found> {
  /** From then on another ask must be made. */
  readonly sent: boolean
  /** What was found for the keys of all askers; shared, so nobody may change it. */
  readonly found: Promise<Found>
  add(key: Key): void
}

type Fetch<Key, Found> = (keys: Key[]) => Promise<Found>

export class ReadingTogether {
  private readonly open = new PresentByKey<Reading<unknown, unknown>>()

  /**
   * Asks for `path` now. What `fetch` finds for the keys of all is read after everyone has asked, equal texts once, for those who
   * are still free then; the others are told what `assertFree` throws. A failure is everyone's.
   */
  ask<Key, Found>(path: string, fetch: Fetch<Key, Found>, assertFree: () => void = () => undefined): Ask<Key, Found> {
    return (this.readingOf(path, fetch as Fetch<unknown, unknown>) as Reading<Key, Found>).join(assertFree)
  }

  /** The same for keys that are all known. */
  read<Key, Found>(path: string, keys: readonly Key[], fetch: Fetch<Key, Found>, assertFree?: () => void): Promise<Found> {
    const ask = this.ask(path, fetch, assertFree)
    for (const key of keys) ask.add(key)
    return ask.found
  }

  private readingOf(path: string, fetch: Fetch<unknown, unknown>): Reading<unknown, unknown> {
    const open = this.open.get(path)
    if (open && open.size < KEYS_TOGETHER_MAX) return open
    const reading = new Reading(fetch)
    this.open.set(path, reading)
    afterTurns(TURNS, () => {
      this.open.end(path, reading)
      void reading.send()
    })
    return reading
  }
}

function afterTurns(count: number, work: () => void): void {
  setImmediate(count > 1 ? () => afterTurns(count - 1, work) : work)
}

class Reading<Key, Found> {
  /** Keys of all askers. */
  size = 0
  private readonly askers: Asker<Key, Found>[] = []

  constructor(private readonly fetch: Fetch<Key, Found>) {}

  join(assertFree: () => void): Ask<Key, Found> {
    const asker = new Asker(this, assertFree)
    this.askers.push(asker)
    return asker
  }

  async send(): Promise<void> {
    const free = this.askers.filter((asker) => asker.begin())
    if (free.length === 0) return
    try {
      const found = await this.fetch([...new Set(free.flatMap(({ keys }) => keys))])
      for (const { resolve } of free) resolve(found)
    } catch (error) {
      for (const { reject } of free) reject(error)
    }
  }
}

class Asker<Key, Found> implements Ask<Key, Found> {
  sent = false
  readonly keys: Key[] = []
  readonly found: Promise<Found>
  resolve!: (found: Found) => void
  reject!: (error: unknown) => void

  constructor(
    private readonly reading: Reading<Key, Found>,
    private readonly assertFree: () => void,
  ) {
    this.found = new Promise<Found>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  add(key: Key): void {
    this.keys.push(key)
    this.reading.size++
  }

  /** Whether it still wants what it asked for. */
  begin(): boolean {
    this.sent = true
    try {
      this.assertFree()
      return true
    } catch (error) {
      this.reject(error)
      return false
    }
  }
}
