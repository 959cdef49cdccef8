/** How much of the processors other machines on the same host had, which no measurement of this one can do without. */
import { readFileSync } from 'node:fs'

/** Of the processors' time. When others had more, times tell little of what was measured. */
export const STOLEN_TIME_MAX = 0.05

interface ProcessorTimes {
  readonly stolen: number
  readonly all: number
}

/** What Linux counts of all processors since its start; nothing elsewhere. */
function processorTimes(): ProcessorTimes {
  try {
    // user, nice, system, idle, iowait, irq, softirq, steal
    const counted = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).slice(1, 9).map(Number) ?? []
    return { stolen: counted[7] ?? 0, all: counted.reduce((sum, one) => sum + one, 0) }
  } catch {
    return { stolen: 0, all: 0 }
  }
}

export interface Measured<T> {
  readonly result: T
  /** The share of the processors' time that others had meanwhile. */
  readonly stolen: number
}

export async function measureStolenTime<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const before = processorTimes()
  const result = await work()
  const after = processorTimes()
  return { result, stolen: (after.stolen - before.stolen) / Math.max(1, after.all - before.all) }
}
