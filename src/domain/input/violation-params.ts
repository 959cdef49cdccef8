/**
 * Parameters of violations: the numbers, words and names in their sentences, so that a client can translate the
 * sentences.
 */

/**
 * One parameter. `min` and `max` are limits; `allowed` comes once for each allowed value, `key` once for each entry
 * that is named.
 */
export interface ViolationParam {
  readonly name: 'min' | 'max' | 'allowed' | 'key'
  readonly value: string
}

/** The limits of a range; an end that is absent or infinite is left out. */
export function limitParams(min: number | null | undefined, max: number | null | undefined): ViolationParam[] {
  const limits = [
    { name: 'min', limit: min },
    { name: 'max', limit: max },
  ] as const
  return limits.flatMap(({ name, limit }) =>
    limit != null && Number.isFinite(limit) ? [{ name, value: String(limit) }] : [],
  )
}

/** The allowed values, in the order of the sentence. */
export function allowedParams(values: readonly string[]): ViolationParam[] {
  return values.map((value) => ({ name: 'allowed', value }))
}

/** The names (indexes, of lists) of the entries that the sentence names, in its order. */
export function keyParams(...keys: readonly (string | number)[]): ViolationParam[] {
  return keys.map((key) => ({ name: 'key', value: String(key) }))
}
