/** Background pace: long work in the background rests while its process is busy with other work. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Rests at most so many times as long as it worked, so that it goes on in the busiest process. */
const REST_FACTOR = 4
/** Milliseconds of work before it rests. */
const WORK_MS = 100
/** Milliseconds after which it looks again whether the process is busy. */
const LOOK_MS = 20
/** The share of the time in which the event loop of a busy process is at work. */
const BUSY = 0.5

/** What it measures by; tests have others. */
interface Clock {
  /** Milliseconds. */
  readonly now: () => number
  /** The share of the event loop's time that was work during the next `milliseconds`. */
  readonly workDuring: (milliseconds: number) => Promise<number>
}

const processClock: Clock = {
  now: () => performance.now(),
  async workDuring(milliseconds) {
    const before = performance.eventLoopUtilization()
    await sleep(milliseconds, undefined, { ref: false })
    return performance.eventLoopUtilization(before).utilization
  },
}

/** The pace of one piece of work. */
export class BackgroundPace {
  private workingSince: number

  constructor(private readonly clock = processClock) {
    this.workingSince = clock.now()
  }

  /** Rests after a part of the work. The time until it is called again counts as work. */
  async rest(): Promise<void> {
    const { clock } = this
    const begun = clock.now()
    const worked = begun - this.workingSince
    if (worked < WORK_MS) return
    const end = begun + worked * REST_FACTOR
    // A process that was busy so far is not at rest after one quiet look: its clients may only be slow to ask again.
    let looks = 0
    let busy = 0
    do {
      busy += await clock.workDuring(LOOK_MS)
      looks++
    } while (clock.now() < end && busy / looks >= BUSY)
    this.workingSince = clock.now()
  }
}
