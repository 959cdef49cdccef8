import { describe, expect, test, vi } from 'vitest'
import { Overloaded, Unavailable } from '../../src/domain/input/errors.ts'
import type { RequestDeadline } from '../../src/lib/deadline.ts'
import { SLICE_MS, TimeSlices } from '../../src/lib/time-slices.ts'
import {
  ConcurrencyLimiter,
  HEAVY_POINTS,
  HEAVY_WORK_MAX,
  QUEUE_TIMEOUT_MS,
} from '../../src/request/concurrency-limiter.ts'
import {
  DOCUMENT_CHARACTERS_MAX,
  documentPoints,
  RESPONSE_CHARACTERS_MAX,
  RequestWork,
  WORK_MAX,
  WorkLimit,
} from '../../src/request/request-work.ts'

/** Time slices of which the first is used up, so that the next caller has to wait. */
function usedSlices(): TimeSlices {
  const slices = new TimeSlices()
  slices.turn({ isHeavy: false, order: -1 })
  const until = performance.now() + SLICE_MS + 1
  while (performance.now() < until);
  return slices
}

const ended = Symbol('ended')
const pause = (milliseconds: number): Promise<symbol> =>
  new Promise((resolve) => setTimeout(() => resolve(ended), milliseconds))

describe('a request is aborted past its limit', () => {
  test('a request is aborted past its limit of work: at the limit it continues', () => {
    const work = new RequestWork()
    work.spend(WORK_MAX)
    expect(() => work.spend(1)).toThrow(
      new WorkLimit('The work that the request turned out to take', WORK_MAX + 1, WORK_MAX),
    )
  })

  test('a request is aborted past its limit of documents: at the limit it continues, and a document counts once', () => {
    const work = new RequestWork()
    work.countDocument(1, DOCUMENT_CHARACTERS_MAX)
    work.countDocument(1, DOCUMENT_CHARACTERS_MAX)
    expect(work.spent).toBe(documentPoints(DOCUMENT_CHARACTERS_MAX))
    expect(() => work.countDocument(2, 1)).toThrow(WorkLimit)
  })

  test('a request is aborted past the limit of its response: at the limit it continues', () => {
    const work = new RequestWork()
    work.countResponse(RESPONSE_CHARACTERS_MAX)
    expect(() => work.countResponse(RESPONSE_CHARACTERS_MAX + 1)).toThrow(WorkLimit)
  })

  test('nothing of an aborted request continues: later yield points never resolve, and the executor is notified once', async () => {
    const work = new RequestWork(usedSlices())
    const before = work.yieldPoint()
    expect(() => work.spend(WORK_MAX + 1)).toThrow(WorkLimit)
    await expect(work.aborted).rejects.toBeInstanceOf(WorkLimit)
    expect(await Promise.race([before, work.yieldPoint(), pause(50)])).toBe(ended)
  })

  test('work outside of a request is only counted, never aborted', () => {
    const work = new RequestWork(undefined, undefined, true)
    work.spend(2 * WORK_MAX)
    expect(work.spent).toBe(2 * WORK_MAX)
  })
})

test('a request whose deadline passes while it waits at a yield point is aborted', async () => {
  const deadline: RequestDeadline = { abortReason: null, exempt: false }
  const work = new RequestWork(usedSlices(), deadline)
  const turn = work.yieldPoint()
  deadline.abortReason = new Unavailable('the deadline has passed')
  await expect(work.aborted).rejects.toBe(deadline.abortReason)
  expect(await Promise.race([turn, pause(50)])).toBe(ended)
})

describe('a request that exceeds its estimate', () => {
  test('a request that exceeds its estimate stays light while its work is light', async () => {
    const work = new RequestWork()
    work.permit = await new ConcurrencyLimiter().acquire('token', 100)
    for (const spent of [101, HEAVY_POINTS - 101]) {
      work.spend(spent)
      await work.yieldPoint()
      expect([work.permit.points <= HEAVY_POINTS, work.isHeavy]).toEqual([true, false])
    }
    work.spend(1)
    await work.yieldPoint()
    expect(work.isHeavy).toBe(true)
    expect(work.permit.points).toBeGreaterThan(HEAVY_POINTS)
  })

  test('a request that exceeds its estimate waits for a larger permit with all its branches, and is aborted as Overloaded after the timeout', async () => {
    vi.useFakeTimers()
    const limiter = new ConcurrencyLimiter()
    for (const other of ['a', 'b']) await limiter.acquire(other, HEAVY_WORK_MAX / 2)
    const first = await limiter.acquire('c', 100)
    await first.resize(HEAVY_POINTS + 1)
    const work = new RequestWork()
    work.permit = await limiter.acquire('d', 100)
    work.spend(HEAVY_POINTS + 1)
    const branches = [work.yieldPoint(), work.yieldPoint(), work.yieldPoint()]
    await vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS)
    await expect(work.aborted).rejects.toBeInstanceOf(Overloaded)
    vi.useRealTimers()
    expect(await Promise.race([...branches, pause(50)])).toBe(ended)
    work.releasePermit()
    expect(work.permit).toBeNull()
  })

  test('a mutation that exceeds its estimate does not wait, and past its limit fails field by field instead of being aborted', async () => {
    const limiter = new ConcurrencyLimiter()
    for (const other of ['a', 'b']) await limiter.acquire(other, HEAVY_WORK_MAX / 2)
    const work = new RequestWork()
    work.permit = await limiter.acquire('c', 100)
    work.interruptible = false
    work.spend(HEAVY_POINTS + 1)
    expect(work.yieldPoint()).toBeUndefined()
    for (const _ of [1, 2]) expect(() => work.spend(WORK_MAX)).toThrow(WorkLimit)
    expect(work.yieldPoint()).toBeUndefined()
    expect(await Promise.race([work.aborted, pause(20)])).toBe(ended)
  })
})
