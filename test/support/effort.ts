/**
 * Test effort: how much of what is drawn at random, repeated or counted a test tries. `npm test` tries enough to find most mistakes while one
 * waits for it; TEST_EFFORT multiplies that, as for the one thorough run in CI.
 */
const effort = Number(process.env.TEST_EFFORT || 1)
if (!(effort > 0)) throw new Error('TEST_EFFORT must be a number above 0')

/** The effort of CI's one thorough run. */
const THOROUGH = 5

/**
 * `base` times TEST_EFFORT, a whole number of one at least. With `thorough`, for what takes long beside what it finds: `base` at effort 1,
 * `thorough` at that of CI, and in proportion between and beyond.
 */
export function times(base: number, thorough = THOROUGH * base): number {
  const more = (thorough - base) / (THOROUGH - 1)
  return Math.max(1, Math.ceil(effort < 1 ? base * effort : base + more * (effort - 1)))
}

/** The runs of a property of fast-check: as `times`. */
export const runs = (base: number, thorough?: number): { readonly numRuns: number } => ({ numRuns: times(base, thorough) })
