/** Parameters of violations: the numbers and words of their sentences, so that a client can say them in another language. */

/** One parameter. `min` and `max` are limits; `allowed` comes once for each allowed value. */
export interface ViolationParam {
  readonly name: 'min' | 'max' | 'allowed'
  readonly value: string
}

/** The limits of a range; an end that is absent or infinite is left out. */
export function limitParams(min: number | null | undefined, max: number | null | undefined): ViolationParam[] {
  const limits = [
    { name: 'min', limit: min },
    { name: 'max', limit: max },
  ] as const
  return limits.flatMap(({ name, limit }) => (limit != null && Number.isFinite(limit) ? [{ name, value: String(limit) }] : []))
}

/** The allowed values, in the order of the sentence. */
export function allowedParams(values: readonly string[]): ViolationParam[] {
  return values.map((value) => ({ name: 'allowed', value }))
}
