import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOlder, isVisible, parseSnapshot } from '../../../src/domain/changes/transaction-snapshot.ts'

describe('transaction snapshots', () => {
  test.each([
    ['10:10:', { xmin: 10, xmax: 10, running: [] }],
    ['10:11:10', { xmin: 10, xmax: 11, running: [10] }],
    ['10:20:10,14,19', { xmin: 10, xmax: 20, running: [10, 14, 19] }],
  ])('a transaction snapshot is parsed from %s', (text, snapshot) => {
    expect(parseSnapshot(text)).toEqual(snapshot)
  })

  test.each([
    '',
    '10',
    '10:20',
    'a:b:',
    '20:10:',
    '0:10:',
    '10:20:9',
    '10:20:20',
    '10:20:15,12',
    '10:20:12,12',
    '10:20:12,',
    ' 10:20:',
    '10:9007199254740993:',
    '-1:20:',
  ])('%j is no transaction snapshot', (text) => {
    expect(parseSnapshot(text)).toBeUndefined()
  })

  test('a transaction snapshot shows transactions below xmin, none from xmax on, and between them those that were not running', () => {
    const snapshot = parseSnapshot('10:20:10,14') ?? expect.unreachable()
    expect([1, 9, 10, 11, 13, 14, 15, 19, 20, 21].filter((xid) => isVisible(snapshot, xid))).toEqual([
      1, 9, 11, 13, 15, 19,
    ])
  })

  test('a transaction snapshot is older when fewer transactions had begun, or more of the same were running', () => {
    const taken = ['10:11:10', '10:20:10,14', '10:20:10', '20:20:', '20:21:20'].map(
      (text) => parseSnapshot(text) ?? expect.unreachable(),
    )
    for (const [first, one] of taken.entries())
      for (const [second, other] of taken.entries()) expect(isOlder(one, other)).toBe(first < second)
  })

  test('any text is parsed as a transaction snapshot or rejected, without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}:\d{1,4}:(\d{1,4},){0,3}\d{0,4}$/)), (text) => {
        const snapshot = parseSnapshot(text)
        if (snapshot) expect(snapshot.xmin).toBeLessThanOrEqual(snapshot.xmax)
      }),
    )
  })
})
