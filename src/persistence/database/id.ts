/** New ids: UUIDs whose order is that of their creation, so that new rows are appended to their index. */
import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes for 256 ids: drawing them for each id takes nine tenths of its time. */
const pool = new Uint8Array(16 * 256)
let used = pool.length

/** A UUIDv7 (RFC 9562) of an instant in epoch milliseconds. Ids of the same millisecond have no order. */
export function newId(now = Date.now()): string {
  return v7({ msecs: now, rng: randomBytes })
}

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}
