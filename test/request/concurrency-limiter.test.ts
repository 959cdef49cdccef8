import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Overloaded } from '../../src/domain/input/errors.ts'
import {
  ConcurrencyLimiter,
  HEAVY_POINTS,
  HEAVY_WORK_MAX,
  LIGHT_WORK_MAX,
  QUEUE_MAX,
  QUEUE_TIMEOUT_MS,
  TOKEN_WORK_MAX,
  type WorkPermit,
} from '../../src/request/concurrency-limiter.ts'

let tokens = 0
/** A token of its own. */
const token = (): string => `token ${tokens++}`

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Whether it has its room by now, or how it was refused. */
async function state(entering: Promise<unknown>): Promise<unknown> {
  const waits = Symbol('waits')
  const result = await Promise.race([
    entering.then(
      () => 'runs',
      (error: unknown) => error,
    ),
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => waits),
  ])
  return result === waits ? 'waits' : result
}

test('light requests run while all of them together fit, to the point, and the next one waits for room', async () => {
  const work = new ConcurrencyLimiter()
  const rooms = await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => work.acquire(token(), HEAVY_POINTS)))
  const one = work.acquire(token(), 1)
  expect(await state(one)).toBe('waits')
  rooms[0]?.release()
  expect(await state(one)).toBe('runs')
})

test('heavy requests have room of their own: while it is full, light ones run', async () => {
  const work = new ConcurrencyLimiter()
  const others = [token(), token()]
  for (const one of others) await work.acquire(one, HEAVY_WORK_MAX / 2)
  const heavy = work.acquire(token(), HEAVY_POINTS + 1)
  expect(await state(heavy)).toBe('waits')
  expect(await state(work.acquire(token(), HEAVY_POINTS))).toBe('runs')
})

test("one token's heavy requests are bounded, another token's run beside them", async () => {
  const work = new ConcurrencyLimiter()
  const greedy = token()
  await work.acquire(greedy, TOKEN_WORK_MAX - HEAVY_POINTS)
  expect(await state(work.acquire(greedy, HEAVY_POINTS + 1))).toBe('waits')
  expect(await state(work.acquire(token(), HEAVY_POINTS + 1))).toBe('runs')
})

test('what waits is let in lightest first, and is refused as overload after the waiting time, not before', async () => {
  const work = new ConcurrencyLimiter()
  const full = await work.acquire(token(), HEAVY_WORK_MAX / 2)
  const other = await work.acquire(token(), HEAVY_WORK_MAX / 2)
  const dear = work.acquire(token(), HEAVY_WORK_MAX / 2)
  const cheap = work.acquire(token(), HEAVY_WORK_MAX / 2 - 1)
  full.release()
  expect([await state(cheap), await state(dear)]).toEqual(['runs', 'waits'])
  vi.advanceTimersByTime(QUEUE_TIMEOUT_MS - 1)
  expect(await state(dear)).toBe('waits')
  vi.advanceTimersByTime(1)
  expect(await state(dear)).toBeInstanceOf(Overloaded)
  other.release()
  expect(await state(work.acquire(token(), HEAVY_WORK_MAX / 2))).toBe('runs')
})

test('of more than may wait the heaviest is refused at once', async () => {
  const work = new ConcurrencyLimiter()
  await Promise.all([1, 2].map(() => work.acquire(token(), HEAVY_WORK_MAX / 2)))
  const waiting = Array.from({ length: QUEUE_MAX }, (_, index) => work.acquire(token(), 10_000 + index))
  const lighter = work.acquire(token(), HEAVY_POINTS + 1)
  expect(await state(waiting.at(-1) as Promise<WorkPermit>)).toBeInstanceOf(Overloaded)
  expect(await state(lighter)).toBe('waits')
  const heavier = work.acquire(token(), 50_000)
  expect(await state(heavier)).toBeInstanceOf(Overloaded)
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...waiting, lighter, heavier])
})

test('of those that need more room than they were weighed at one always goes on, and the next when it has left', async () => {
  const work = new ConcurrencyLimiter()
  const rooms = await Promise.all(Array.from({ length: 4 }, () => work.acquire(token(), 100)))
  await work.acquire(token(), HEAVY_WORK_MAX / 2)
  await work.acquire(token(), HEAVY_WORK_MAX / 2)
  const grown = rooms.map((room) => Promise.resolve(room.resize(60_000)))
  expect(await Promise.all(grown.map(state))).toEqual(['runs', 'waits', 'waits', 'waits'])
  rooms[0]?.release()
  expect(await Promise.all(grown.slice(1).map(state))).toEqual(['runs', 'waits', 'waits'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...grown])
})

test('a request leaves its room once: what it had is there for others, and no more', async () => {
  const work = new ConcurrencyLimiter()
  const room = await work.acquire(token(), HEAVY_POINTS)
  room.release()
  room.release()
  await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => work.acquire(token(), HEAVY_POINTS)))
  expect(await state(work.acquire(token(), 1))).toBe('waits')
  vi.advanceTimersByTime(QUEUE_TIMEOUT_MS)
})

test('room that a request had before it turned out to be heavier is there for others while it waits', async () => {
  const work = new ConcurrencyLimiter()
  const rooms = await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => work.acquire(token(), HEAVY_POINTS)))
  for (const half of [1, 2]) await work.acquire(token(), (half * HEAVY_WORK_MAX) / (half * 2))
  const light = [1, 2].map(() => work.acquire(token(), HEAVY_POINTS))
  const grown = rooms.slice(0, 2).map((room) => Promise.resolve(room.resize(2 * HEAVY_POINTS)))
  expect(await Promise.all([...grown, ...light].map(state))).toEqual(['runs', 'waits', 'runs', 'runs'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...grown])
})

test('a request that leaves while it waits for more room takes none, now or later', async () => {
  const work = new ConcurrencyLimiter()
  const halves = await Promise.all([1, 2].map(() => work.acquire(token(), HEAVY_WORK_MAX / 2)))
  const [first, room] = await Promise.all([work.acquire(token(), 100), work.acquire(token(), 100)])
  await first?.resize(2 * HEAVY_POINTS)
  const growing = Promise.resolve(room?.resize(2 * HEAVY_POINTS))
  room?.release()
  expect(await state(growing)).toBeInstanceOf(Overloaded)
  for (const half of halves) half.release()
  first?.release()
  await Promise.all([1, 2].map(() => work.acquire(token(), HEAVY_WORK_MAX / 2)))
  expect(room?.points).toBe(0)
})
