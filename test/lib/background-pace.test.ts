/** How long background work rests. */
import { expect, it } from 'vitest'
import { BackgroundPace } from '../../src/lib/background-pace.ts'

/** Milliseconds that it rests after work of `worked`, in a process that is so busy in one look after another. */
async function restAfter(worked: number, loads: readonly number[], last: number): Promise<number> {
  let [now, looks] = [1_000, 0]
  const pace = new BackgroundPace({
    now: () => now,
    workDuring: async (milliseconds) => {
      now += milliseconds
      return loads[looks++] ?? last
    },
  })
  now += worked
  const begun = now
  await pace.rest()
  return now - begun
}

it.each([
  ['four times as long as it worked in a busy process', 100, [], 1, 400],
  ['for one look in a process that is not busy', 100, [], 0.49, 20],
  ['while half of the time is work', 100, [0.5, 0.5, 0.49], 1, 60],
  ['on after one quiet look', 100, [0.6, 0.41], 1, 400],
  ['until as much of it was quiet as busy', 100, [1, 1, 0, 0, 0], 1, 100],
  ['not at all before it worked for 100 milliseconds', 99, [], 1, 0],
])('job.shop-comes-first: background work rests %s', async (_, worked, loads, last, rested) => {
  expect(await restAfter(worked, loads, last)).toBe(rested)
})

it('short parts of the work count together, and the time that it rested does not', async () => {
  let now = 0
  const pace = new BackgroundPace({
    now: () => now,
    workDuring: async (milliseconds) => {
      now += milliseconds
      return 1
    },
  })
  now = 60
  await pace.rest()
  now += 60
  await pace.rest()
  expect(now).toBe(120 + 4 * 120)
  now += 100
  await pace.rest()
  expect(now).toBe(120 + 4 * 120 + 100 + 4 * 100)
})
