import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stablePositions } from '../../src/lib/stable-positions.ts'
import { runs } from '../support/effort.ts'

const GAP = 1024
const five = new Map([...'abcde'].map((id, index) => [id, index * GAP]))
const places = (stored: ReadonlyMap<string, number>, list: string) => stablePositions(stored, [...list])

describe('graph.connections-both-ways: positions of the items of an edited list', () => {
  it.each([
    ['a new list has gaps', new Map<string, number>(), 'abc', [0, GAP, 2 * GAP]],
    ['nothing', five, '', []],
    ['what goes leaves its place', five, 'bde', [GAP, 3 * GAP, 4 * GAP]],
    ['new ones in front', five, 'xyabcde', [-2 * GAP, -GAP, 0, GAP, 2 * GAP, 3 * GAP, 4 * GAP]],
    [
      'new ones between, evenly',
      five,
      'axyzbcde',
      [0, GAP / 4, GAP / 2, (3 * GAP) / 4, GAP, 2 * GAP, 3 * GAP, 4 * GAP],
    ],
    ['new ones at the end', five, 'abcdexy', [0, GAP, 2 * GAP, 3 * GAP, 4 * GAP, 5 * GAP, 6 * GAP]],
    ['one that moves moves alone', five, 'eabcd', [-GAP, 0, GAP, 2 * GAP, 3 * GAP]],
    ['of two halves that change places the longer one stays', five, 'deabc', [-2 * GAP, -GAP, 0, GAP, 2 * GAP]],
    [
      'without room the next ones move on, as few as will do',
      new Map([...'abcd'].map((id, index) => [id, index])),
      'axbcd',
      [0, GAP, 2 * GAP, 3 * GAP, 4 * GAP],
    ],
    [
      'and what stands beyond the room stays',
      new Map(Object.entries({ a: 0, b: 1, c: 2, d: 8 })),
      'axbcd',
      [0, 2, 4, 6, 8],
    ],
    [
      'the very last and first place is one',
      new Map(Object.entries({ a: -(2 ** 31), b: 2 ** 31 - 1 })),
      'ab',
      [-(2 ** 31), 2 ** 31 - 1],
    ],
    [
      'at the end of the numbers all move',
      new Map(Object.entries({ a: 5, b: 2 ** 31 - GAP })),
      'abx',
      [0, GAP, 2 * GAP],
    ],
    ['at their beginning too', new Map(Object.entries({ a: GAP - 2 ** 31 - 1, b: 5 })), 'xab', [0, GAP, 2 * GAP]],
  ])('positions of an edited list: %s', (_, stored, list, expected) => {
    expect(places(stored, list)).toEqual(expected)
  })

  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 12 })
  const dense = fc.nat(3)

  it('positions give the order of the list after any number of random edits', () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 30 }), dense, (edits, gap) => {
        let stored = new Map(['a', 'b', 'c'].map((id, index) => [id, index * (gap + 1)]))
        for (const list of edits) {
          const positions = stablePositions(stored, list)
          expect(positions.every(Number.isInteger)).toBe(true)
          expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right))
          stored = new Map(list.map((id, index) => [id, positions[index] as number]))
        }
      }),
      runs(1000),
    )
  })

  it('positions of the items of an edited list are kept by as many items as have one order in both lists, where there is room', () => {
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const stored = new Map(before.map((id, index) => [id, index * GAP]))
        const positions = stablePositions(stored, after)
        const kept = after.filter((id, index) => positions[index] === stored.get(id))
        expect(kept.length).toBe(longestCommon(before, after))
      }),
      runs(1000),
    )
  })

  it('positions of the items of an edited list never move an item back before a cursor by an insert or delete, even where there is no room', () => {
    const edit = fc.record({ at: fc.nat(20), insert: fc.boolean() })
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), dense, (edits, gap) => {
        let list = ['a', 'b', 'c', 'd']
        let stored = new Map(list.map((id, index) => [id, index * (gap + 1)]))
        for (const [number, { at, insert }] of edits.entries()) {
          const place = at % (list.length + 1)
          list = list.toSpliced(place, insert ? 0 : 1, ...(insert ? [`new ${number}`] : []))
          const positions = stablePositions(stored, list)
          for (const [index, id] of list.entries())
            expect(positions[index]).toBeGreaterThanOrEqual(stored.get(id) ?? Number.NEGATIVE_INFINITY)
          stored = new Map(list.map((id, index) => [id, positions[index] as number]))
        }
      }),
      runs(1000),
    )
  })
})

/** The length of the longest common subsequence of both lists of ids. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const [first, ...rest] = left
  if (first === undefined) return 0
  const at = right.indexOf(first)
  const without = longestCommon(rest, right)
  return at === -1 ? without : Math.max(without, 1 + longestCommon(rest, right.slice(at + 1)))
}
