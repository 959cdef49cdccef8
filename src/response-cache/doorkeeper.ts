/**
 * Keys that were requested lately, by hash: most responses are requested once in a long while, so one is cached from its second request on.
 * Of up to twice `size` keys the older half is dropped at a time. Two keys with one hash only have a response cached a little early.
 */
export class Doorkeeper {
  private recent = new Set<number>()
  private older = new Set<number>()

  constructor(private readonly size: number) {}

  /** Adds the key and returns whether it was there before. */
  add(key: string): boolean {
    const hash = hashOf(key)
    if (this.recent.has(hash)) return true
    if (this.recent.size >= this.size) {
      this.older = this.recent
      this.recent = new Set()
    }
    this.recent.add(hash)
    return this.older.has(hash)
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
