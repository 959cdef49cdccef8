import fc from 'fast-check'
import { expect, it } from 'vitest'
import { windowIndexes } from '../../src/lib/position-window.ts'

it('graph.connections-both-ways: a window over positions equals filtering and slicing the list', () => {
  const bound = fc.option(fc.integer({ min: -2, max: 32 }))
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 30 })),
      fc.boolean(),
      fc.record({ after: bound, before: bound, limit: fc.nat(8), reverse: fc.boolean() }),
      (given, filtered, window) => {
        const positions = filtered ? given.toSorted((left, right) => left - right) : given.map((_, index) => index)
        const { after, before, limit, reverse } = window
        const inside = positions.flatMap((position, index) =>
          (after === null || position > after) && (before === null || position < before) ? [index] : [],
        )
        const walked = reverse ? inside.reverse() : inside
        expect(windowIndexes(filtered ? positions : null, positions.length, window)).toEqual(walked.slice(0, limit))
      },
    ),
    { numRuns: 2000 },
  )
})
