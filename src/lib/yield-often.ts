/** Yields of long work that no request waits for, such as the parts of a publish that this process computes. */
import { SLICE_MS } from './time-slices.ts'

let sliceEnd = 0

/** Lets requests take their turn when the slice of this process has passed. Call it after each piece of work. */
export async function yieldOften(): Promise<void> {
  if (performance.now() < sliceEnd) return
  await new Promise(setImmediate)
  sliceEnd = performance.now() + SLICE_MS
}
