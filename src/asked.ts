/**
 * Which questions were asked lately, told by a hash: of up to twice `size` the older half is forgotten at a time. Two questions of one hash
 * only make an answer kept a little early.
 */
export class Asked {
  private young = new Set<number>()
  private old = new Set<number>()

  constructor(private readonly size: number) {}

  has(key: string): boolean {
    const hash = hashOf(key)
    return this.young.has(hash) || this.old.has(hash)
  }

  /** Whether it was asked before; from now on it was. */
  again(key: string): boolean {
    const hash = hashOf(key)
    if (this.young.has(hash)) return true
    if (this.young.size >= this.size) {
      this.old = this.young
      this.young = new Set()
    }
    this.young.add(hash)
    return this.old.has(hash)
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
