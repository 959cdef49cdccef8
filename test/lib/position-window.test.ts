import fc from 'fast-check'
import { expect, it } from 'vitest'
import { windowIndexes } from '../../src/lib/position-window.ts'
import { runs } from '../support/effort.ts'

it('graph.connections-both-ways: a window over positions equals filtering and slicing the list', () => {
  const bound = fc.option(fc.integer({ min: -2, max: 32 }))
  fc.assert(
    fc.property(
      fc.nat(30),
      fc.record({ after: bound, before: bound, limit: fc.nat(8), reverse: fc.boolean() }),
      (length, window) => {
        const { after, before, limit, reverse } = window
        const inside = Array.from({ length }, (_, index) => index).filter(
          (index) => (after === null || index > after) && (before === null || index < before),
        )
        const walked = reverse ? inside.reverse() : inside
        expect(windowIndexes(length, window)).toEqual(walked.slice(0, limit))
      },
    ),
    runs(2000),
  )
})
