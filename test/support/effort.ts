/**
 * Test effort: how much of what is drawn at random, repeated or counted a test tries. Tests name what finds most
 * mistakes; by default a fifth of that is tried, while someone waits for it. TEST_EFFORT is the factor: `.ci/run` tries
 * three tenths for the rules (test/domain) and a tenth for the others, `TEST_EFFORT=1 npm test` all.
 */
const effort = Number(process.env.TEST_EFFORT || 0.2)
if (!(effort > 0)) throw new Error('TEST_EFFORT must be a number above 0')

/** `base` times TEST_EFFORT, a whole number of `least` at least. */
export const times = (base: number, least = 1): number => Math.max(least, Math.ceil(base * effort))

/** The runs of a property of fast-check: `base` times TEST_EFFORT. */
export const runs = (base: number): { readonly numRuns: number } => ({ numRuns: times(base) })
