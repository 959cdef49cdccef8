/** Reads of several requests in one statement: what all who ask in one turn of the event loop want by one access path. */

/** From so many keys on, whoever asks next begins a statement of its own: one statement must not grow with the number of requests. */
export const KEYS_TOGETHER_MAX = 1_000

interface Asker {
  readonly keys: readonly unknown[]
  /** Throws when nothing may be read for it any more. */
  readonly assertFree: () => void
  readonly resolve: (found: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Turn {
  readonly askers: Asker[]
  keys: number
}

export class ReadingTogether {
  private readonly turns = new Map<string, Turn>()

  /**
   * What `fetch` finds for the keys of all who ask for `path` in this turn, equal texts once; the answer is shared, so nobody may change it.
   * It is read after everyone has asked, for those who are still free then; the others are told what `assertFree` throws. A failure is
   * everyone's.
   */
  read<Key, Found>(
    path: string,
    keys: readonly Key[],
    fetch: (keys: Key[]) => Promise<Found>,
    assertFree: () => void = () => undefined,
  ): Promise<Found> {
    return new Promise<Found>((resolve, reject) => {
      const turn = this.turnOf(path, fetch as (keys: unknown[]) => Promise<unknown>)
      turn.askers.push({ keys, assertFree, resolve: resolve as (found: unknown) => void, reject })
      turn.keys += keys.length
    })
  }

  private turnOf(path: string, fetch: (keys: unknown[]) => Promise<unknown>): Turn {
    const open = this.turns.get(path)
    if (open && open.keys < KEYS_TOGETHER_MAX) return open
    const turn: Turn = { askers: [], keys: 0 }
    this.turns.set(path, turn)
    setImmediate(() => {
      if (this.turns.get(path) === turn) this.turns.delete(path)
      void answer(turn.askers, fetch)
    })
    return turn
  }
}

async function answer(askers: readonly Asker[], fetch: (keys: unknown[]) => Promise<unknown>): Promise<void> {
  const free = askers.filter(isFree)
  if (free.length === 0) return
  try {
    const found = await fetch([...new Set(free.flatMap(({ keys }) => keys))])
    for (const { resolve } of free) resolve(found)
  } catch (error) {
    for (const { reject } of free) reject(error)
  }
}

function isFree({ assertFree, reject }: Asker): boolean {
  try {
    assertFree()
    return true
  } catch (error) {
    reject(error)
    return false
  }
}
