/**
 * Doorkeeper of the response cache: admits a response at its second request, since most are requested only once.
 *
 * It knows the hashes of the last `size` to twice `size` keys, and drops the older half at once. A collision of hashes
 * does no harm: that response is cached at its first request.
 */
export class Doorkeeper {
  private recent = new Set<number>()
  private older = new Set<number>()

  constructor(private readonly size: number) {}

  /** Adds the key, and returns whether it was there already. */
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

/** The FNV-1a hash, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
