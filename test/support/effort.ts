/**
 * Test effort: how much of what is drawn at random, repeated or counted a test tries. `npm test` tries enough to find most mistakes while one
 * waits for it; TEST_EFFORT multiplies that, as for the one thorough run in CI.
 */
const effort = Number(process.env.TEST_EFFORT || 1)
if (!(effort > 0)) throw new Error('TEST_EFFORT must be a number above 0')

/** `base` times TEST_EFFORT, a whole number of one at least. */
export const times = (base: number): number => Math.max(1, Math.ceil(base * effort))

/** The runs of a property of fast-check: `base` times TEST_EFFORT. */
export const runs = (base: number): { readonly numRuns: number } => ({ numRuns: times(base) })
