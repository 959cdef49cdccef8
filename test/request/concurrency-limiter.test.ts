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

/** Whether it has its permit by now, or how it was refused. */
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

test('light requests get permits up to exactly the limit of their points, and the next one waits', async () => {
  const limiter = new ConcurrencyLimiter()
  const permits = await Promise.all(
    Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => limiter.acquire(token(), HEAVY_POINTS)),
  )
  const one = limiter.acquire(token(), 1)
  expect(await state(one)).toBe('waits')
  permits[0]?.release()
  expect(await state(one)).toBe('runs')
})

test('heavy requests have a limit of their own: while it is reached, light ones run', async () => {
  const limiter = new ConcurrencyLimiter()
  const others = [token(), token()]
  for (const one of others) await limiter.acquire(one, HEAVY_WORK_MAX / 2)
  const heavy = limiter.acquire(token(), HEAVY_POINTS + 1)
  expect(await state(heavy)).toBe('waits')
  expect(await state(limiter.acquire(token(), HEAVY_POINTS))).toBe('runs')
})

test('heavy requests of one token have a limit, and those of another token still run', async () => {
  const limiter = new ConcurrencyLimiter()
  const greedy = token()
  await limiter.acquire(greedy, TOKEN_WORK_MAX - HEAVY_POINTS)
  expect(await state(limiter.acquire(greedy, HEAVY_POINTS + 1))).toBe('waits')
  expect(await state(limiter.acquire(token(), HEAVY_POINTS + 1))).toBe('runs')
})

test('waiting requests get permits lightest first, and are refused as Overloaded after the queue timeout, not before', async () => {
  const limiter = new ConcurrencyLimiter()
  const full = await limiter.acquire(token(), HEAVY_WORK_MAX / 2)
  const other = await limiter.acquire(token(), HEAVY_WORK_MAX / 2)
  const dear = limiter.acquire(token(), HEAVY_WORK_MAX / 2)
  const cheap = limiter.acquire(token(), HEAVY_WORK_MAX / 2 - 1)
  full.release()
  expect([await state(cheap), await state(dear)]).toEqual(['runs', 'waits'])
  vi.advanceTimersByTime(QUEUE_TIMEOUT_MS - 1)
  expect(await state(dear)).toBe('waits')
  vi.advanceTimersByTime(1)
  expect(await state(dear)).toBeInstanceOf(Overloaded)
  other.release()
  expect(await state(limiter.acquire(token(), HEAVY_WORK_MAX / 2))).toBe('runs')
})

test('when the queue is full, the heaviest request is refused at once', async () => {
  const limiter = new ConcurrencyLimiter()
  await Promise.all([1, 2].map(() => limiter.acquire(token(), HEAVY_WORK_MAX / 2)))
  const waiting = Array.from({ length: QUEUE_MAX }, (_, index) => limiter.acquire(token(), 10_000 + index))
  const lighter = limiter.acquire(token(), HEAVY_POINTS + 1)
  expect(await state(waiting.at(-1) as Promise<WorkPermit>)).toBeInstanceOf(Overloaded)
  expect(await state(lighter)).toBe('waits')
  const heavier = limiter.acquire(token(), 50_000)
  expect(await state(heavier)).toBeInstanceOf(Overloaded)
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...waiting, lighter, heavier])
})

test('of the requests that exceed their estimate one always continues, and the next one after its release', async () => {
  const limiter = new ConcurrencyLimiter()
  const permits = await Promise.all(Array.from({ length: 4 }, () => limiter.acquire(token(), 100)))
  await limiter.acquire(token(), HEAVY_WORK_MAX / 2)
  await limiter.acquire(token(), HEAVY_WORK_MAX / 2)
  const grown = permits.map((permit) => Promise.resolve(permit.resize(60_000)))
  expect(await Promise.all(grown.map(state))).toEqual(['runs', 'waits', 'waits', 'waits'])
  permits[0]?.release()
  expect(await Promise.all(grown.slice(1).map(state))).toEqual(['runs', 'waits', 'waits'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...grown])
})

test('a second release of a permit has no effect: its points are given back once', async () => {
  const limiter = new ConcurrencyLimiter()
  const permit = await limiter.acquire(token(), HEAVY_POINTS)
  permit.release()
  permit.release()
  await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => limiter.acquire(token(), HEAVY_POINTS)))
  expect(await state(limiter.acquire(token(), 1))).toBe('waits')
  vi.advanceTimersByTime(QUEUE_TIMEOUT_MS)
})

test('the points of a permit are free for others while its request waits for a larger one', async () => {
  const limiter = new ConcurrencyLimiter()
  const permits = await Promise.all(
    Array.from({ length: LIGHT_WORK_MAX / HEAVY_POINTS }, () => limiter.acquire(token(), HEAVY_POINTS)),
  )
  for (const half of [1, 2]) await limiter.acquire(token(), (half * HEAVY_WORK_MAX) / (half * 2))
  const light = [1, 2].map(() => limiter.acquire(token(), HEAVY_POINTS))
  const grown = permits.slice(0, 2).map((permit) => Promise.resolve(permit.resize(2 * HEAVY_POINTS)))
  expect(await Promise.all([...grown, ...light].map(state))).toEqual(['runs', 'waits', 'runs', 'runs'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS), ...grown])
})

test('a permit released while it waits for more points takes none, now or later', async () => {
  const limiter = new ConcurrencyLimiter()
  const halves = await Promise.all([1, 2].map(() => limiter.acquire(token(), HEAVY_WORK_MAX / 2)))
  const [first, permit] = await Promise.all([limiter.acquire(token(), 100), limiter.acquire(token(), 100)])
  await first?.resize(2 * HEAVY_POINTS)
  const growing = Promise.resolve(permit?.resize(2 * HEAVY_POINTS))
  permit?.release()
  expect(await state(growing)).toBeInstanceOf(Overloaded)
  for (const half of halves) half.release()
  first?.release()
  await Promise.all([1, 2].map(() => limiter.acquire(token(), HEAVY_WORK_MAX / 2)))
  expect(permit?.points).toBe(0)
})
