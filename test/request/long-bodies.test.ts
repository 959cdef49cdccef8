/** http.long-bodies-take-turns: the permits of long bodies. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bearer } from '../../src/auth/verify.ts'
import { Overloaded, Unavailable } from '../../src/domain/input/errors.ts'
import type { RequestDeadline } from '../../src/lib/deadline.ts'
import type { TimeSlices } from '../../src/lib/time-slices.ts'
import { QUEUE_TIMEOUT_MS } from '../../src/request/concurrency-limiter.ts'
import type { Services } from '../../src/request/context.ts'
import {
  admitBody,
  createBodyLimiter,
  LONG_BODIES_MAX,
  LONG_BODIES_OF_ONE_MAX,
  SHORT_BODY_MAX,
} from '../../src/request/long-bodies.ts'
import { RequestWork } from '../../src/request/request-work.ts'
import { viewer } from '../support/graph.ts'

const MEBI = 1024 * 1024
const admin = (token: string): Bearer => ({ ...viewer('admin'), token })
const shopper = (token: string): Bearer => ({ ...viewer('shopper'), token })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A process with bodies in memory; `admit` says whether one more is admitted by now. */
function bodies() {
  const services = { bodyLimiter: createBodyLimiter() } as Partial<Services> as Services
  return async (by: Bearer, bytes: number) => {
    const work = new RequestWork()
    const admission = { work, isAdmitted: false, refusal: undefined as unknown }
    admitBody(services, by, work, bytes).then(
      () => {
        admission.isAdmitted = true
      },
      (error) => {
        admission.refusal = error
      },
    )
    await vi.advanceTimersByTimeAsync(0)
    return admission
  }
}

describe('http.long-bodies-take-turns', () => {
  test('long bodies have 24 MiB together, and the next byte waits until one is gone', async () => {
    const admit = bodies()
    const [first] = [await admit(admin('a'), 12 * MEBI), await admit(admin('b'), 12 * MEBI - SHORT_BODY_MAX - 1)]
    const last = await admit(admin('c'), SHORT_BODY_MAX + 1)
    const next = await admit(admin('d'), SHORT_BODY_MAX + 1)
    expect([first?.isAdmitted, last.isAdmitted, next.isAdmitted]).toEqual([true, true, false])
    first?.work.releaseBody()
    await vi.advanceTimersByTimeAsync(0)
    expect(next.isAdmitted).toBe(true)
    expect(LONG_BODIES_MAX).toBe(24 * MEBI)
  })

  test('short bodies never wait', async () => {
    const admit = bodies()
    await admit(admin('a'), LONG_BODIES_OF_ONE_MAX)
    await admit(admin('b'), LONG_BODIES_MAX - LONG_BODIES_OF_ONE_MAX)
    expect((await admit(admin('a'), SHORT_BODY_MAX)).isAdmitted).toBe(true)
  })

  test.each([
    ['one token of an administrator', admin('a'), admin('a')],
    ['all shoppers, whatever their tokens', shopper('a'), shopper('b')],
  ])('of the memory for long bodies 16 MiB are for %s, so that others go on', async (_, one, other) => {
    const admit = bodies()
    await admit(one, LONG_BODIES_OF_ONE_MAX - SHORT_BODY_MAX - 1)
    expect((await admit(other, SHORT_BODY_MAX + 1)).isAdmitted).toBe(true)
    expect((await admit(other, SHORT_BODY_MAX + 1)).isAdmitted).toBe(false)
    expect((await admit(admin('another'), LONG_BODIES_MAX - LONG_BODIES_OF_ONE_MAX)).isAdmitted).toBe(true)
  })

  test('a long body that gets no permit in time is refused as Overloaded, and takes nothing', async () => {
    const admit = bodies()
    const first = await admit(shopper('a'), LONG_BODIES_OF_ONE_MAX)
    const late = await admit(shopper('b'), LONG_BODIES_OF_ONE_MAX)
    await vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS)
    expect([late.isAdmitted, late.refusal]).toEqual([false, expect.any(Overloaded)])
    first.work.releaseBody()
    expect((await admit(shopper('c'), LONG_BODIES_OF_ONE_MAX)).isAdmitted).toBe(true)
  })

  test('a long body whose deadline has passed while it waited goes no further', async () => {
    const gone = new Unavailable('the client is gone')
    const deadline: RequestDeadline = { abortReason: gone, exempt: false }
    const services = { bodyLimiter: createBodyLimiter() } as Partial<Services> as Services
    const work = new RequestWork(undefined, deadline)
    await expect(admitBody(services, admin('a'), work, MEBI)).rejects.toBe(gone)
  })

  test('a long body with its permit waits for its slice of time, so that several are not parsed in one turn of the event loop', async () => {
    const turns: (() => void)[] = []
    const slices = { turn: () => new Promise<void>((resolve) => turns.push(resolve)) } as unknown as TimeSlices
    const services = { bodyLimiter: createBodyLimiter() } as Partial<Services> as Services
    let isAdmitted = false
    const admission = admitBody(services, admin('a'), new RequestWork(slices), MEBI).then(() => {
      isAdmitted = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect([turns.length, isAdmitted]).toEqual([1, false])
    turns[0]?.()
    await admission
    expect(isAdmitted).toBe(true)
  })
})
