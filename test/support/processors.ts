/** Stolen time: the share of processor time that other machines on the same host took, which distorts measurements. */
import { readFileSync } from 'node:fs'

/** The share of processor time above which measured times are not reliable. */
export const STOLEN_TIME_MAX = 0.05

interface ProcessorTimes {
  readonly stolen: number
  readonly all: number
}

/** The times of all processors since the start of Linux; zero on other systems. */
function processorTimes(): ProcessorTimes {
  try {
    // user, nice, system, idle, iowait, irq, softirq, steal
    const counted = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).slice(1, 9).map(Number) ?? []
    return { stolen: counted[7] ?? 0, all: counted.reduce((sum, one) => sum + one, 0) }
  } catch {
    return { stolen: 0, all: 0 }
  }
}

/** A result and the stolen time while it was computed. */
export interface Measured<T> {
  readonly result: T
  /** The share of processor time that other machines took, 0 to 1. */
  readonly stolen: number
}

/** Runs `work` and measures the stolen time meanwhile. */
export async function measureStolenTime<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const before = processorTimes()
  const result = await work()
  const after = processorTimes()
  return { result, stolen: (after.stolen - before.stolen) / Math.max(1, after.all - before.all) }
}
