/** Number of random stores that a property test tries: `base`, times RANDOM_STORES where that is set, as for the one thorough run in CI. */
export function randomStores(base: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(base * Number(process.env.RANDOM_STORES ?? 1)) }
}
