/** record.updated-at-rises: `updated_at` rises strictly with each stored change, whatever the clock does. Epoch milliseconds. */
export function nextUpdatedAt(now: number, previous: number): number {
  return Math.max(now, previous + 1)
}
