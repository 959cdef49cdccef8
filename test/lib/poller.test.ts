import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Poller } from '../../src/lib/poller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const EVERY = 1_000
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A poller whose runs take `takes` milliseconds and return, or throw, what `results` has in turn. */
function start({ takes = 0, everyMs, results = [] }: { takes?: number; everyMs?: number; results?: unknown[] }) {
  const runs: number[] = []
  const failures: unknown[] = []
  const begun = Date.now()
  const poller = new Poller({
    run: async () => {
      runs.push(Date.now() - begun)
      if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes))
      const result = results.shift()
      if (result instanceof Error) throw result
      return result as number | undefined
    },
    ...(everyMs !== undefined && { everyMs }),
    onFailure: (error) => failures.push((error as Error).message),
  })
  return { poller, runs, failures }
}

describe('a poller', () => {
  it('does nothing before the first poll, runs then, and again when its interval is over after each run', async () => {
    const { poller, runs } = start({ takes: 100, everyMs: EVERY })
    await pass(5_000)
    expect(runs).toEqual([])
    poller.poll()
    await pass(2_199)
    expect(runs).toEqual([5_000, 6_100])
    await pass(1)
    expect(runs).toEqual([5_000, 6_100, 7_200])
  })

  it('waits as long as a run says instead of its interval, and as short as a timer can (1 ms) for 0', async () => {
    const { poller, runs } = start({ everyMs: EVERY, results: [50, 0, undefined] })
    poller.poll()
    await pass(1_051)
    expect(runs).toEqual([0, 50, 51, 1_051])
  })

  it('without an interval runs only when it is polled', async () => {
    const { poller, runs } = start({})
    poller.poll()
    await pass(60_000)
    poller.poll()
    await pass(60_000)
    expect(runs).toEqual([0, 60_000])
  })

  it('that is polled several times at once runs once', async () => {
    const { poller, runs } = start({ everyMs: EVERY })
    for (let time = 0; time < 3; time++) poller.poll()
    await pass(0)
    expect(runs).toEqual([0])
  })

  it('that is polled between two runs runs at once, and waits its interval from there', async () => {
    const { poller, runs } = start({ everyMs: EVERY })
    poller.poll()
    await pass(400)
    poller.poll()
    await pass(1_400)
    expect(runs).toEqual([0, 400, 1_400])
  })

  it('that is polled during a run runs once more after it, however often, and never twice at a time', async () => {
    const { poller, runs } = start({ takes: 300, everyMs: EVERY, results: [5_000] })
    poller.poll()
    await pass(100)
    for (let time = 0; time < 3; time++) poller.poll()
    await pass(900)
    expect(runs).toEqual([0, 301])
  })

  it('goes on after failures, and reports the first of several in a row', async () => {
    const results = [new Error('one'), new Error('two'), undefined, new Error('three'), new Error('four')]
    const { poller, runs, failures } = start({ everyMs: EVERY, results })
    poller.poll()
    await pass(4_000)
    expect(runs).toEqual([0, 1_000, 2_000, 3_000, 4_000])
    expect(failures).toEqual(['one', 'three'])
  })

  it('without an interval waits after a failure until it is polled', async () => {
    const { poller, runs, failures } = start({ results: [new Error('lost')] })
    poller.poll()
    await pass(60_000)
    expect([runs, failures]).toEqual([[0], ['lost']])
    poller.poll()
    await pass(0)
    expect(runs).toEqual([0, 60_000])
  })

  it('that is stopped resolves when the current run has ended, and runs no more, also when it is polled', async () => {
    const { poller, runs } = start({ takes: 300, everyMs: EVERY })
    poller.poll()
    await pass(100)
    poller.poll()
    let stopped = false
    void poller.stop().then(() => {
      stopped = true
    })
    await pass(199)
    expect(stopped).toBe(false)
    await pass(1)
    expect(stopped).toBe(true)
    poller.poll()
    await pass(60_000)
    expect(runs).toEqual([0])
  })

  it('that is stopped between two runs, or before the first, is so at once', async () => {
    const waiting = start({ everyMs: EVERY })
    waiting.poller.poll()
    await pass(0)
    const polled = start({ everyMs: EVERY })
    polled.poller.poll()
    await Promise.all([waiting.poller.stop(), polled.poller.stop()])
    await pass(60_000)
    expect([waiting.runs, polled.runs]).toEqual([[0], []])
  })

  it('keeps no process alive', () => {
    const { poller } = start({ everyMs: EVERY })
    vi.useRealTimers()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    poller.poll()
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false])
    timers.mockRestore()
    void poller.stop()
  })
})
