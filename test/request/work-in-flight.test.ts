import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Overloaded } from '../../src/domain/input/errors.ts'
import {
  HEAVY,
  HEAVY_WORK_MAX,
  LIGHT_WORK_MAX,
  type Room,
  TOKEN_WORK_MAX,
  WAITING_MAX,
  WAITING_MS,
  WorkInFlight,
} from '../../src/request/work-in-flight.ts'

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
  const work = new WorkInFlight()
  const rooms = await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY }, () => work.enter(token(), HEAVY)))
  const one = work.enter(token(), 1)
  expect(await state(one)).toBe('waits')
  rooms[0]?.leave()
  expect(await state(one)).toBe('runs')
})

test('heavy requests have room of their own: while it is full, light ones run', async () => {
  const work = new WorkInFlight()
  const others = [token(), token()]
  for (const one of others) await work.enter(one, HEAVY_WORK_MAX / 2)
  const heavy = work.enter(token(), HEAVY + 1)
  expect(await state(heavy)).toBe('waits')
  expect(await state(work.enter(token(), HEAVY))).toBe('runs')
})

test("one token's heavy requests are bounded, another token's run beside them", async () => {
  const work = new WorkInFlight()
  const greedy = token()
  await work.enter(greedy, TOKEN_WORK_MAX - HEAVY)
  expect(await state(work.enter(greedy, HEAVY + 1))).toBe('waits')
  expect(await state(work.enter(token(), HEAVY + 1))).toBe('runs')
})

test('what waits is let in lightest first, and is refused as overload after the waiting time, not before', async () => {
  const work = new WorkInFlight()
  const full = await work.enter(token(), HEAVY_WORK_MAX / 2)
  const other = await work.enter(token(), HEAVY_WORK_MAX / 2)
  const dear = work.enter(token(), HEAVY_WORK_MAX / 2)
  const cheap = work.enter(token(), HEAVY_WORK_MAX / 2 - 1)
  full.leave()
  expect([await state(cheap), await state(dear)]).toEqual(['runs', 'waits'])
  vi.advanceTimersByTime(WAITING_MS - 1)
  expect(await state(dear)).toBe('waits')
  vi.advanceTimersByTime(1)
  expect(await state(dear)).toBeInstanceOf(Overloaded)
  other.leave()
  expect(await state(work.enter(token(), HEAVY_WORK_MAX / 2))).toBe('runs')
})

test('of more than may wait the heaviest is refused at once', async () => {
  const work = new WorkInFlight()
  await Promise.all([1, 2].map(() => work.enter(token(), HEAVY_WORK_MAX / 2)))
  const waiting = Array.from({ length: WAITING_MAX }, (_, index) => work.enter(token(), 10_000 + index))
  const lighter = work.enter(token(), HEAVY + 1)
  expect(await state(waiting.at(-1) as Promise<Room>)).toBeInstanceOf(Overloaded)
  expect(await state(lighter)).toBe('waits')
  const heavier = work.enter(token(), 50_000)
  expect(await state(heavier)).toBeInstanceOf(Overloaded)
  await Promise.allSettled([vi.advanceTimersByTimeAsync(WAITING_MS), ...waiting, lighter, heavier])
})

test('of those that need more room than they were weighed at one always goes on, and the next when it has left', async () => {
  const work = new WorkInFlight()
  const rooms = await Promise.all(Array.from({ length: 4 }, () => work.enter(token(), 100)))
  await work.enter(token(), HEAVY_WORK_MAX / 2)
  await work.enter(token(), HEAVY_WORK_MAX / 2)
  const grown = rooms.map((room) => Promise.resolve(room.resize(60_000)))
  expect(await Promise.all(grown.map(state))).toEqual(['runs', 'waits', 'waits', 'waits'])
  rooms[0]?.leave()
  expect(await Promise.all(grown.slice(1).map(state))).toEqual(['runs', 'waits', 'waits'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(WAITING_MS), ...grown])
})

test('a request leaves its room once: what it had is there for others, and no more', async () => {
  const work = new WorkInFlight()
  const room = await work.enter(token(), HEAVY)
  room.leave()
  room.leave()
  await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY }, () => work.enter(token(), HEAVY)))
  expect(await state(work.enter(token(), 1))).toBe('waits')
  vi.advanceTimersByTime(WAITING_MS)
})

test('room that a request had before it turned out to be heavier is there for others while it waits', async () => {
  const work = new WorkInFlight()
  const rooms = await Promise.all(Array.from({ length: LIGHT_WORK_MAX / HEAVY }, () => work.enter(token(), HEAVY)))
  for (const half of [1, 2]) await work.enter(token(), (half * HEAVY_WORK_MAX) / (half * 2))
  const light = [1, 2].map(() => work.enter(token(), HEAVY))
  const grown = rooms.slice(0, 2).map((room) => Promise.resolve(room.resize(2 * HEAVY)))
  expect(await Promise.all([...grown, ...light].map(state))).toEqual(['runs', 'waits', 'runs', 'runs'])
  await Promise.allSettled([vi.advanceTimersByTimeAsync(WAITING_MS), ...grown])
})

test('a request that leaves while it waits for more room takes none, now or later', async () => {
  const work = new WorkInFlight()
  const halves = await Promise.all([1, 2].map(() => work.enter(token(), HEAVY_WORK_MAX / 2)))
  const [first, room] = await Promise.all([work.enter(token(), 100), work.enter(token(), 100)])
  await first?.resize(2 * HEAVY)
  const growing = Promise.resolve(room?.resize(2 * HEAVY))
  room?.leave()
  expect(await state(growing)).toBeInstanceOf(Overloaded)
  for (const half of halves) half.leave()
  first?.leave()
  await Promise.all([1, 2].map(() => work.enter(token(), HEAVY_WORK_MAX / 2)))
  expect(room?.points).toBe(0)
})
