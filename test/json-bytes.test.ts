import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../src/json-bytes.ts'

/** With its quotes, a text of so many characters takes all of the place that answers are written to when each has three bytes. */
const FITTING = 128 * 1024 - 2

describe('jsonBytes', () => {
  it.each(['x', 'é', '€', '😀'])('writes texts of %s whole, on both sides of what fits', (character) => {
    for (const length of [0, FITTING - 1, FITTING, FITTING + 1]) {
      const text = character.repeat(Math.ceil(length / character.length))
      const bytes = jsonBytes(text)
      expect(bytes.equals(Buffer.from(JSON.stringify(text)))).toBe(true)
    }
  })

  it('leaves what it wrote before as it was', () => {
    const first = jsonBytes({ first: '€'.repeat(10_000) })
    jsonBytes({ second: 'x'.repeat(40_000) })
    expect(JSON.parse(first.toString())).toEqual({ first: '€'.repeat(10_000) })
  })
})
