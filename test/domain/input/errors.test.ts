import { describe, expect, it } from 'vitest'
import { capViolations, DomainError, VIOLATIONS_MAX, type Violation } from '../../../src/domain/input/errors.ts'

const many = (count: number): Violation[] =>
  Array.from({ length: count }, (_, index) => ({ code: 'REQUIRED', path: ['list', index], message: 'must be given' }))

describe('the number of violations in a failure', () => {
  it('a failure lists at most 100 violations', () => {
    expect(VIOLATIONS_MAX).toBe(100)
  })

  it.each([0, 1, 99, 100])('a failure with %i violations lists all of them unchanged', (count) => {
    expect(capViolations(many(count))).toEqual(many(count))
    expect(new DomainError('validation', many(count)).violations).toEqual(many(count))
  })

  it.each([
    [101, 1],
    [100_000, 99_900],
  ])('of %i violations the last one listed says that there are %i more', (count, more) => {
    const shown = new DomainError('validation', many(count)).violations
    expect(shown).toHaveLength(100)
    expect(shown.slice(0, 99)).toEqual(many(99))
    expect(shown[99]).toEqual({ code: 'REQUIRED', path: ['list', 99], message: `must be given (and ${more} more)` })
  })
})
