/** The phases that the life line of a subscription shows, worked out from what is agreed and what was asked. */
import { describe, expect, test } from 'vitest'
import { type Asked, type Lived, partsOf } from '../../src/explore/life-parts.ts'

const day = (count: number): string => new Date(Date.UTC(2030, 0, count)).toISOString()
const now = Date.parse(day(10))
const plain: Lived = {
  ...{ createdAt: day(1), startsAt: day(1), trialEndsAt: null, endDate: null },
  scheduledChanges: [],
}
const ask = (action: Asked['action'], count: number): Asked => ({ action, createdAt: day(count) })
const seen = (of: Partial<Lived>, asked: readonly Asked[] = []) =>
  partsOf({ ...plain, ...of }, asked, now).map(({ phase, from, isAhead }) => [
    `${phase}${isAhead ? ' ahead' : ''}`,
    (Date.parse(from) - Date.parse(day(1))) / 86_400_000 + 1,
  ])

describe('what is agreed', () => {
  test('a subscription without a trial is active from its creation on', () => {
    expect(seen({})).toEqual([['ACTIVE', 1]])
  })

  test('a trial that goes on is a trial, and its end is ahead', () => {
    expect(seen({ trialEndsAt: day(15) })).toEqual([
      ['TRIAL', 1],
      ['ACTIVE ahead', 15],
    ])
    expect(seen({ trialEndsAt: day(10) })).toEqual([
      ['TRIAL', 1],
      ['ACTIVE', 10],
    ])
  })

  test('a subscription that starts later has not begun until then', () => {
    expect(seen({ startsAt: day(12), trialEndsAt: day(20), endDate: day(30) })).toEqual([
      ['PENDING', 1],
      ['TRIAL ahead', 12],
      ['ACTIVE ahead', 20],
      ['CLOSED ahead', 30],
    ])
  })

  test('one that came from another system began before it was created here', () => {
    expect(seen({ startsAt: day(-5), trialEndsAt: day(-1) })).toEqual([['ACTIVE', 1]])
    expect(seen({ startsAt: day(-5), trialEndsAt: day(3) })).toEqual([
      ['TRIAL', 1],
      ['ACTIVE', 3],
    ])
  })
})

describe('what was asked', () => {
  test('a trial that was paused goes on as a trial, and after its end as active', () => {
    const asked = [ask('RESUME', 8), ask('PAUSE', 6), ask('RESUME', 4), ask('PAUSE', 2)]
    expect(seen({ trialEndsAt: day(7) }, asked)).toEqual([
      ['TRIAL', 1],
      ['PAUSED', 2],
      ['TRIAL', 4],
      ['PAUSED', 6],
      ['ACTIVE', 8],
    ])
  })

  test('the end of a trial is none for one that is canceled', () => {
    expect(seen({ trialEndsAt: day(15) }, [ask('CANCEL', 3)])).toEqual([
      ['TRIAL', 1],
      ['CANCELED', 3],
    ])
  })

  test('a pause that was asked for ahead begins at its instant, and its resume is there too', () => {
    const scheduledChanges = [
      { type: 'PAUSE', at: day(20) },
      { type: 'RESUME', at: day(25) },
    ]
    expect(seen({ scheduledChanges }, [ask('PAUSE', 9), ask('RESUME', 5), ask('PAUSE', 4)])).toEqual([
      ['ACTIVE', 1],
      ['PAUSED', 4],
      ['ACTIVE', 5],
      ['PAUSED ahead', 20],
      ['ACTIVE ahead', 25],
    ])
  })

  test('nothing follows the end of the plan', () => {
    expect(seen({ endDate: day(5) }, [ask('PAUSE', 7)])).toEqual([
      ['ACTIVE', 1],
      ['CLOSED', 5],
    ])
  })
})
