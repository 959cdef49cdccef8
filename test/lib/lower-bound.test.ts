import { expect, test } from 'vitest'
import { lowerBound } from '../../src/lib/lower-bound.ts'

test.each([
  { value: 0, index: 0 },
  { value: 2, index: 0 },
  { value: 3, index: 1 },
  { value: 5, index: 1 },
  { value: 7, index: 3 },
  { value: Number.POSITIVE_INFINITY, index: 4 },
])('the lower bound of $value in 2, 5, 5, 9 is at index $index', ({ value, index }) => {
  expect(lowerBound(Int32Array.of(2, 5, 5, 9), value)).toBe(index)
})

test('without numbers the lower bound is their count', () => {
  expect(lowerBound(new Float64Array(), 1)).toBe(0)
})
