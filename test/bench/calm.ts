/**
 * Measuring where other machines share the host: again when they had much of the processors, as long as there is time
 * for it.
 */
import { type Measured, measureStolenTime, STOLEN_TIME_MAX } from '../support/processors.ts'

const TRIES = 3
/** For all tries but the first ones of the whole benchmark. */
let spareMs = process.argv.includes('--quick') ? 0 : 300_000
const kept: number[] = []

/** What `work` measures in the calmest of at most three tries. */
export async function calmly<T>(work: () => Promise<T>): Promise<T> {
  let best: Measured<T> = await measureStolenTime(work)
  for (let tries = 1; best.stolen > STOLEN_TIME_MAX && tries < TRIES && spareMs > 0; tries++) {
    const begun = performance.now()
    const again = await measureStolenTime(work)
    spareMs -= performance.now() - begun
    if (again.stolen < best.stolen) best = again
  }
  kept.push(best.stolen)
  return best.result
}

/** A sentence on how calm it was in what counted. */
export function stolenTimeReport(): string {
  const disturbed = kept.filter((stolen) => stolen > STOLEN_TIME_MAX).length
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
  return `Other machines had ${percent(Math.max(...kept))} of the processors at most, and more than ${percent(STOLEN_TIME_MAX)} in ${disturbed} of ${kept.length} loads.`
}
