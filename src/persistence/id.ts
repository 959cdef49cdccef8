import { randomFillSync } from 'node:crypto'

const entropy = Buffer.alloc(16 * 256)
let used = entropy.length

/** A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, the rest random, so that new rows land at the end of their index. */
export function newId(now = Date.now()): string {
  if (used === entropy.length) {
    randomFillSync(entropy)
    used = 0
  }
  const bytes = entropy.subarray(used, used + 16)
  used += 16
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
