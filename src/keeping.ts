/** What all who keep answers keep them by. */

/** Questions remembered: an answer is kept from the second time on, since most are asked for once in a long while. */
export const ASKED_LATELY = 10_000
/** A longer key or answer is not worth its place. */
const KEY_MAX = 16 * 1024
const ANSWER_MAX = 1024 * 1024

/** Whether an answer under the key may be kept at all. */
export function isKeepable(key: string, body?: Buffer): boolean {
  return key.length <= KEY_MAX && (body === undefined || body.length <= ANSWER_MAX)
}

/** The bytes in memory of their own: a small buffer is a piece of a big one, which it would keep with it. */
export function ownBytes(body: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}

/** Bytes: a key's characters may take two each; the rest is what an entry costs about. */
export function weightOf({ body }: { readonly body: Buffer }, key: string): number {
  return key.length * 2 + body.length + 500
}

/**
 * Which questions were asked lately, told by a hash: of up to twice `size` the older half is forgotten at a time. Two questions of one hash
 * only make an answer kept a little early.
 */
export class Asked {
  private young = new Set<number>()
  private old = new Set<number>()

  constructor(private readonly size: number) {}

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
